/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Errors in arguments. */
#include "algorithms/azimuthal/azimuthal-fail.h"
#include "runtime/base/error.h"

gboolean
capra_azimuthal_fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error)
    *error = g_error_new_valist (CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, format, args);
  va_end (args);
  return FALSE;
}
