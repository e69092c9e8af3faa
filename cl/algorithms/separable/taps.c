/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Taps: folds a filter's weights by the border rule, chooses a kernel and runs it. */
#include "algorithms/separable/taps.h"
#include "algorithms/separable/taps-params.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/array-transfer.h"

/* OpenCL guarantees constant buffers of 64 KiB. */
#define MAX_CONSTANT_WEIGHTS (65536 / sizeof (float))
/* The work-items of a group of taps-group-columns.cl. */
#define GROUP_COLUMNS_SIZE 128

static CapraTaps *
taps_alloc (const CapraAxis *axis, gint64 first, gint64 count)
{
  CapraTaps *taps = g_new0 (CapraTaps, 1);

  taps->first = (int) first;
  taps->count = (int) count;
  taps->n_result = axis->n_result;
  taps->weights = g_new0 (float, (gsize) count);
  return taps;
}

void
capra_taps_free (CapraTaps *taps)
{
  g_clear_pointer (&taps->next, capra_taps_free);
  g_free (taps->weights);
  g_free (taps);
}

/* Wrap and mirror repeat after @period samples: weights at that distance apply to the same sample and are added up. The
 * first position is within one period of the outputs, since kernels are fastest where positions are inside the axis. */
static CapraTaps *
fold_periodic (const CapraAxis *axis, gint64 left, gint64 right, gint64 period, CapraWeightSum sum,
               gconstpointer filter)
{
  gint64 reach = left + right + 1, count = MIN (reach, period);
  gint64 first = ((axis->result % period) + period) % period - left % period;
  CapraTaps *taps = taps_alloc (axis, first, count);

  for (gint64 k = 0; k < count; k++)
    taps->weights[k] = (float) sum (filter, k - left, period, (reach - 1 - k) / period + 1);
  return taps;
}

/* Farther outside than any output. */
#define FAR ((gint64) 1 << 40)

/* Offsets that lead outside the same end of the axis for every output apply to its edge sample, or to zeros: their
 * weights are added up, or dropped. Which offsets these are depends on the axis and not on the requested outputs, so
 * that every part of an image adds up in the same order: all outputs before the axis count, or all on it, or all behind
 * it. The exception are outputs in two of these ranges, which only volumes have (see split_outputs()). */
static CapraTaps *
fold_ends (const CapraAxis *axis, gint64 left, gint64 right, CapraWeightSum sum, gconstpointer filter)
{
  gint64 begin = axis->result, last = begin + (gint64) (axis->n_result - 1) * axis->stride;
  gboolean clamp = axis->border == CAPRA_BORDER_CLAMP, short_axis = MAX (left, right) >= axis->length;
  gint64 low = -left, high = right;
  CapraTaps *taps = NULL;

  if (short_axis && begin >= 0 && last < axis->length)
    begin = 0, last = axis->length - 1;
  else if (short_axis && last < 0)
    begin = -FAR, last = -1;
  else if (short_axis && begin >= axis->length)
    begin = axis->length, last = FAR;
  if (short_axis)
    low = MAX (-left, -last), high = MIN (right, (gint64) axis->length - 1 - begin);

  if (low > high && !clamp)
    return taps_alloc (axis, axis->result - left, 1); /* all outputs are too far outside */

  low = MIN (low, right);
  high = MAX (high, -left);
  if (low > high) /* all outputs are outside one end */
    low = high = last < 0 ? right : -left;
  taps = taps_alloc (axis, axis->result + low, high - low + 1);
  for (gint64 o = low; o <= high; o++)
    {
      gint64 from = clamp && o == low ? -left : o, to = clamp && o == high ? right : o;

      taps->weights[o - low] = (float) sum (filter, from, 1, to - from + 1);
    }
  return taps;
}

/* Sets @parts to the outputs before, on and behind an axis that is shorter than the filter's reach, as far as there are
 * any; otherwise to all outputs. Returns their number. The results of the parts are put together in images only. */
static guint
split_outputs (const CapraAxis *axis, gint64 reach, CapraAxis parts[3])
{
  const gint64 ends[] = { 0, axis->length, FAR };
  gint64 begin = axis->result, end = begin + axis->n_result;
  guint n = 0;

  parts[0] = *axis;
  if (reach < axis->length || axis->planes > 1 || axis->stride > 1)
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (ends) && begin < end; i++)
    {
      gint64 stop = MIN (end, ends[i]);

      if (begin >= stop)
        continue;
      parts[n] = *axis;
      parts[n].result = (int) begin;
      parts[n++].n_result = (int) (stop - begin);
      begin = stop;
    }
  return n;
}

CapraTaps *
capra_taps_new (const CapraAxis *axis, gint64 left, gint64 right, CapraWeightSum sum, gconstpointer filter)
{
  CapraAxis parts[3];
  CapraTaps *taps = NULL;

  if (axis->border == CAPRA_BORDER_WRAP)
    return fold_periodic (axis, left, right, axis->length, sum, filter);
  if (axis->border == CAPRA_BORDER_MIRROR)
    return fold_periodic (axis, left, right, axis->length > 1 ? 2 * (gint64) axis->length : 1, sum, filter);
  for (guint i = split_outputs (axis, MAX (left, right), parts); i > 0; i--)
    {
      CapraTaps *part = fold_ends (&parts[i - 1], left, right, sum, filter);

      part->next = taps;
      taps = part;
    }
  return taps;
}

