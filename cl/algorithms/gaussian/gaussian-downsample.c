/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Downsampling along x and y; launches gaussian-downsample-strip.cl for both axes in one pass where factors are small,
 * and gaussian-downsample-y.cl and gaussian-downsample-x.cl otherwise. */
#include "algorithms/gaussian/gaussian-downsample.h"

/* Up to this factor one pass for both axes is faster: the work that it repeats grows with the factor. */
#define MAX_FUSED_FACTOR 4

typedef struct {
  CapraArray *input, *output;
  const CapraShape *shape; /* the input's */
  const CapraGaussianStep *steps;
  CapraGaussianAxis x, y;
  CapraPartialSums parts;
} Job;

static void
begin (CapraLaunch *launch, const Job *job, const char *program, const char *options, const char *kernel)
{
  capra_launch_begin (launch, job->input->context, program, options, kernel);
  capra_launch_read (launch, job->input);
  capra_launch_write (launch, job->output);
}

/* Passes the first half of the weights, which are symmetric. */
static void
pass_weights (CapraLaunch *launch, const CapraGaussianStep *step)
{
  gsize count = (gsize) (step->taps * step->factor);

  capra_launch_value (launch, step->weights, sizeof (float) * ((count + 1) / 2));
}

static guint64
moved_bytes (const Job *job)
{
  return capra_shape_bytes (job->shape) + capra_shape_bytes (capra_array_get_shape (job->output));
}

/* The most rows of a strip of gaussian-downsample-y.cl. */
#define STRIP_ROWS 1024
/* Rows in flight on a compute unit, in all groups along y, and groups that run there at once. More groups leave more
 * partial sums. */
#define ROWS_OF_UNIT 96
#define GROUPS_OF_UNIT 12
/* Local memory of a group along x, so that several run on a compute unit; some devices have less. */
#define HELD_BYTES (36 << 10)

static char *
axis_options (const Job *job, const CapraGaussianStep *step, const char *more)
{
  CapraType type = job->shape->type;

  return g_strdup_printf ("-DIN=%s%s -DCHANNELS=%u -DD=%d -DTAPS=%d%s", capra_launch_type (type),
                          type == CAPRA_F32 ? " -DREAL" : "", job->shape->channels, step->factor, step->taps, more);
}

static void
pass_all_weights (CapraLaunch *launch, const CapraGaussianStep *step)
{
  capra_launch_constants (launch, step->weights, sizeof (float) * (gsize) (step->taps * step->factor));
}

/* Rows in flight: as many as a block has, or a divisor of that. */
static int
rows_ahead (int factor)
{
  int rows = MIN (factor, 14);

  while (factor % rows)
    rows--;
  return rows;
}

/* Neighboring values of a work-item. */
static int
values_of_item (gsize width, const CapraShape *shape)
{
  return width % 4 == 0 && (shape->channels == 4 || shape->type != CAPRA_F32) ? 4 : width % 2 == 0 ? 2 : 1;
}

/* Strips end at the same blocks of the image whatever part of it is requested, since partial sums end there. */
static CapraPartialSums
cut_parts (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep *step)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gint64 width = (gint64) axes[0].image * shape->channels,
         group = GAUSSIAN_DOWNSAMPLE_Y_GROUP * values_of_item ((gsize) width, shape);
  gint64 columns = (width + group - 1) / group * (gint64) shape->depth;
  gint64 units = MAX (capra_device_get_info (input->context->device)->compute_units, 1);
  gint64 groups = MIN (ROWS_OF_UNIT / rows_ahead (step->factor), GROUPS_OF_UNIT) * units;
  gint64 whole = step->whole + step->taps - 1, strips = CLAMP (groups / columns, 1, whole);
  int blocks = (int) MIN ((whole + strips - 1) / strips, STRIP_ROWS / step->factor);
  int all = step->count + step->taps - 1, missing = step->first / step->factor % blocks;

  missing += missing < 0 ? blocks : 0;
  return (CapraPartialSums){ blocks, (all + missing + blocks - 1) / blocks, step->taps, missing };
}

static gboolean
run_y (const Job *job, GError **error)
{
  const CapraGaussianStep *step = &job->steps[1];
  gsize width = job->shape->width * job->shape->channels, wide = (gsize) values_of_item (width, job->shape);
  g_autofree char *more = g_strdup_printf (" -DWIDE=%d -DAHEAD=%d -DMAX_ROWS=%d", (int) wide, rows_ahead (step->factor),
                                           STRIP_ROWS);
  g_autofree char *options = axis_options (job, step, more);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-downsample-y", options, "gaussian_downsample_y");
  pass_all_weights (&launch, step);
  capra_launch_value (&launch, &job->y, sizeof job->y);
  capra_launch_uint (&launch, (guint32) width);
  capra_launch_int (&launch, job->parts.blocks);
  capra_launch_int (&launch, job->parts.missing);
  return capra_launch_run (&launch, 3,
                           (const gsize[]){ (width / wide + GAUSSIAN_DOWNSAMPLE_Y_GROUP - 1)
                                              / GAUSSIAN_DOWNSAMPLE_Y_GROUP * GAUSSIAN_DOWNSAMPLE_Y_GROUP,
                                            (gsize) job->parts.strips, job->shape->depth },
                           (const gsize[]){ GAUSSIAN_DOWNSAMPLE_Y_GROUP, 1, 1 }, moved_bytes (job), error);
}

