/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open-error: what a window says of a file that could not be opened. */
#include "ui/panel/window/open-error.h"

#include <glib/gi18n-lib.h>

char *
capra_open_error_describe (GFile *file, const GError *error)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_strdup_printf (_ ("“%s” could not be opened. %s"), name, error->message);
}
