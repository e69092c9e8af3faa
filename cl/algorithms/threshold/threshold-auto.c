/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: finds a value and makes the mask, on the device alone where that is possible. */
#include "algorithms/threshold/threshold-check.h"
#include "algorithms/threshold/threshold-otsu-device.h"
#include "algorithms/threshold/threshold-private.h"

CapraArray *
capra_threshold_auto (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  return capra_threshold_auto_mask (input, method, CAPRA_F32, value, error);
}

CapraArray *
capra_threshold_auto_mask (CapraArray *input, CapraThresholdMethod method, CapraType type, double *value,
                           GError **error)
{
  g_autoptr (CapraArray) words = NULL;
  g_autoptr (CapraArray) mask = NULL;

  g_return_val_if_fail (input && value, NULL);

  if (!capra_threshold_check (capra_array_get_shape (input), method, error))
    return NULL;
  if (!capra_otsu_device_fits (input, method))
    return capra_threshold_find (input, method, value, error) ? capra_threshold_above_mask (input, *value, type, error)
                                                              : NULL;

  words = capra_otsu_device_start (input, error);
  if (words)
    mask = capra_threshold_above_found (input, words, type, error);
  if (!mask || !capra_otsu_device_finish (words, value, error))
    return NULL;
  return g_steal_pointer (&mask);
}
