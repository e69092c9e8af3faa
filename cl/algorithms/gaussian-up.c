/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolation of a small image: launches kernels/gaussian-up.cl and gaussian-up-rows.cl. */
#include "algorithms/gaussian-up.h"

/* up_t of the kernels. */
typedef struct {
  cl_int n_small, phase, count;
} Span;

void
capra_gaussian_up_clear (CapraGaussianUp *up)
{
  g_clear_pointer (&up->weights, g_free);
}

static gsize
weight_bytes (const CapraGaussianUp *up)
{
  return sizeof (float) * (gsize) (up->taps * up->factor);
}

static gboolean
run (CapraArray *small, CapraArray *output, const CapraGaussianUp ups[2], GError **error)
{
  const CapraShape *shape = capra_array_get_shape (small);
  const CapraGaussianUp *x = &ups[0], *y = &ups[1];
  CapraContext *context = small->context;
  Span spans[] = { { (int) shape->width, x->phase, x->count }, { (int) shape->height, y->phase, y->count } };
  gboolean tiles = capra_gaussian_has_tiles (context->device);
  guint channels = shape->channels;
  gsize pixels = channels == 1 ? 4 : channels == 2 ? 2 : 1; /* side by side, of a work-item */
  gint64 blocks = spans[1].n_small - (y->taps - 1);
  g_autofree char *options = g_strdup_printf ("-DCHANNELS=%u -DDX=%d -DDY=%d -DKX=%d -DKY=%d", channels,
                                              x->factor, y->factor, x->taps, y->taps);
  CapraLaunch launch;
  gsize columns = 0;
  int strip = 0;

  if (!tiles)
    pixels = channels == 1 ? 512 : 256;
  columns = ((gsize) (x->phase + x->count) + pixels - 1) / pixels;
  strip = capra_gaussian_strip (context->device, blocks, 1, y->factor > 1 ? (tiles ? 4 : 16) : 1,
                                tiles ? (gint64) columns / 128 + 1 : (gint64) columns,
                                (gint64) shape->depth);
  capra_launch_begin (&launch, context, tiles ? "gaussian-up" : "gaussian-up-rows", options,
                      tiles ? "gaussian_up" : "gaussian_up_rows");
  capra_launch_read (&launch, small);
  capra_launch_write (&launch, output);
  capra_launch_constants (&launch, x->weights, weight_bytes (x));
  if (tiles)
    capra_launch_value (&launch, y->weights, weight_bytes (y));
  else
    capra_launch_constants (&launch, y->weights, weight_bytes (y));
  capra_launch_value (&launch, &spans[0], sizeof spans[0]);
  capra_launch_value (&launch, &spans[1], sizeof spans[1]);
  capra_launch_int (&launch, strip);
  if (tiles)
    capra_launch_int (&launch, x->phase * (gint64) channels % 4 == 0 && (gint64) x->count * channels % 4 == 0);
  return capra_launch_run (&launch, 3,
                           (const gsize[]) { columns, (gsize) ((blocks + strip - 1) / strip), shape->depth },
                           (const gsize[]) { tiles ? 128 : 1, 1, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)),
                           error);
}

CapraArray *
capra_gaussian_up (CapraArray *small, const CapraGaussianUp ups[2], GError **error)
{
  CapraShape shape = *capra_array_get_shape (small);
  g_autoptr(CapraArray) output = NULL;

  shape.width = (gsize) ups[0].count;
  shape.height = (gsize) ups[1].count;
  output = capra_array_new_uninitialized (small->context, &shape, error);
  if (!output || !run (small, output, ups, error))
    return NULL;
  return g_steal_pointer (&output);
}
