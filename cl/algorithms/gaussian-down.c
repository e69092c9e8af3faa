/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of every so manyth sample along x, then y: launches kernels/gaussian-down.cl. */
#include "algorithms/gaussian-down.h"

#define LANES 32
/* Rows that a group makes along x. */
#define ROWS 4

static char *
options (CapraArray *input, const CapraGaussianStep *step, int group)
{
  const CapraShape *shape = capra_array_get_shape (input);

  return g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DD=%d -DGROUP=%d", capra_launch_type (shape->type),
                          shape->channels, step->factor, group);
}

static CapraArray *
make_output (CapraArray *input, int axis, const CapraGaussianStep *step, GError **error)
{
  CapraShape shape = capra_axis_shape (capra_array_get_shape (input), axis, step->count);

  return capra_array_new_uninitialized (input->context, &shape, error);
}

static void
begin (CapraLaunch *launch, CapraArray *input, CapraArray *output, const CapraAxis *axis,
       const CapraGaussianStep *step, int group, const char *kernel)
{
  g_autofree char *macros = options (input, step, group);
  CapraGaussianSpan span = capra_gaussian_span (axis, step);

  capra_launch_begin (launch, input->context, "gaussian-down", macros, kernel);
  capra_launch_read (launch, input);
  capra_launch_write (launch, output);
  capra_launch_value (launch, step->weights, sizeof (float) * (gsize) (step->taps * step->factor));
  capra_launch_value (launch, &span, sizeof span);
}

static guint64
moved_bytes (CapraArray *input, CapraArray *output)
{
  return capra_shape_bytes (capra_array_get_shape (input)) + capra_shape_bytes (capra_array_get_shape (output));
}

static CapraArray *
down_x (CapraArray *input, const CapraAxis *axis, const CapraGaussianStep *step, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  g_autoptr(CapraArray) output = make_output (input, 0, step, error);
  gsize group = step->factor < 8 ? 128 : 96, rows = shape->height * shape->depth;
  gsize global[2], cells = group * (gsize) MAX (8 / step->factor, 1) - (gsize) (step->taps - 1);
  CapraLaunch launch;

  if (!output)
    return NULL;
  begin (&launch, input, output, axis, step, (int) group, "gaussian_down_x");
  capra_launch_ulong (&launch, rows);
  capra_launch_int (&launch, ROWS);
  capra_launch_int (&launch, (gint64) (step->first - axis->source) * shape->channels % 4 == 0
                             && shape->width * shape->channels % 4 == 0);
  global[0] = ((gsize) step->count + cells - 1) / cells * group;
  global[1] = (rows + ROWS - 1) / ROWS;
  if (!capra_launch_run (&launch, 2, global, (const gsize[]) { group, 1 }, moved_bytes (input, output), error))
    return NULL;
  return g_steal_pointer (&output);
}

static CapraArray *
down_y (CapraArray *input, const CapraAxis *axis, const CapraGaussianStep *step, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  g_autoptr(CapraArray) output = make_output (input, 1, step, error);
  gsize width = shape->width * shape->channels, outs = step->factor < 16 ? 4 : 2;
  gsize high = step->factor < 8 ? 8 : step->factor == 8 ? 2 : 4; /* as in kernels/gaussian-down.cl */
  CapraLaunch launch;

  if (!output)
    return NULL;
  begin (&launch, input, output, axis, step, LANES, "gaussian_down_y");
  capra_launch_uint (&launch, (guint32) width);
  if (!capra_launch_run (&launch, 3,
                         (const gsize[]) { width, ((gsize) step->count + outs - 1) / outs, shape->depth },
                         (const gsize[]) { LANES, high, 1 }, moved_bytes (input, output), error))
    return NULL;
  return g_steal_pointer (&output);
}

CapraArray *
capra_gaussian_down (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2],
                     GError **error)
{
  g_autoptr(CapraArray) narrow
    = steps[0].factor > 1 ? down_x (input, &axes[0], &steps[0], error) : capra_array_ref (input);

  if (!narrow || steps[1].factor == 1)
    return g_steal_pointer (&narrow);
  return down_y (narrow, &axes[1], &steps[1], error);
}
