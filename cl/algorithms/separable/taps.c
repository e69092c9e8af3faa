/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Taps: weighted sums along one axis. */
#include <string.h>

#include "algorithms/separable/taps.h"
#include "runtime/launch/tuning.h"

#define CONSTANT_WEIGHTS (65536 / sizeof (float))
/* Outputs of a work-item of kernels/taps-group-rows.cl. */
#define TILED_VALUES 8
/* The work-items of a group of kernels/taps-group-columns.cl. */
#define TALL_GROUP 128
/* Weights that both of these hold at a time, and that they sum plainly; kernels/taps-group.clh and taps.clh. */
#define PART 256
#define CHUNK 64

static CapraTaps *
taps_alloc (gint64 first, gint64 count)
{
  CapraTaps *taps = g_new0 (CapraTaps, 1);

  taps->first = (int) first;
  taps->count = (int) count;
  taps->weights = g_new0 (float, (gsize) count);
  return taps;
}

void
capra_taps_free (CapraTaps *taps)
{
  g_free (taps->weights);
  g_free (taps);
}

/* Wrap and mirror repeat after @period: weights that far apart meet the same sample. They begin where they lie, also
 * before the axis' first sample, since kernels are fastest where all positions are the axis' own. */
static CapraTaps *
fold_periodic (const CapraAxis *axis, gint64 left, gint64 right, gint64 period, CapraWeightSum sum,
               gconstpointer filter)
{
  gint64 reach = left + right + 1, count = MIN (reach, period);
  gint64 first = ((axis->result % period) + period) % period - left % period;
  CapraTaps *taps = taps_alloc (first, count);

  for (gint64 k = 0; k < count; k++)
    taps->weights[k] = (float) sum (filter, k - left, period, (reach - 1 - k) / period + 1);
  return taps;
}

/* Offsets that lead every output beyond the same end of the axis meet its edge, or nothing. Which these are follows
 * from the axis, not from the outputs asked for, so that sums are made in the same order for every part of an image;
 * but for outputs beyond an axis shorter than the filter's reach. */
static CapraTaps *
fold_ends (const CapraAxis *axis, gint64 left, gint64 right, CapraWeightSum sum, gconstpointer filter)
{
  gint64 begin = axis->result, last = begin + (gint64) (axis->n_result - 1) * axis->stride;
  gboolean clamp = axis->border == CAPRA_BORDER_CLAMP, short_axis = MAX (left, right) >= axis->length;
  gint64 low = -left, high = right;
  CapraTaps *taps = NULL;

  if (short_axis && begin >= 0 && last < axis->length)
    begin = 0, last = axis->length - 1;
  if (short_axis)
    low = MAX (-left, -last), high = MIN (right, (gint64) axis->length - 1 - begin);

  if (low > high && !clamp)
    return taps_alloc (axis->result - left, 1); /* all outputs lie too far outside */

  low = MIN (low, right);
  high = MAX (high, -left);
  if (low > high) /* all outputs lie beyond one end */
    low = high = last < 0 ? right : -left;
  taps = taps_alloc (axis->result + low, high - low + 1);
  for (gint64 o = low; o <= high; o++)
    {
      gint64 from = clamp && o == low ? -left : o, to = clamp && o == high ? right : o;

      taps->weights[o - low] = (float) sum (filter, from, 1, to - from + 1);
    }
  return taps;
}

CapraTaps *
capra_taps_new (const CapraAxis *axis, gint64 left, gint64 right, CapraWeightSum sum, gconstpointer filter)
{
  if (axis->border == CAPRA_BORDER_WRAP)
    return fold_periodic (axis, left, right, axis->length, sum, filter);
  if (axis->border == CAPRA_BORDER_MIRROR)
    return fold_periodic (axis, left, right, axis->length > 1 ? 2 * (gint64) axis->length : 1, sum, filter);
  return fold_ends (axis, left, right, sum, filter);
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
  return capra_axis_is_whole (axis) && taps->count == 1 && taps->weights[0] == 1.0f
         && (taps->first == axis->result || axis->length == 1);
}

const char *
capra_taps_space (gsize count)
{
  return count <= CONSTANT_WEIGHTS ? "__constant" : "__global";
}

void
capra_taps_pass_weights (CapraLaunch *launch, const float *weights, gsize count, CapraArray **array)
{
  CapraShape shape = CAPRA_SHAPE_2D (count, 1, CAPRA_F32);

  if (count <= CONSTANT_WEIGHTS)
    {
      capra_launch_constants (launch, weights, count * sizeof *weights);
      return;
    }
  if (!launch->error)
    *array = capra_array_new_from_data (launch->context->device, &shape, weights, &launch->error);
  if (*array)
    capra_launch_read (launch, *array);
}

/* taps_t of kernels/taps.clh. */
typedef struct {
  cl_int taps, length, source, n_source, first, n_result, border;
  cl_float offset;
} CapraTapsAxis;

/* Which kernel runs along @axis, and with what. */
typedef struct {
  const char *program, *kernel;
  char *options;
  guint dimensions;
  gsize global[3], local[3];
} Variant;

