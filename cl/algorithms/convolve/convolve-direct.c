/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sums over a matrix, product by product: launches kernels/convolve.cl, -small, -lines, -strided and -many. */
#include <string.h>

#include "algorithms/convolve/convolve-private.h"
#include "algorithms/separable/taps.h"
#include "runtime/device/tuning.h"

/* Matrices of so many weights get kernels of their own, without loops; on GPUs also some more. */
#define SMALL 100
#define SMALL_ON_GPU 128
/* So also those of which many are summed in one launch, whose inputs a work-item holds. */
#define SMALL_MANY 49

/* GROUP, COLUMNS, ROWS and RUN of kernels/convolve-separable.cl. */
typedef struct {
  int group, columns, rows, run;
} LinesShape;
/* How many rows a line may reach over, and local memory for runs of fours. */
#define LINES_REACH 64
#define RUNS_BYTES (36 << 10)

CapraDirect
capra_direct_init (const CapraSums *sums, const CapraStencil *stencil, gsize plane)
{
  const CapraAxis *x = sums->x, *y = sums->y;

  return (CapraDirect){
    stencil->width, stencil->height,
    x->length,      x->source,
    x->n_source,    x->result - stencil->left,
    x->n_result,    x->stride,
    y->length,      y->source,
    y->n_source,    y->result - stencil->top,
    y->n_result,    y->stride,
    x->border,      (float) stencil->offset,
    (cl_int) plane,
  };
}

CapraArray *
capra_sums_alloc (const CapraSums *sums, gsize count, GError **error)
{
  CapraShape shape = capra_axis_shape (capra_array_get_shape (sums->input), 0, sums->x->n_result);

  shape.height = (gsize) sums->y->n_result;
  shape.depth *= count;
  return capra_array_new_uninitialized (sums->input->context, &shape, error);
}

float *
capra_stencil_floats (const CapraStencil *stencils, guint count)
{
  guint size = (guint) (stencils->width * stencils->height);
  float *floats = g_new (float, (gsize) count * size);

  for (guint m = 0; m < count; m++)
    for (guint i = 0; i < size; i++)
      floats[m * size + i] = (float) stencils[m].weights[i];
  return floats;
}

static gboolean
is_cpu (CapraDevice *device)
{
  return !strcmp (capra_tuning_get_word (device, "convolve.variant", "group"), "vector");
}

static gboolean
is_small (const CapraStencil *stencil, gboolean cpu)
{
  return stencil->width * stencil->height <= (cpu ? SMALL : SMALL_ON_GPU);
}

static guint64
sums_bytes (const CapraSums *sums, CapraArray *output)
{
  return capra_shape_bytes (capra_array_get_shape (sums->input)) + capra_shape_bytes (capra_array_get_shape (output));
}

/* The macros of kernels/convolve-quad.clh. */
static char *
quad_options (const CapraSums *sums, const CapraDirect *direct, int width, int height)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  gboolean aligned = (gsize) direct->n_source_x * shape->channels % 4 == 0;
  int shift = aligned ? (direct->first_x - direct->source_x) * (int) shape->channels & 3 : 0;

  return g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DWIDTH=%d -DHEIGHT=%d -DSHIFT=%d%s", capra_launch_type (shape->type),
                          shape->channels, width, height, shift, aligned ? " -DALIGNED" : "");
}

/* Four values of several rows for each work-item, the weights as an argument. Wide windows of many channels are loaded
 * for more rows. */
