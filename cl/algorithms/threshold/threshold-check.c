/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: errors that several files report. */
#include <glib/gi18n-lib.h>

#include "algorithms/threshold/threshold-check.h"
#include "algorithms/threshold/threshold-method.h"
#include "runtime/base/error.h"

gboolean
capra_threshold_check (const CapraShape *input, CapraThresholdMethod method, GError **error)
{
  if (input->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("a threshold requires one channel, not %u: convert colors to luminance first"), input->channels);
  else if (!capra_threshold_get_finder (method))
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("\"manual\" computes no threshold; choose another method"));
  else
    return TRUE;
  return FALSE;
}

void
capra_threshold_set_no_value (GError **error)
{
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       _ ("no threshold can be found: the image has no finite value"));
}
