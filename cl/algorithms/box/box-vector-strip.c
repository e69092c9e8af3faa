/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur along y and x in one pass; launches box-vector-strip.cl. The method for boxes of moderate size on CPUs. */
#include "algorithms/box/box-pass.h"
#include "algorithms/common/color-steps.h"
#include "algorithms/common/stream.h"

/* Pieces for each compute unit, so that all of them finish at about the same time. */
#define PIECES 8
/* The least number of runs of a piece, which reads the rows of one more. */
#define LEAST_RUNS 4

/* The outputs of a row of a strip: as many as fit, so that few of the samples to their sides are repeated. */
static int
get_outputs (const CapraBox boxes[2], guint channels)
{
  int width = MIN (BOX_STRIP_WIDTH, BOX_STRIP_HELD / boxes[1].count / 16 * 16);

  return width / (int) channels - (boxes[0].count - 1);
}

/* A work-item has about 560 KB of private memory, more than GPUs give it. */
gboolean
capra_box_vector_strip_suits (CapraDevice *device, const CapraBox boxes[2], guint channels)
{
  return capra_device_get_info (device)->type != CAPRA_DEVICE_GPU && boxes[1].count <= BOX_LONGEST_RUN
         && get_outputs (boxes, channels) >= boxes[0].count;
}

static int
divide (int count, int size)
{
  return (int) (((gint64) count + size - 1) / size);
}

gboolean
capra_box_vector_strip (CapraArray *input, const CapraConversion *conversion, CapraArray *output, gboolean straight,
                        const CapraAxis axes[2], const CapraBox boxes[2], GError **error)
{
  const CapraShape *shape = &input->shape;
  g_autofree char *options = g_strdup_printf ("%s -DCHANNELS=%u", capra_color_rows_option (shape->type),
                                              shape->channels);
  int units = MAX ((int) capra_device_get_info (input->context->device)->compute_units, 1);
  CapraBox x = boxes[0], y = boxes[1];
  int outputs = get_outputs (boxes, shape->channels), columns = divide (x.n_result, outputs);
  int n_runs = 0, runs = 0;
  CapraLaunch launch;

  y.run = y.count;
  capra_box_align (&y, &axes[1], y.run);
  outputs = divide (x.n_result, columns);
  n_runs = divide (y.n_result, y.run);
  runs = divide (n_runs, divide (PIECES * units, columns));
  runs = MAX (runs, MIN (LEAST_RUNS, divide (n_runs, units)));
  capra_launch_begin (&launch, input->context, "box-vector-strip", options, "box_vector_strip");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_int (&launch, outputs);
  capra_launch_int (&launch, runs);
  capra_launch_int (&launch, capra_stream_pays (&output->shape));
  capra_launch_int (&launch, straight);
  capra_launch_value (&launch, &x, sizeof x);
  capra_launch_value (&launch, &y, sizeof y);
  capra_color_rows_pass (&launch, shape->type, conversion);
  return capra_launch_run (&launch, 3, (gsize[]){ (gsize) columns, (gsize) divide (n_runs, runs), shape->depth },
                           (gsize[]){ 1, 1, 1 }, capra_shape_bytes (shape) + capra_shape_bytes (&output->shape), error);
}