static gboolean
run_small (const CapraSums *sums, const CapraStencil *stencil, CapraArray *output, gsize plane, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  gboolean line = sums->y->n_result == 1;
  gboolean wide = shape->channels == 4 && stencil->width >= 7 && stencil->height >= 7;
  gsize rows = line ? 1 : wide ? 8 : 4, local[] = { line ? 256 : 32, line ? 1 : 4, 1 };
  gsize global[] = { ((gsize) sums->x->n_result * shape->channels + 3) / 4,
                     ((gsize) sums->y->n_result + rows - 1) / rows, shape->depth };
  CapraDirect direct = capra_direct_init (sums, stencil, plane);
  g_autofree float *floats = capra_stencil_floats (stencil, 1);
  g_autofree char *quads = quad_options (sums, &direct, stencil->width, stencil->height);
  g_autofree char *options = g_strdup_printf ("%s -DROWS=%d -DGROUP_X=%d -DGROUP_Y=%d", quads, (int) rows,
                                              (int) local[0], (int) local[1]);
  CapraLaunch launch;

  capra_launch_begin (&launch, sums->input->context, "convolve-small", options, "convolve_small");
  capra_launch_read (&launch, sums->input);
  capra_launch_write (&launch, output);
  capra_launch_value (&launch, floats, sizeof *floats * (gsize) (stencil->width * stencil->height));
  capra_launch_value (&launch, &direct, sizeof direct);
  return capra_launch_run (&launch, 3, global, local, sums_bytes (sums, output), error);
}

/* Where values of many channels lie between, runs of fours along x save most of what a sum loads. */
static LinesShape
lines_shape (CapraArray *input)
{
  guint channels = capra_array_get_shape (input)->channels;
  gboolean runs = channels == 4 && input->context->info->local_memory >= RUNS_BYTES;

  return runs ? (LinesShape){ 128, 512, 16, 2 } : (LinesShape){ 256, 128, 8, 1 };
}

gboolean
capra_direct_takes_lines (CapraArray *input, int width, int height)
{
  int channels = (int) capra_array_get_shape (input)->channels;

  return !is_cpu (input->context->device) && height - 1 <= LINES_REACH
         && (width - 1) * channels <= lines_shape (input).columns / 2;
}

/* What kernels/padded.clh asks for. */
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
capra_direct_run_lines (const CapraSums *sums, const CapraStencil *column, const CapraStencil *row, CapraArray *output,
                        GError **error)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  int width = row->width, height = column->height, channels = (int) shape->channels;
  CapraStencil both = { width, height, row->left, column->top, NULL, row->offset };
  CapraDirect direct = capra_direct_init (sums, &both, 0);
  LinesShape lines = lines_shape (sums->input);
  g_autofree char *quads = quad_options (sums, &direct, width, height);
  gboolean padded = column->padding > 0 || row->padding > 0;
  g_autofree char *options = g_strdup_printf ("%s -DGROUP=%d -DCOLUMNS=%d -DROWS=%d -DRUN=%d%s", quads, lines.group,
                                              lines.columns, lines.rows, lines.run, padded ? " -DPADDED" : "");
  int shift = direct.n_source_x * channels % 4 ? 0 : (direct.first_x - direct.source_x) * channels & 3;
  int run = 4 * lines.run, cells = (lines.columns - shift - (width - 1) * channels) / run * run;
  int tall = lines.group / (lines.columns / 4) * lines.rows;
  g_autofree float *floats = g_new (float, (gsize) (width + height));
  gsize global[] = { (direct.n_result_x * (gsize) channels + (gsize) cells - 1) / (gsize) cells * (gsize) lines.group,
                     (gsize) ((direct.n_result_y + tall - 1) / tall), shape->depth };
  CapraLaunch launch;

  for (int j = 0; j < height; j++)
    floats[j] = (float) column->weights[j];
  for (int i = 0; i < width; i++)
    floats[height + i] = (float) row->weights[i];
  capra_launch_begin (&launch, sums->input->context, "convolve-separable", options, "convolve_separable");
  capra_launch_read (&launch, sums->input);
  capra_launch_write (&launch, output);
  capra_launch_value (&launch, floats, sizeof *floats * (gsize) (width + height));
  capra_launch_value (&launch, &direct, sizeof direct);
  if (padded)
    pass_unpadded (&launch, column, row, floats);
  return capra_launch_run (&launch, 3, global, (const gsize[]){ (gsize) lines.group, 1, 1 }, sums_bytes (sums, output),
                           error);
}

