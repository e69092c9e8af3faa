/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of every so manyth sample along x and y: launches kernels/gaussian-down-tile.cl, which makes both at once
 * where samples are close, and gaussian-down.cl, which makes an axis at a time. */
#include "algorithms/gaussian-down.h"

/* What of the work is done twice grows with the factor; so far both axes at once are faster. */
#define CLOSE 4

typedef struct {
  CapraArray *input, *output;
  const CapraShape *shape; /* the input's */
  const CapraGaussianStep *steps;
  CapraGaussianSpan x, y;
} Job;

/* Outputs of a work-item side by side, as kernels/gaussian-window.clh has them. */
static int
outs_of_item (guint channels, int factor)
{
  if (channels == 3)
    return factor % 4 == 0 ? 1 : factor % 2 == 0 ? 2 : 4;
  return 4 / (int) channels;
}

static void
begin (CapraLaunch *launch, const Job *job, const char *program, const char *options, const char *kernel)
{
  capra_launch_begin (launch, job->input->context, program, options, kernel);
  capra_launch_read (launch, job->input);
  capra_launch_write (launch, job->output);
}

/* Half of them, which are symmetric. */
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

/* The groups of gaussian_down_y, and the local memory for their values and places. More stop others from running
 * beside them; some devices have less. */
enum { WIDE = 32, HIGH = 8, HELD_BYTES = 36 << 10 };

/* Outputs of a group along y: one for each of its rows of work-items, or two, unless they need too many rows. */
static int
outs_of_group (const Job *job, const CapraGaussianStep *step)
{
  gsize bytes = MIN (job->input->context->info->local_memory, HELD_BYTES);
  int most = (int) (bytes / (4 * (WIDE + 1)) / HIGH * HIGH) / step->factor - (step->taps - 1);

  return most >= 2 * HIGH ? 2 * HIGH : CLAMP (most, 1, HIGH);
}

static char *
axis_options (const Job *job, const CapraGaussianStep *step)
{
  return g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DD=%d -DTAPS=%d -DOUTS_Y=%d", capra_launch_type (job->shape->type),
                          job->shape->channels, step->factor, step->taps, outs_of_group (job, step));
}

static gboolean
run_x (const Job *job, GError **error)
{
  enum { GROUP = 32, ROWS = 4 };
  const CapraGaussianStep *step = &job->steps[0];
  gint64 channels = job->shape->channels;
  gsize rows = job->shape->height * job->shape->depth, outs = (gsize) outs_of_item (job->shape->channels, step->factor);
  gsize count = (gsize) step->count, segments = (count + GROUP * outs - 1) / (GROUP * outs);
  gsize cells = ((count + segments - 1) / segments + outs - 1) / outs * outs;
  g_autofree char *options = axis_options (job, step);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-down", options, "gaussian_down_x");
  pass_weights (&launch, step);
  capra_launch_value (&launch, &job->x, sizeof job->x);
  capra_launch_ulong (&launch, rows);
  capra_launch_int (&launch, (int) cells);
  capra_launch_int (&launch, ROWS);
  capra_launch_int (&launch, (gint64) (job->x.first - job->x.source) * channels % 4 == 0
                             && (gint64) cells * step->factor * channels % 4 == 0
                             && job->x.n_source * channels % 4 == 0);
  return capra_launch_run (&launch, 2, (const gsize[]) { segments * GROUP, (rows + ROWS - 1) / ROWS },
                           (const gsize[]) { GROUP, 1 }, moved_bytes (job), error);
}

static gboolean
run_y (const Job *job, GError **error)
{
  const CapraGaussianStep *step = &job->steps[1];
  gsize width = job->shape->width * job->shape->channels, count = (gsize) step->count;
  gsize outs = (gsize) outs_of_group (job, step);
  g_autofree char *options = axis_options (job, step);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-down", options, "gaussian_down_y");
  pass_weights (&launch, step);
  capra_launch_value (&launch, &job->y, sizeof job->y);
  capra_launch_uint (&launch, (guint32) width);
  return capra_launch_run (&launch, 3,
                           (const gsize[]) { width, (count + outs - 1) / outs * HIGH, job->shape->depth },
                           (const gsize[]) { WIDE, HIGH, 1 }, moved_bytes (job), error);
}