/* If the image is not downsampled along x, the pass has one weight and only adds partial sums. */
static gboolean
run_x (const Job *job, GError **error)
{
  const CapraGaussianStep *step = &job->steps[0];
  int channels = (int) job->shape->channels, group = channels < 3 ? 128 : 256;
  int held = (int) MIN (job->input->context->info->local_memory, HELD_BYTES);
  int weights = (step->taps + 3) / 4 * 4 * step->factor * (int) sizeof (float);
  int blocks = MIN (group / channels, (held - weights) / (int) sizeof (float) / (step->factor * channels + 1));
  int most = blocks - step->taps + 1, groups = (step->count + most - 1) / most;
  g_autofree char *more = g_strdup_printf (" -DGROUP=%d -DBLOCKS=%d", group, blocks);
  g_autofree char *options = axis_options (job, step, more);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-downsample-x", options, "gaussian_downsample_x");
  pass_all_weights (&launch, step);
  capra_launch_value (&launch, &job->x, sizeof job->x);
  capra_launch_value (&launch, &job->parts, sizeof job->parts);
  capra_launch_int (&launch, (step->count + groups - 1) / groups);
  return capra_launch_run (
    &launch, 3,
    (const gsize[]){ (gsize) (groups * group), capra_array_get_shape (job->output)->height, job->shape->depth },
    (const gsize[]){ (gsize) group, 1, 1 }, moved_bytes (job), error);
}

static gboolean
run_strip (const Job *job, GError **error)
{
  enum { GROUP = GAUSSIAN_DOWNSAMPLE_STRIP_GROUP, STEP = GAUSSIAN_DOWNSAMPLE_STRIP_STEP };
  const CapraGaussianStep *x = &job->steps[0], *y = &job->steps[1];
  int channels = (int) job->shape->channels;
  gsize outputs = (gsize) GAUSSIAN_DOWNSAMPLE_STRIP_OUTPUTS (channels, x->factor, x->taps), strips = 0, rows = 0;
  gsize columns = ((gsize) x->count + outputs - 1) / outputs, high = (gsize) y->count;
  gsize groups = 3 * MAX (capra_device_get_info (job->input->context->device)->compute_units, 1);
  const CapraGaussianAxis *s = &job->x;
  gboolean aligned = channels == 1 && s->first % 2 == 0 && s->source % 2 == 0 && s->n_source % 2 == 0
                     && s->length % 2 == 0;
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DCHANNELS=%d -DD=%d -DTAPS=%d -DDY=%d -DKY=%d -DALIGNED=%d",
                                              capra_launch_type (job->shape->type), channels, x->factor, x->taps,
                                              y->factor, y->taps, aligned);
  CapraLaunch launch;

  /* As many groups as run at once: each repeats the rows before its first sum. */
  strips = MAX (groups / (columns * job->shape->depth), 1);
  rows = MIN (((high + strips - 1) / strips + STEP - 1) / STEP * STEP, GAUSSIAN_DOWNSAMPLE_STRIP_MAX_ROWS);
  begin (&launch, job, "gaussian-downsample-strip", options, "gaussian_downsample_strip");
  pass_weights (&launch, x);
  pass_weights (&launch, y);
  capra_launch_value (&launch, &job->x, sizeof job->x);
  capra_launch_value (&launch, &job->y, sizeof job->y);
  capra_launch_int (&launch, (int) rows);
  return capra_launch_run (&launch, 3, (const gsize[]){ columns * GROUP, (high + rows - 1) / rows, job->shape->depth },
                           (const gsize[]){ GROUP, 1, 1 }, moved_bytes (job), error);
}

/* The result of @run is @width x @height. */
static CapraArray *
make (Job job, gsize width, gsize height, gboolean (*run) (const Job *, GError **), GError **error)
{
  CapraShape shape = *capra_array_get_shape (job.input);
  g_autoptr (CapraArray) output = NULL;

  shape.type = CAPRA_F32;
  shape.width = width;
  shape.height = height;
  job.shape = capra_array_get_shape (job.input);
  output = job.output = capra_array_new_uninitialized (job.input->context, &shape, error);
  if (!output || !run (&job, error))
    return NULL;
  return g_steal_pointer (&output);
}

CapraArray *
capra_gaussian_downsample (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2], GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  const CapraGaussianStep *x = &steps[0], *y = &steps[1];
  Job job = { .input = input,
              .steps = steps,
              .x = capra_gaussian_axis (&axes[0], x),
              .y = capra_gaussian_axis (&axes[1], y),
              .parts = { (int) shape->height, 1, 1, 0 } };
  g_autoptr (CapraArray) narrow = NULL;

  if (x->factor > 1 && y->factor > 1 && MAX (x->factor, y->factor) <= MAX_FUSED_FACTOR)
    return make (job, (gsize) x->count, (gsize) y->count, run_strip, error);
  if (y->factor > 1)
    {
      job.parts = cut_parts (input, axes, y);
      narrow = make (job, shape->width, (gsize) (job.parts.strips * (job.parts.blocks + y->taps - 1)), run_y, error);
      if (!narrow)
        return NULL;
      job.input = narrow;
    }
  return make (job, (gsize) x->count, y->factor > 1 ? (gsize) y->count : shape->height, run_x, error);
}