gboolean
capra_direct_run (const CapraSums *sums, const CapraStencil *stencil, CapraArray *output, gsize plane, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  gsize count = (gsize) (stencil->width * stencil->height);
  gsize values = (gsize) sums->x->n_result * shape->channels;
  gboolean strided = sums->x->stride > 1 || sums->y->stride > 1, cpu = is_cpu (sums->input->context->device);
  gsize lanes = cpu && !strided ? 16 : 1, rows = strided || sums->y->n_result == 1 ? 1 : 4;
  CapraDirect direct = capra_direct_init (sums, stencil, plane);
  g_autoptr (CapraArray) long_weights = NULL;
  g_autofree float *floats = NULL;
  g_autofree char *size = NULL;
  g_autofree char *options = NULL;
  CapraLaunch launch;

  if (is_small (stencil, cpu) && !strided && !cpu)
    return run_small (sums, stencil, output, plane, error);
  if (is_small (stencil, cpu) && !strided)
    size = g_strdup_printf (" -DWIDTH=%d -DHEIGHT=%d", stencil->width, stencil->height);
  floats = capra_stencil_floats (stencil, 1);
  options = g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DWEIGHTS=%s -DVEC=%d -DROWS=%d%s", capra_launch_type (shape->type),
                             shape->channels, capra_taps_space (count), (int) lanes, (int) rows, size ? size : "");
  capra_launch_begin (&launch, sums->input->context, strided ? "convolve-strided" : "convolve", options,
                      strided ? "convolve_strided" : "convolve");
  capra_launch_read (&launch, sums->input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, floats, count, &long_weights);
  capra_launch_value (&launch, &direct, sizeof direct);
  return capra_launch_run (
    &launch, 3, (gsize[]){ (values + lanes - 1) / lanes, ((gsize) sums->y->n_result + rows - 1) / rows, shape->depth },
    (gsize[]){ 64, 1, 1 }, sums_bytes (sums, output), error);
}

gboolean
capra_direct_is_fast (const CapraStencil *stencil)
{
  return is_small (stencil, TRUE);
}

gboolean
capra_direct_takes_many (const CapraStencil *stencil)
{
  return stencil->width * stencil->height <= SMALL_MANY;
}

gboolean
capra_direct_run_many (const CapraSums *sums, const CapraStencil *stencils, guint count, CapraArray *output,
                       GError **error)
{
  const CapraShape *shape = capra_array_get_shape (sums->input);
  gsize weights = (gsize) (stencils->width * stencils->height) * count;
  gsize values = (gsize) sums->x->n_result * shape->channels;
  gsize lanes = is_cpu (sums->input->context->device) ? 16 : 1, rows = is_cpu (sums->input->context->device) ? 1 : 2;
  CapraDirect direct = capra_direct_init (sums, stencils, 0);
  g_autoptr (CapraArray) long_weights = NULL;
  g_autofree float *floats = capra_stencil_floats (stencils, count);
  g_autofree char *options = g_strdup_printf (
    "-DIN=%s -DCHANNELS=%u -DWEIGHTS=%s -DWIDTH=%d -DHEIGHT=%d -DVEC=%d -DROWS=%d", capra_launch_type (shape->type),
    shape->channels, capra_taps_space (weights), stencils->width, stencils->height, (int) lanes, (int) rows);
  CapraLaunch launch;

  capra_launch_begin (&launch, sums->input->context, "convolve-many", options, "convolve_many");
  capra_launch_read (&launch, sums->input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, floats, weights, &long_weights);
  capra_launch_value (&launch, &direct, sizeof direct);
  capra_launch_int (&launch, (int) count);
  return capra_launch_run (
    &launch, 3, (gsize[]){ (values + lanes - 1) / lanes, ((gsize) sums->y->n_result + rows - 1) / rows, shape->depth },
    (gsize[]){ 64, 1, 1 }, sums_bytes (sums, output), error);
}