typedef struct {
  const double *values;
  int left;
  double scale;
} Weights;

static double
weights_sum (gconstpointer filter, gint64 first, gint64 step, gint64 count)
{
  const Weights *weights = filter;
  double sum = 0.0;

  for (gint64 i = 0; i < count; i++)
    sum += weights->values[weights->left + first + i * step];
  return sum * weights->scale;
}

CapraTaps *
capra_taps_new_weights (const CapraAxis *axis, int left, int right, const double *weights, double scale)
{
  Weights filter = { weights, left, scale };

  return capra_taps_new (axis, left, right, weights_sum, &filter);
}

CapraTaps *
capra_taps_new_identity (const CapraAxis *axis)
{
  const double one = 1.0;

  return capra_taps_new_weights (axis, 0, 0, &one, 1.0);
}

gboolean
capra_taps_is_identity (const CapraTaps *taps, const CapraAxis *axis)
{
  return !taps->next && capra_axis_is_whole (axis) && taps->count == 1 && taps->weights[0] == 1.0f
         && (taps->first == axis->result || axis->length == 1);
}

const char *
capra_taps_space (gsize count)
{
  return count <= MAX_CONSTANT_WEIGHTS ? "__constant" : "__global";
}

void
capra_taps_pass_weights (CapraLaunch *launch, const float *weights, gsize count, CapraArray **array)
{
  CapraShape shape = CAPRA_SHAPE_2D (count, 1, CAPRA_F32);

  if (count <= MAX_CONSTANT_WEIGHTS)
    {
      capra_launch_constants (launch, weights, count * sizeof *weights);
      return;
    }
  if (!launch->error)
    *array = capra_array_new_from_data (launch->context->device, &shape, weights, &launch->error);
  if (*array)
    capra_launch_read (launch, *array);
}

/* Which kernel runs a pass, with which options and work sizes. */
typedef struct {
  const char *program, *kernel;
  char *options;
  guint dimensions;
  gsize global[3], local[3];
} Kernel;

/* A pass to choose a kernel for. */
typedef struct {
  CapraArray *input;
  const CapraShape *shape; /* of the input */
  const CapraAxis *axis;
  int count;           /* weights */
  const char *options; /* that all kernels require */
} Pass;

static void
choose_vector_rows (const Pass *pass, Kernel *kernel)
{
  gsize tuned = (gsize) CLAMP (capra_tuning_get_int (pass->input->context->device, "taps.values", 64), 16, 128);
  gsize values = tuned / 16 * 16;

  *kernel = (Kernel){
    "taps-vector-rows",
    "taps_vector_rows",
    g_strdup_printf ("%s -DCHANNELS=%u -DVALUES=%zu", pass->options, pass->shape->channels, values),
    2,
    { ((gsize) pass->axis->n_result * pass->shape->channels + values - 1) / values,
      capra_axis_slabs (pass->shape, pass->axis->number) },
    { 16, 1 },
  };
}

static void
choose_vector_columns (const Pass *pass, Kernel *kernel)
{
  gsize rows = (gsize) capra_tuning_get_int (pass->input->context->device, "taps.rows", 4);

  *kernel = (Kernel){
    "taps-vector-columns",
    "taps_vector_columns",
    g_strdup_printf ("%s -DROWS=%d", pass->options, (int) rows),
    3,
    { (capra_axis_pitch (pass->shape, pass->axis->number) + 15) / 16, ((gsize) pass->axis->n_result + rows - 1) / rows,
      capra_axis_slabs (pass->shape, pass->axis->number) },
    { 64, 1, 1 },
  };
}

static void
choose_group_rows (const Pass *pass, Kernel *kernel)
{
  gsize channels = pass->shape->channels, unit = TAPS_GROUP_ROWS_OUTPUTS * channels; /* groups are a multiple of it */
  gsize tuned = (gsize) CLAMP (capra_tuning_get_int (pass->input->context->device, "taps.group-size", 64), 64, 256);
  gsize group = (tuned + unit - 1) / unit * unit, pixels = group / channels * TAPS_GROUP_ROWS_OUTPUTS;

  *kernel = (Kernel){
    "taps-group-rows",
    "taps_group_rows",
    g_strdup_printf ("%s -DCHANNELS=%u -DGROUP=%zu%s", pass->options, pass->shape->channels, group,
                     pass->count > TAPS_PART ? " -DLONG" : ""),
    2,
    { ((gsize) pass->axis->n_result + pixels - 1) / pixels * group,
      capra_axis_slabs (pass->shape, pass->axis->number) },
    { group, 1 },
  };
}

