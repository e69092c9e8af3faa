/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass for small images; launches gaussian-block.cl. */
#include "algorithms/gaussian/gaussian-block.h"

/* Outputs of a group along x, and half of those along y, for short filters and for those that reach further than
 * SHORT_REACH: their inputs must fit into 48 KiB of local memory. */
#define SIZE_SHORT 32
#define SIZE_LONG 16
#define SHORT_REACH 20

CapraArray *
capra_gaussian_block (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2], GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  const CapraGaussianStep *x = &steps[0], *y = &steps[1];
  CapraGaussianAxis spans[] = { capra_gaussian_axis (&axes[0], x), capra_gaussian_axis (&axes[1], y) };
  gsize global[3], size = MAX (x->taps, y->taps) / 2 > SHORT_REACH ? SIZE_LONG : SIZE_SHORT;
  CapraShape result = *shape;
  g_autoptr (CapraArray) output = NULL;
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DREACH_X=%d -DREACH_Y=%d -DSIZE=%d%s",
                                              capra_launch_type (shape->type), shape->channels, x->taps / 2,
                                              y->taps / 2, (int) size, capra_gaussian_padded_option (steps));
  CapraLaunch launch;

  result.type = CAPRA_F32;
  result.width = (gsize) x->count;
  result.height = (gsize) y->count;
  output = capra_array_new_uninitialized (input->context, &result, error);
  if (!output)
    return NULL;
  capra_launch_begin (&launch, input->context, "gaussian-block", options, "gaussian_block");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  for (int i = 0; i < 2; i++)
    capra_launch_value (&launch, steps[i].weights, sizeof (float) * (gsize) steps[i].taps);
  for (int i = 0; i < 2; i++)
    capra_launch_value (&launch, &spans[i], sizeof spans[i]);
  capra_gaussian_pass_unpadded (&launch, steps);
  global[0] = (result.width + size - 1) / size * GAUSSIAN_BLOCK_GROUP;
  global[1] = (result.height + 2 * size - 1) / (2 * size);
  global[2] = shape->depth * shape->channels;
  if (!capra_launch_run (&launch, 3, global, (const gsize[]){ GAUSSIAN_BLOCK_GROUP, 1, 1 },
                         capra_shape_bytes (shape) + capra_shape_bytes (&result), error))
    return NULL;
  return g_steal_pointer (&output);
}
