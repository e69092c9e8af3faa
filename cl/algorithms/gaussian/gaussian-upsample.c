/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upsampling of a small image; launches gaussian-upsample-group.cl and gaussian-upsample-vector.cl. */
#include "algorithms/gaussian/gaussian-upsample.h"

void
capra_gaussian_upsampling_clear (CapraGaussianUpsampling *up)
{
  g_clear_pointer (&up->weights, g_free);
}

static gsize
weight_bytes (const CapraGaussianUpsampling *up)
{
  return sizeof (float) * (gsize) (up->taps * up->factor);
}

/* Groups for each compute unit. More groups repeat more work; fewer hide less latency. */
#define GROUPS 5

/* The macros of the kernel, and the most blocks of a group. */
typedef struct {
  int run, samples, units, rows, most;
} Layout;

static Layout
choose_layout (const CapraDeviceInfo *device, int channels, const CapraGaussianUpsampling *x,
               const CapraGaussianUpsampling *y)
{
  int values = channels * x->factor, bytes; /* outputs of a sample */
  Layout layout = { .samples = 1 };

  while (layout.samples * values % 4 != 0 || layout.samples * values < 12)
    layout.samples *= 2;
  layout.units = (GAUSSIAN_UPSAMPLE_VALUES + layout.samples * values - 2) / (layout.samples * values) + 1;
  bytes = (GAUSSIAN_UPSAMPLE_LOADS (layout.units * layout.samples, x->taps, channels) * GAUSSIAN_UPSAMPLE_LINE
           + layout.units * layout.samples * values + 8)
          * (int) sizeof (float);
  layout.rows = (int) MIN (GAUSSIAN_UPSAMPLE_LINE,
                           device->local_memory / (guint) bytes / GAUSSIAN_UPSAMPLE_WARPS * GAUSSIAN_UPSAMPLE_WARPS);
  layout.run = MIN (y->factor <= 4 ? 3 : 1, layout.rows - y->taps + 1);
  /* With small factors, sums along x are much of the work, so as few as possible should be repeated. */
  layout.most = (layout.rows - y->taps + 1) / layout.run * layout.run;
  if (y->factor > 4)
    layout.most = MIN (layout.most, 16);
  return layout;
}

/* The blocks of a group: fewer where compute units would have too few groups to hide latency. */
static int
blocks_of_group (const CapraDeviceInfo *device, const Layout *layout, int blocks, gsize across)
{
  gint64 strips = MAX (GROUPS * (gint64) MAX (device->compute_units, 1) / (gint64) across, 1);
  int step = GAUSSIAN_UPSAMPLE_WARPS * layout->run;

  return (int) MIN ((blocks + strips * step - 1) / (strips * step) * step, layout->most);
}

static gsize
half_bytes (const CapraGaussianUpsampling *up)
{
  return sizeof (float) * (gsize) ((up->taps * up->factor + 1) / 2);
}

typedef struct {
  CapraArray *small, *output;
  const CapraGaussianUpsampling *x, *y;
  CapraUpsampleAxis axes[2];
  int blocks; /* rows of the small image at which outputs begin */
  gboolean straight;
} Job;

static void
begin (CapraLaunch *launch, const Job *job, const char *program, const char *kernel, const char *more)
{
  g_autofree char *options = g_strdup_printf ("-DCHANNELS=%u -DDX=%d -DDY=%d -DKX=%d -DKY=%d%s",
                                              capra_array_get_shape (job->small)->channels, job->x->factor,
                                              job->y->factor, job->x->taps, job->y->taps, more);

  capra_launch_begin (launch, job->small->context, program, options, kernel);
  capra_launch_read (launch, job->small);
  capra_launch_write (launch, job->output);
}

static gboolean
finish (CapraLaunch *launch, const Job *job, const gsize *global, const gsize *local, GError **error)
{
  return capra_launch_run (launch, 3, global, local,
                           capra_shape_bytes (capra_array_get_shape (job->small))
                             + capra_shape_bytes (capra_array_get_shape (job->output)),
                           error);
}