/* Where there are few outputs, groups are one row high. */
static void
choose_group_columns (const Pass *pass, Kernel *kernel)
{
  CapraDevice *device = pass->input->context->device;
  gsize pitch = capra_axis_pitch (pass->shape, pass->axis->number);
  gsize vec = pitch % 2 || pass->count > TAPS_PART ? 1 : 2, n = (gsize) pass->axis->n_result;
  gsize rows = (gsize) CLAMP (capra_tuning_get_int (device, "taps.group-rows", 16), 4, 24);
  gsize tuned = (gsize) CLAMP (capra_tuning_get_int (device, "taps.group-width", 32), 16, GROUP_COLUMNS_SIZE);
  gboolean flat = n < rows * GROUP_COLUMNS_SIZE / tuned * 2;
  gsize width = flat ? MAX (tuned, 64) : tuned, height = flat ? 1 : GROUP_COLUMNS_SIZE / tuned;
  const char *length = pass->count > TAPS_PART ? " -DLONG" : pass->count <= TAPS_CHUNK ? " -DPLAIN" : "";

  *kernel = (Kernel){
    "taps-group-columns",
    "taps_group_columns",
    g_strdup_printf ("%s -DVEC=%zu -DROWS=%zu -DGROUP_X=%zu -DGROUP_Y=%zu%s", pass->options, vec, rows, width, height,
                     length),
    3,
    { pitch / vec, (n + rows - 1) / rows, capra_axis_slabs (pass->shape, pass->axis->number) },
    { width, height, 1 },
  };
}

/* The variants of the tuning: the kernels for axes whose samples are neighbors in memory, and for others. The last one
 * is the default. */
static const struct {
  const char *name;
  void (*choose_rows) (const Pass *pass, Kernel *kernel);
  void (*choose_columns) (const Pass *pass, Kernel *kernel);
} variants[] = {
  { "vector", choose_vector_rows, choose_vector_columns },
  { "group", choose_group_rows, choose_group_columns },
};

static void
choose_kernel (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, Kernel *kernel)
{
  const CapraShape *shape = capra_array_get_shape (input);
  const char *name = capra_tuning_get_word (input->context->device, "taps.variant", "group");
  g_autofree char *options = g_strdup_printf ("-DIN=%s%s -DWEIGHTS=%s", capra_launch_type (shape->type),
                                              shape->type == CAPRA_F32 ? " -DREAL" : "",
                                              capra_taps_space ((gsize) taps->count));
  Pass pass = { input, shape, axis, taps->count, options };
  guint v = 0;

  while (v + 1 < G_N_ELEMENTS (variants) && !g_str_equal (name, variants[v].name))
    v++;
  (capra_axis_is_row (shape, axis->number) ? variants[v].choose_rows : variants[v].choose_columns) (&pass, kernel);
}

/* Computes the outputs of @taps, without those of the next ones. */
static CapraArray *
run_part (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, float offset, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape result = capra_axis_shape (shape, axis->number, taps->n_result);
  CapraAxis part = *axis;
  CapraTapsAxis value = { taps->count, axis->length,   axis->source, axis->n_source,
                          taps->first, taps->n_result, axis->border, offset };
  g_autoptr (CapraArray) output = capra_array_new_uninitialized (input->context, &result, error);
  g_autoptr (CapraArray) long_weights = NULL;
  CapraLaunch launch;
  Kernel kernel;

  if (!output)
    return NULL;

  part.n_result = taps->n_result;
  choose_kernel (input, &part, taps, &kernel);
  capra_launch_begin (&launch, input->context, kernel.program, kernel.options, kernel.kernel);
  g_free (kernel.options);
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, taps->weights, (gsize) taps->count, &long_weights);
  if (!capra_axis_is_row (shape, axis->number))
    capra_launch_ulong (&launch, capra_axis_pitch (shape, axis->number));
  capra_launch_value (&launch, &value, sizeof value);
  if (!capra_launch_run (&launch, kernel.dimensions, kernel.global, kernel.local,
                         capra_shape_bytes (shape) + capra_shape_bytes (&result), error))
    return NULL;
  return g_steal_pointer (&output);
}

CapraArray *
capra_taps_run (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, float offset, GError **error)
{
  CapraShape result = capra_axis_shape (capra_array_get_shape (input), axis->number, axis->n_result);
  g_autoptr (CapraArray) output = NULL;
  gsize at = 0;

  if (!taps->next)
    return run_part (input, axis, taps, offset, error);
  output = capra_array_new_uninitialized (input->context, &result, error);
  for (; output && taps; taps = taps->next)
    {
      g_autoptr (CapraArray) part = run_part (input, axis, taps, offset, error);
      const CapraShape *shape = part ? capra_array_get_shape (part) : NULL;

      if (!part
          || !capra_array_copy_rect (output, axis->number == 0 ? at : 0, axis->number == 1 ? at : 0, part, 0, 0,
                                     shape->width, shape->height, error))
        return NULL;
      at += (gsize) taps->n_result;
    }
  return g_steal_pointer (&output);
}
