/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Masks of colors: converts to luminance, compares and writes the mask in one pass. */
#include <glib/gi18n-lib.h>

#include "algorithms/common/color-launch.h"
#include "algorithms/common/color-steps.h"
#include "algorithms/threshold/threshold-private.h"

static gboolean
check_mask (CapraColor mask, GError **error)
{
  if (mask == CAPRA_COLOR_Y || mask == CAPRA_COLOR_YA || mask == CAPRA_COLOR_RGB || mask == CAPRA_COLOR_RGBA)
    return TRUE;
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       _ ("a mask must have the color layout Y, YA, RGB or RGBA"));
  return FALSE;
}

CapraArray *
capra_threshold_colors (CapraArray *input, CapraEncoding from, gboolean perceptual, const double luminance[3],
                        double low, double high, CapraColor mask, CapraType type, GError **error)
{
  const CapraEncoding gray = { CAPRA_COLOR_Y, perceptual };
  g_autoptr (CapraArray) output = NULL;
  CapraColorLaunch launch;
  CapraShape shape;
  float limits[2];

  g_return_val_if_fail (input, NULL);

  if (!capra_color_check (input, from, gray, luminance, type, error) || !check_mask (mask, error))
    return NULL;
  shape = input->shape;
  shape.channels = capra_color_channels (mask);
  shape.type = type;
  output = capra_array_new_uninitialized (input->context, &shape, error);
  if (!output)
    return NULL;
  capra_threshold_round_limits (low, high, limits);
  capra_color_launch_begin (&launch, "threshold-colors", "threshold_colors", input, output,
                            capra_color_get_steps (from, gray), luminance);
  capra_launch_float (&launch.base, limits[0]);
  capra_launch_float (&launch.base, limits[1]);
  return capra_color_launch_run (&launch, error) ? g_steal_pointer (&output) : NULL;
}