static gboolean
run_group (const Job *job, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (job->output);
  gsize values = shape->width * shape->channels,
        columns = (values + GAUSSIAN_UPSAMPLE_VALUES - 1) / GAUSSIAN_UPSAMPLE_VALUES;
  const CapraDeviceInfo *device = job->small->context->info;
  Layout layout = choose_layout (device, (int) shape->channels, job->x, job->y);
  int strip = blocks_of_group (device, &layout, job->blocks, columns * shape->depth);
  g_autofree char *more = g_strdup_printf (" -DRUN=%d -DSAMPLES=%d -DUNITS=%d -DROWS=%d -DALIGNED=%d", layout.run,
                                           layout.samples, layout.units, layout.rows, values % 4 == 0);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-upsample-group", "gaussian_upsample_group", more);
  capra_launch_value (&launch, job->x->weights, half_bytes (job->x));
  capra_launch_value (&launch, job->y->weights, half_bytes (job->y));
  capra_launch_value (&launch, &job->axes[0], sizeof job->axes[0]);
  capra_launch_value (&launch, &job->axes[1], sizeof job->axes[1]);
  capra_launch_int (&launch, strip);
  return finish (&launch, job,
                 (const gsize[]){ columns * GAUSSIAN_UPSAMPLE_LINE * GAUSSIAN_UPSAMPLE_WARPS,
                                  (gsize) ((job->blocks + strip - 1) / strip), shape->depth },
                 (const gsize[]){ GAUSSIAN_UPSAMPLE_LINE * GAUSSIAN_UPSAMPLE_WARPS, 1, 1 }, error);
}

static gboolean
run_vector (const Job *job, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (job->small);
  gsize pixels = GAUSSIAN_VECTOR_PIXELS (shape->channels);
  gsize columns = ((gsize) (job->x->phase + job->x->count) + pixels - 1) / pixels;
  int strip = capra_gaussian_strip (job->small->context->device, job->blocks, 1, job->y->factor > 1 ? 16 : 1,
                                    (gint64) columns, (gint64) shape->depth);
  CapraLaunch launch;

  begin (&launch, job, "gaussian-upsample-vector", "gaussian_upsample_vector", "");
  capra_launch_constants (&launch, job->x->weights, weight_bytes (job->x));
  capra_launch_constants (&launch, job->y->weights, weight_bytes (job->y));
  capra_launch_value (&launch, &job->axes[0], sizeof job->axes[0]);
  capra_launch_value (&launch, &job->axes[1], sizeof job->axes[1]);
  capra_launch_int (&launch, strip);
  capra_launch_int (&launch, job->straight);
  return finish (&launch, job, (const gsize[]){ columns, (gsize) ((job->blocks + strip - 1) / strip), shape->depth },
                 (const gsize[]){ 1, 1, 1 }, error);
}

CapraArray *
capra_gaussian_upsample (CapraArray *small, const CapraGaussianUpsampling ups[2], gboolean straight, GError **error)
{
  CapraShape shape = *capra_array_get_shape (small);
  const CapraGaussianUpsampling *x = &ups[0], *y = &ups[1];
  Job job = { small,
              NULL,
              x,
              y,
              { { (int) shape.width, x->phase, x->count }, { (int) shape.height, y->phase, y->count } },
              (int) shape.height - (y->taps - 1),
              straight };
  g_autoptr (CapraArray) output = NULL;

  shape.width = (gsize) x->count;
  shape.height = (gsize) y->count;
  output = capra_array_new_uninitialized (small->context, &shape, error);
  if (!output)
    return NULL;
  job.output = output;
  if (!(capra_gaussian_uses_groups (small->context->device) ? run_group : run_vector) (&job, error))
    return NULL;
  return g_steal_pointer (&output);
}