static void
choose_cpu (CapraArray *input, const CapraAxis *axis, const char *common, Variant *variant)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gsize slabs = capra_axis_slabs (shape, axis->number), n = (gsize) axis->n_result;
  gsize rows = (gsize) capra_tuning_get_int (input->context->device, "taps.rows", 4);
  gsize values = (gsize) CLAMP (capra_tuning_get_int (input->context->device, "taps.values", 64), 16, 128) / 16 * 16;

  if (capra_axis_is_row (shape, axis->number))
    *variant = (Variant){
      "taps-vector-rows",
      "taps_vector_rows",
      g_strdup_printf ("%s -DCHANNELS=%u -DVALUES=%zu", common, shape->channels, values),
      2,
      { (n * shape->channels + values - 1) / values, slabs },
      { 16, 1 },
    };
  else
    *variant = (Variant){
      "taps-vector-columns",
      "taps_vector_columns",
      g_strdup_printf ("%s -DROWS=%d", common, (int) rows),
      3,
      { (capra_axis_pitch (shape, axis->number) + 15) / 16, (n + rows - 1) / rows, slabs },
      { 64, 1, 1 },
    };
}

static void
choose_tiled (CapraArray *input, const CapraAxis *axis, int taps, const char *common, Variant *variant)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gsize unit = TILED_VALUES * shape->channels; /* what groups are a multiple of */
  gsize wanted = (gsize) CLAMP (capra_tuning_get_int (input->context->device, "taps.group-size", 64), 64, 256);
  gsize group = (wanted + unit - 1) / unit * unit, pixels = group / shape->channels * TILED_VALUES;

  *variant = (Variant){
    "taps-group-rows",
    "taps_group_rows",
    g_strdup_printf ("%s -DCHANNELS=%u -DGROUP=%zu%s", common, shape->channels, group, taps > PART ? " -DLONG" : ""),
    2,
    { ((gsize) axis->n_result + pixels - 1) / pixels * group, capra_axis_slabs (shape, axis->number) },
    { group, 1 },
  };
}

/* Groups lie flat where there are few outputs. */
static void
choose_tall (CapraArray *input, const CapraAxis *axis, int taps, const char *common, Variant *variant)
{
  CapraDevice *device = input->context->device;
  const CapraShape *shape = capra_array_get_shape (input);
  gsize pitch = capra_axis_pitch (shape, axis->number), lanes = pitch % 2 || taps > PART ? 1 : 2;
  gsize n = (gsize) axis->n_result, rows = (gsize) CLAMP (capra_tuning_get_int (device, "taps.group-rows", 16), 4, 24);
  gsize wanted = (gsize) CLAMP (capra_tuning_get_int (device, "taps.group-width", 32), 16, TALL_GROUP);
  gboolean flat = n < rows * TALL_GROUP / wanted * 2;
  gsize across = flat ? MAX (wanted, 64) : wanted, down = flat ? 1 : TALL_GROUP / wanted;
  const char *length = taps > PART ? " -DLONG" : taps <= CHUNK ? " -DPLAIN" : "";

  *variant = (Variant){
    "taps-group-columns",
    "taps_group_columns",
    g_strdup_printf ("%s -DVEC=%zu -DROWS=%zu -DGROUP_X=%zu -DGROUP_Y=%zu%s", common, lanes, rows, across, down,
                     length),
    3,
    { pitch / lanes, (n + rows - 1) / rows, capra_axis_slabs (shape, axis->number) },
    { across, down, 1 },
  };
}

static void
choose_variant (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, Variant *variant)
{
  CapraType type = capra_array_get_shape (input)->type;
  gboolean cpu = !strcmp (capra_tuning_get_word (input->context->device, "taps.variant", "group"), "vector");
  g_autofree char *common = g_strdup_printf ("-DIN=%s%s -DWEIGHTS=%s", capra_launch_type (type),
                                             type == CAPRA_F32 ? " -DREAL" : "",
                                             capra_taps_space ((gsize) taps->count));

  if (cpu)
    choose_cpu (input, axis, common, variant);
  else if (capra_axis_is_row (capra_array_get_shape (input), axis->number))
    choose_tiled (input, axis, taps->count, common, variant);
  else
    choose_tall (input, axis, taps->count, common, variant);
}

CapraArray *
capra_taps_run (CapraArray *input, const CapraAxis *axis, const CapraTaps *taps, float offset, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape result = capra_axis_shape (shape, axis->number, axis->n_result);
  CapraTapsAxis value = { taps->count, axis->length,   axis->source, axis->n_source,
                          taps->first, axis->n_result, axis->border, offset };
  g_autoptr (CapraArray) output = capra_array_new_uninitialized (input->context, &result, error);
  g_autoptr (CapraArray) long_weights = NULL;
  CapraLaunch launch;
  Variant variant;

  if (!output)
    return NULL;

  choose_variant (input, axis, taps, &variant);
  capra_launch_begin (&launch, input->context, variant.program, variant.options, variant.kernel);
  g_free (variant.options);
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_taps_pass_weights (&launch, taps->weights, (gsize) taps->count, &long_weights);
  if (!capra_axis_is_row (shape, axis->number))
    capra_launch_ulong (&launch, capra_axis_pitch (shape, axis->number));
  capra_launch_value (&launch, &value, sizeof value);
  if (!capra_launch_run (&launch, variant.dimensions, variant.global, variant.local,
                         capra_shape_bytes (shape) + capra_shape_bytes (&result), error))
    return NULL;
  return g_steal_pointer (&output);
}
