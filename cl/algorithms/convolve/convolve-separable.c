/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution with a column times a row of weights in one launch, of convolve-separable.cl. */
#include <string.h>

#include "algorithms/convolve/convolve-pass.h"

/* The macros GROUP, COLUMNS, ROWS and RUN of the kernel. */
typedef struct {
  int group, columns, rows, run;
} Layout;

/* The most rows above and below that a column of weights may reach. */
#define MAX_REACH_Y 64
/* Local memory required for runs of several quads. */
#define RUNS_BYTES (36 << 10)

/* With many channels, summing runs of quads along x avoids most of the loads of a sum. */
static Layout
choose_layout (CapraArray *input)
{
  guint channels = capra_array_get_shape (input)->channels;
  gboolean runs = channels == 4 && input->context->info->local_memory >= RUNS_BYTES;

  return runs ? (Layout){ 128, 512, 16, 2 } : (Layout){ 256, 128, 8, 1 };
}

gboolean
capra_separable_suits (CapraArray *input, int width, int height)
{
  int channels = (int) capra_array_get_shape (input)->channels;

  return !capra_convolve_uses_vectors (input->context->device) && height - 1 <= MAX_REACH_Y
         && (width - 1) * channels <= choose_layout (input).columns / 2;
}

/* The weights without padding; see padded.clh. */
static void
pass_unpadded (CapraLaunch *launch, const CapraStencil *column, const CapraStencil *row, const float *floats)
{
  int height = column->height - 2 * column->padding, width = row->width - 2 * row->padding;
  g_autofree float *unpadded = g_new (float, (gsize) (width + height));

  memcpy (unpadded, floats + column->height + row->padding, sizeof *floats * (gsize) width);
  memcpy (unpadded + width, floats + column->padding, sizeof *floats * (gsize) height);
  capra_launch_constants (launch, unpadded, sizeof *floats * (gsize) (width + height));
  capra_launch_int (launch, width);
  capra_launch_int (launch, height);
}

gboolean
capra_separable_run (const CapraConvolution *conv, const CapraStencil *column, const CapraStencil *row,
                     CapraArray *output, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (conv->input);
  int width = row->width, height = column->height, channels = (int) shape->channels;
  CapraStencil both = { width, height, row->left, column->top, NULL, row->offset };
  CapraDirect direct = capra_direct_init (conv, &both, 0);
  Layout layout = choose_layout (conv->input);
  g_autofree char *quads = capra_direct_quad_options (conv, &direct, width, height);
  gboolean padded = column->padding > 0 || row->padding > 0;
  g_autofree char *options = g_strdup_printf ("%s -DGROUP=%d -DCOLUMNS=%d -DROWS=%d -DRUN=%d%s", quads, layout.group,
                                              layout.columns, layout.rows, layout.run, padded ? " -DPADDED" : "");
  int shift = capra_direct_quad_shift (conv, &direct);
  int outputs = CONVOLVE_SEPARABLE_OUTPUTS (layout.columns, shift, width, channels, layout.run);
  int high = CONVOLVE_SEPARABLE_HEIGHT (layout.group, layout.columns, layout.rows);
  g_autofree float *floats = g_new (float, (gsize) (width + height));
  gsize global[] = { (direct.n_result_x * (gsize) channels + (gsize) outputs - 1) / (gsize) outputs
                       * (gsize) layout.group,
                     (gsize) ((direct.n_result_y + high - 1) / high), shape->depth };
  CapraLaunch launch;

  for (int j = 0; j < height; j++)
    floats[j] = (float) column->weights[j];
  for (int i = 0; i < width; i++)
    floats[height + i] = (float) row->weights[i];
  capra_launch_begin (&launch, conv->input->context, "convolve-separable", options, "convolve_separable");
  capra_launch_read (&launch, conv->input);
  capra_launch_write (&launch, output);
  capra_launch_value (&launch, floats, sizeof *floats * (gsize) (width + height));
  capra_launch_value (&launch, &direct, sizeof direct);
  if (padded)
    pass_unpadded (&launch, column, row, floats);
  return capra_launch_run (&launch, 3, global, (const gsize[]){ (gsize) layout.group, 1, 1 },
                           capra_convolution_bytes (conv, output), error);
}
