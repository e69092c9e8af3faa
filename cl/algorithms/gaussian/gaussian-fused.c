/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Weighted sums along y and x in one pass; launches gaussian-strip.cl and gaussian-vector.cl. */
#include <string.h>

#include "algorithms/common/color-steps.h"
#include "algorithms/gaussian/gaussian-fused.h"
#include "runtime/device/tuning.h"

/* Strips repeat the rows before their first sum. They should have three times as many rows, or this many. */
#define LONG_STRIP 48

void
capra_gaussian_step_clear (CapraGaussianStep *step)
{
  g_clear_pointer (&step->weights, g_free);
}

gboolean
capra_gaussian_uses_groups (CapraDevice *device)
{
  return !strcmp (capra_tuning_get_word (device, "gaussian.variant", "group"), "group");
}

gboolean
capra_gaussian_converts (CapraArray *input, const CapraConversion *conversion)
{
  return !capra_gaussian_uses_groups (input->context->device)
         && capra_color_fuses (capra_array_get_shape (input), conversion);
}

int
capra_gaussian_strip (CapraDevice *device, gint64 rows, int step, int halo, gint64 columns, gint64 planes)
{
  gint64 pieces = capra_tuning_get_int (device, "gaussian.strips", 4)
                  * (gint64) MAX (capra_device_get_info (device)->compute_units, 1);
  gint64 strips = MAX ((pieces + columns * planes - 1) / (columns * planes), 1);
  gint64 strip = MAX ((rows + strips - 1) / strips, halo);

  return (int) MIN ((strip + step - 1) / step * step, G_MAXINT32 / 16);
}

CapraGaussianAxis
capra_gaussian_axis (const CapraAxis *axis, const CapraGaussianStep *step)
{
  return (CapraGaussianAxis){ axis->length, axis->source, axis->n_source, axis->border, step->first, step->count };
}

static gboolean
is_padded (const CapraGaussianStep steps[2])
{
  return steps[0].padding > 0 || steps[1].padding > 0;
}

const char *
capra_gaussian_padded_option (const CapraGaussianStep steps[2])
{
  return is_padded (steps) ? " -DPADDED" : "";
}

void
capra_gaussian_pass_unpadded (CapraLaunch *launch, const CapraGaussianStep steps[2])
{
  int counts[] = { steps[0].taps - 2 * steps[0].padding, steps[1].taps - 2 * steps[1].padding };
  g_autofree float *weights = NULL;

  if (!is_padded (steps))
    return;
  weights = g_new (float, (gsize) (counts[0] + counts[1]));
  memcpy (weights, steps[0].weights + steps[0].padding, sizeof *weights * (gsize) counts[0]);
  memcpy (weights + counts[0], steps[1].weights + steps[1].padding, sizeof *weights * (gsize) counts[1]);
  capra_launch_constants (launch, weights, sizeof *weights * (gsize) (counts[0] + counts[1]));
  capra_launch_int (launch, counts[0]);
  capra_launch_int (launch, counts[1]);
}

typedef struct {
  const CapraAxis *axes;
  const CapraGaussianStep *steps;
  const CapraShape *shape;
  CapraArray *input, *output;
  const CapraConversion *conversion; /* (nullable): of the input, in the vector variant */
} Job;

static char *
common_options (const Job *job)
{
  return g_strdup_printf ("-DCHANNELS=%u -DKX=%d -DKY=%d%s", job->shape->channels, job->steps[0].taps,
                          job->steps[1].taps, capra_gaussian_padded_option (job->steps));
}

/* The group variant gets half of the weights, which are symmetric, by value. */
static void
pass_common (CapraLaunch *launch, const Job *job, gboolean uses_groups, CapraGaussianAxis *x, CapraGaussianAxis *y)
{
  capra_launch_read (launch, job->input);
  capra_launch_write (launch, job->output);
  for (int i = 0; i < 2; i++)
    {
      gsize count = (gsize) (job->steps[i].taps * job->steps[i].factor);

      if (uses_groups)
        capra_launch_value (launch, job->steps[i].weights, sizeof (float) * ((count + 1) / 2));
      else
        capra_launch_constants (launch, job->steps[i].weights, sizeof (float) * count);
    }
  capra_launch_value (launch, x, sizeof *x);
  capra_launch_value (launch, y, sizeof *y);
}

static guint64
job_bytes (const Job *job)
{
  return capra_shape_bytes (job->shape) + capra_shape_bytes (capra_array_get_shape (job->output));
}

