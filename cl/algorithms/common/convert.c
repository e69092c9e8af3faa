/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convert: converts between color layouts. One kernel carries out all steps. */
#include "algorithms/common/color-launch.h"
#include "algorithms/common/color-steps.h"
#include "algorithms/common/convert.h"

static gboolean
convert_run (CapraArray *input, CapraArray *output, int steps, const double *luminance, GError **error)
{
  CapraColorLaunch launch;

  capra_color_launch_begin (&launch, "convert", "convert", input, output, steps, luminance);
  return capra_color_launch_run (&launch, error);
}

CapraArray *
capra_convert (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3], GError **error)
{
  return capra_convert_to_type (input, from, to, luminance, CAPRA_F32, error);
}

CapraArray *
capra_convert_by (CapraArray *input, const CapraConversion *conversion, GError **error)
{
  g_return_val_if_fail (input, NULL);

  return conversion ? capra_convert (input, conversion->from, conversion->to, conversion->luminance, error)
                    : capra_array_ref (input);
}

CapraArray *
capra_convert_to_type (CapraArray *input, CapraEncoding from, CapraEncoding to, const double luminance[3],
                       CapraType type, GError **error)
{
  g_autoptr (CapraArray) output = NULL;
  CapraShape shape;

  g_return_val_if_fail (input, NULL);

  if (!capra_color_check (input, from, to, luminance, type, error))
    return NULL;
  if (from.color == to.color && !from.perceptual == !to.perceptual && input->shape.type == type)
    return capra_array_ref (input);

  shape = input->shape;
  shape.channels = capra_color_channels (to.color);
  shape.type = type;
  output = capra_array_new_uninitialized (input->context, &shape, error);
  if (!output || !convert_run (input, output, capra_color_get_steps (from, to), luminance, error))
    return NULL;
  return g_steal_pointer (&output);
}