static gboolean
run_tile (const Job *job, GError **error)
{
  enum { GROUP = 256, STEP = 4, MOST_ROWS = 96 };
  const CapraGaussianStep *x = &job->steps[0], *y = &job->steps[1];
  guint channels = job->shape->channels;
  int pixels = channels == 1 ? 2 : 1, outs = outs_of_item (channels, x->factor);
  gsize cells = (gsize) ((GROUP * pixels / x->factor - (x->taps - 1)) / outs * outs), strips = 0, rows = 0;
  gsize columns = ((gsize) x->count + cells - 1) / cells, high = (gsize) y->count;
  gsize groups = 3 * MAX (capra_device_get_info (job->input->context->device)->compute_units, 1);
  const CapraGaussianSpan *s = &job->x;
  gboolean aligned = channels == 1 && s->first % 2 == 0 && s->source % 2 == 0 && s->n_source % 2 == 0
                     && s->length % 2 == 0;
  g_autofree char *options
    = g_strdup_printf ("-DIN=%s -DCHANNELS=%u -DD=%d -DTAPS=%d -DDY=%d -DKY=%d -DALIGNED=%d -DGROUP=%d -DSTEP=%d "
                       "-DMOST_ROWS=%d", capra_launch_type (job->shape->type), channels, x->factor, x->taps,
                       y->factor, y->taps, aligned, GROUP, STEP, MOST_ROWS);
  CapraLaunch launch;

  /* As many groups as run at once, since each repeats the rows before its first sum. */
  strips = MAX (groups / (columns * job->shape->depth), 1);
  rows = MIN (((high + strips - 1) / strips + STEP - 1) / STEP * STEP, MOST_ROWS);
  begin (&launch, job, "gaussian-down-tile", options, "gaussian_down_tile");
  pass_weights (&launch, x);
  pass_weights (&launch, y);
  capra_launch_value (&launch, &job->x, sizeof job->x);
  capra_launch_value (&launch, &job->y, sizeof job->y);
  capra_launch_int (&launch, (int) rows);
  return capra_launch_run (&launch, 3, (const gsize[]) { columns * GROUP, (high + rows - 1) / rows, job->shape->depth },
                           (const gsize[]) { GROUP, 1, 1 }, moved_bytes (job), error);
}

static CapraArray *
make (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2], gboolean is_x, gboolean is_y,
      gboolean (*run) (const Job *, GError **), GError **error)
{
  CapraShape shape = *capra_array_get_shape (input);
  Job job = { .input = input, .shape = capra_array_get_shape (input), .steps = steps,
              .x = capra_gaussian_span (&axes[0], &steps[0]), .y = capra_gaussian_span (&axes[1], &steps[1]) };
  g_autoptr(CapraArray) output = NULL;

  shape.type = CAPRA_F32;
  if (is_x)
    shape.width = (gsize) steps[0].count;
  if (is_y)
    shape.height = (gsize) steps[1].count;
  output = job.output = capra_array_new_uninitialized (input->context, &shape, error);
  if (!output || !run (&job, error))
    return NULL;
  return g_steal_pointer (&output);
}

CapraArray *
capra_gaussian_down (CapraArray *input, const CapraAxis axes[2], const CapraGaussianStep steps[2],
                     GError **error)
{
  g_autoptr(CapraArray) narrow = NULL;
  gboolean is_x = steps[0].factor > 1, is_y = steps[1].factor > 1;

  if (is_x && is_y && MAX (steps[0].factor, steps[1].factor) <= CLOSE)
    return make (input, axes, steps, TRUE, TRUE, run_tile, error);
  narrow = is_x ? make (input, axes, steps, TRUE, FALSE, run_x, error) : capra_array_ref (input);
  if (!narrow || !is_y)
    return g_steal_pointer (&narrow);
  return make (narrow, axes, steps, FALSE, TRUE, run_y, error);
}