static gboolean
run_group (const Job *job, GError **error)
{
  const CapraGaussianStep *steps = job->steps;
  CapraContext *context = job->input->context;
  int channels = (int) job->shape->channels, group = channels == 1 ? 64 : 128;
  /* Rows begin at a multiple of the pixels of a work-item, if those of the input do. */
  int shift = (steps[0].first - job->axes[0].source) & (GAUSSIAN_STRIP_PIXELS (channels) - 1);
  int outputs = GAUSSIAN_STRIP_OUTPUTS (group, channels, shift, steps[0].taps);
  CapraGaussianAxis x = capra_gaussian_axis (&job->axes[0], &steps[0]);
  CapraGaussianAxis y = capra_gaussian_axis (&job->axes[1], &steps[1]);
  gsize columns = (gsize) (x.count + outputs - 1) / (gsize) outputs;
  int rows = capra_gaussian_strip (context->device, y.count, GAUSSIAN_STRIP_STEP,
                                   MIN (3 * (steps[1].taps - 1), LONG_STRIP), (gint64) columns,
                                   (gint64) job->shape->depth);
  gsize global[] = { columns * (gsize) group, (gsize) ((y.count + rows - 1) / rows), job->shape->depth };
  gsize local[] = { (gsize) group, 1, 1 };
  g_autofree char *common = common_options (job);
  g_autofree char *options = g_strdup_printf ("%s -DIN=%s -DSHIFT=%d -DGROUP=%d", common,
                                              capra_launch_type (job->shape->type), shift, group);
  CapraLaunch launch;
  int aligned = 0;

  x.first -= shift;
  aligned = (x.first - x.source) * (gint64) job->shape->channels % 4 == 0
            && (gint64) x.n_source * job->shape->channels % 4 == 0;
  capra_launch_begin (&launch, context, "gaussian-strip", options, "gaussian_strip");
  pass_common (&launch, job, TRUE, &x, &y);
  capra_launch_int (&launch, rows);
  capra_launch_int (&launch, aligned);
  capra_gaussian_pass_unpadded (&launch, steps);
  return capra_launch_run (&launch, 3, global, local, job_bytes (job), error);
}

static gboolean
run_vector (const Job *job, GError **error)
{
  const CapraGaussianStep *steps = job->steps;
  CapraContext *context = job->input->context;
  gsize outputs = (gsize) GAUSSIAN_VECTOR_PIXELS (job->shape->channels) / (gsize) steps[0].factor;
  CapraGaussianAxis x = capra_gaussian_axis (&job->axes[0], &steps[0]);
  CapraGaussianAxis y = capra_gaussian_axis (&job->axes[1], &steps[1]);
  gsize columns = ((gsize) x.count + outputs - 1) / outputs;
  int rows = capra_gaussian_strip (context->device, y.count, 1, 4 * (steps[1].taps - 1), (gint64) columns,
                                   (gint64) job->shape->depth);
  gsize global[] = { columns, (gsize) ((y.count + rows - 1) / rows), job->shape->depth };
  g_autofree char *common = common_options (job);
  g_autofree char *options = g_strdup_printf (
    "%s %s -DDX=%d -DDY=%d", common, capra_color_rows_option (job->shape->type), steps[0].factor, steps[1].factor);
  CapraLaunch launch;

  capra_launch_begin (&launch, context, "gaussian-vector", options, "gaussian_vector");
  pass_common (&launch, job, FALSE, &x, &y);
  capra_launch_int (&launch, rows);
  capra_color_rows_pass (&launch, job->shape->type, job->conversion);
  for (int i = 0; i < 2 && is_padded (steps); i++)
    capra_launch_int (&launch, steps[i].padding);
  return capra_launch_run (&launch, 3, global, (const gsize[]){ 1, 1, 1 }, job_bytes (job), error);
}

CapraArray *
capra_gaussian_fused (CapraArray *input, const CapraConversion *conversion, const CapraAxis axes[2],
                      const CapraGaussianStep steps[2], GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape result = *shape;
  g_autoptr (CapraArray) output = NULL;
  Job job = { axes, steps, shape, input, .conversion = conversion };

  result.type = CAPRA_F32;
  result.width = (gsize) steps[0].count;
  result.height = (gsize) steps[1].count;
  output = capra_array_new_uninitialized (input->context, &result, error);
  if (!output)
    return NULL;
  job.output = output;
  if (!(capra_gaussian_uses_groups (input->context->device) ? run_group : run_vector) (&job, error))
    return NULL;
  return g_steal_pointer (&output);
}
