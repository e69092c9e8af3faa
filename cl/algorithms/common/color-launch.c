/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color launch: launches of the kernels that include color.clh. */
#include "algorithms/common/color-launch.h"

#include "algorithms/common/color-steps.h"
#include "algorithms/common/convert-params.h"
#include "runtime/device/tuning.h"

#define LOCAL 256
/* The vector of the kernels for CPUs. */
#define VECTOR 16

/* The pixels that a work-item processes. Values are read from a table one by one. */
static gsize
get_vector (CapraArray *input, gsize count, gboolean curved)
{
  int vector = capra_tuning_get_int (input->context->device, "convert.vector", 1);

  return count >= VECTOR && vector == VECTOR && !curved ? VECTOR : 1;
}

void
capra_color_launch_begin (CapraColorLaunch *launch, const char *program, const char *kernel, CapraArray *input,
                          CapraArray *output, int steps, const double *luminance)
{
  const CapraShape *from = &input->shape, *to = &output->shape;
  gboolean curved = from->type == CAPRA_U8 && (steps & CONVERT_DECODE) && !(steps & CONVERT_DIVIDE);
  gsize count = from->width * from->height * from->depth, vector = get_vector (input, count, curved);
  g_autofree char *known = curved ? g_strdup_printf (" -DCURVED=%d", steps & ~CONVERT_DECODE) : NULL;
  g_autofree char *options = g_strdup_printf ("-DFROM=%u -DTO=%u -DIN=%s -DLARGEST=%d -DOUT=%s -DOUT_LARGEST=%d "
                                              "-DVEC=%d%s",
                                              from->channels, to->channels, capra_launch_type (from->type),
                                              capra_color_largest (from->type), capra_launch_type (to->type),
                                              capra_color_largest (to->type), (int) vector, known ? known : "");

  launch->items = (count + vector - 1) / vector;
  launch->bytes = capra_shape_bytes (from) + capra_shape_bytes (to);
  capra_launch_begin (&launch->base, input->context, program, options, kernel);
  capra_launch_read (&launch->base, input);
  capra_launch_write (&launch->base, output);
  capra_launch_constants (&launch->base, capra_color_get_curve (steps), CAPRA_COLOR_CURVE_VALUES * sizeof (float));
  capra_launch_ulong (&launch->base, count);
  capra_launch_int (&launch->base, steps);
  for (int i = 0; i < 3; i++)
    capra_launch_float (&launch->base, luminance ? (float) luminance[i] : 0);
}

gboolean
capra_color_launch_run (CapraColorLaunch *launch, GError **error)
{
  return capra_launch_run_1d (&launch->base, launch->items, LOCAL, launch->bytes, error);
}
