/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: C. Li, P. Tam 1998, an iteration over bins instead of pixels.
 *
 * Each step needs the means of the values below and above the current threshold. They come from bins, each with the
 * number and the mean of its values. When the iteration ends, one more pass divides the bin of the threshold into
 * smaller ones. In a small image, where the iteration can get stuck between two values, that is done at every step. As
 * in scikit-image, the iteration ends when a step is at most half the smallest gap between two different values. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/common/fill.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"
#include "algorithms/threshold/threshold-finders.h"
#include "algorithms/threshold/threshold-position.h"

/* Values a group, so that its sums do not overflow: they have 32 bits in the variant `group`, 40 in `vector`. */
#define MAX_GROUP_VALUES 65536
#define MAX_VECTOR_VALUES (1u << 23)
#define MAX_STEPS 1000
/* Divisions in a large image, where one or two are usual. */
#define MAX_DIVISIONS 6
/* Up to this number of values a pass takes almost no time. */
#define SMALL_IMAGE (1u << 18)
/* Values that are searched for distinct levels first; in a noisy image that suffices to find too many. */
#define SAMPLE (1u << 17)
/* Of images of whole numbers. */
#define MAX_WHOLE_STEPS 10000
#define WHOLE_TOLERANCE 0.5

/* Values between @begin and @begin + @width, relative to the smallest value of the image. */
typedef struct {
  double begin, width, mean, count;
} Bin;

/* Words of the residuals (histogram-params.h), added up on the host. */
typedef struct {
  guint64 words[RESIDUAL_WORDS];
} Residuals;

/* Adds the residuals of a band. */
static gboolean
residuals_add (Residuals *residuals, CapraArray *input, const CapraPositionScale *scale, double first, double zoom,
               GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", MAX_VECTOR_VALUES);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  g_autofree guint32 *words = g_new (guint32, RESIDUAL_WORDS);
  g_autoptr (CapraArray) array = capra_array_new (input->context->device,
                                                  &CAPRA_SHAPE_2D (RESIDUAL_WORDS, 1, CAPRA_U32), error);
  CapraLaunch launch;

  if (!array)
    return FALSE;
  if (!reduction.single)
    reduction = capra_reduction_divide (input, "histogram.variant", MAX_GROUP_VALUES);
  capra_launch_begin (&launch, input->context, reduction.single ? "residuals-vector" : "residuals-group", options,
                      "residuals");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_position_scale_arguments (&launch, scale);
  capra_launch_float (&launch, (float) first);
  capra_launch_float (&launch, (float) zoom);
  capra_launch_write (&launch, array);
  if (!capra_reduction_run (&launch, input, &reduction, error)
      || !capra_array_download_first (array, words, RESIDUAL_WORDS * sizeof *words, error))
    return FALSE;
  for (guint i = 0; i < RESIDUAL_WORDS; i++)
    residuals->words[i] += words[i];
  return TRUE;
}

typedef struct {
  const CapraPositionScale *scale;
  double first, zoom;
  Residuals *residuals; /* of the parts */
} ResidualSearch;

/* A CapraBandPartFunc. */
static gboolean
residuals_add_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const ResidualSearch *search = data;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || !residuals_add (&search->residuals[index], band, search->scale, search->first, search->zoom, error))
        return FALSE;
    }
  return TRUE;
}

/* Bins of the values whose position, in [0, RESIDUAL_BINS], is between @first and @first + RESIDUAL_BINS / @zoom. */
static GArray *
bins_find (const CapraBandSource *input, double min, double max, double first, double zoom, GError **error)
{
  CapraPositionScale scale = capra_position_scale (input->shape.type, min, max, RESIDUAL_BINS);
  double unit = 1 / ((double) scale.scale * scale.pre);
  guint n = capra_band_source_get_n_parts (input);
  g_autofree Residuals *residuals = g_new0 (Residuals, n);
  ResidualSearch search = { &scale, first, zoom, residuals };
  GArray *bins = NULL;

  if (!capra_band_source_run (input, residuals_add_part, &search, error))
    return NULL;
  for (guint k = 1; k < n; k++)
    for (guint i = 0; i < RESIDUAL_WORDS; i++)
      residuals->words[i] += residuals[k].words[i];
  bins = g_array_new (FALSE, FALSE, sizeof (Bin));
  for (guint i = 0; i < RESIDUAL_BINS; i++)
    {
      double count = residuals->words[i];
      double sum = residuals->words[RESIDUAL_LOW + i] + 65536.0 * residuals->words[RESIDUAL_HIGH + i];
      double begin = first + i / zoom;
      Bin bin = { begin * unit, unit / zoom, (begin + sum / ((double) RESIDUAL_STEPS * zoom * count)) * unit, count };

      if (count > 0)
        g_array_append_val (bins, bin);
    }
  return bins;
}

/* Divides the bin that contains @value, if there is one that is not divided yet; @divided is set accordingly. */
static gboolean
bins_divide (const CapraBandSource *input, double min, double max, GArray *bins, double value, gboolean *divided,
             GError **error)
{
  g_autoptr (GArray) parts = NULL;
  Bin bin = { 0 };
  guint i = 0;

  for (i = 0; i < bins->len; i++)
    {
      bin = g_array_index (bins, Bin, i);
      if (value < bin.begin + bin.width)
        break;
    }
  *divided = i < bins->len && value >= bin.begin && bin.width > 0.5 * (max - min) / RESIDUAL_BINS;
  if (!*divided)
    return TRUE;

  parts = bins_find (input, min, max, round (bin.begin / bin.width), RESIDUAL_BINS, error);
  if (!parts)
    return FALSE;
  g_array_remove_index (bins, i);
  g_array_insert_vals (bins, i, parts->data, parts->len);
  return TRUE;
}

/* One step of the iteration. A bin belongs to the upper class if its mean exceeds @value by more than the rounding of
 * positions. */
static double
li_step (const GArray *bins, double value, double range)
{
  double n[2] = { 0, 0 }, sum[2] = { 0, 0 }, below, above;

  for (guint i = 0; i < bins->len; i++)
    {
      const Bin *bin = &g_array_index (bins, Bin, i);
      int upper = bin->mean > value + 3e-7 * range;

      n[upper] += bin->count;
      sum[upper] += bin->count * bin->mean;
    }
  if (n[0] == 0 || n[1] == 0)
    return value;
  below = sum[0] / n[0];
  above = sum[1] / n[1];
  return (below - above) / (log (below) - log (above));
}

/* A pass of levels.cl over part of @input. */
static gboolean
levels_pass (CapraArray *input, const char *kernel, const CapraPositionScale *scale, guint64 skip, guint64 count,
             CapraArray *table, CapraArray *mixed, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  CapraLaunch launch;

  reduction.count = count;
  reduction.groups = MAX (1, (count / reduction.vector + reduction.chunk - 1) / reduction.chunk);
  capra_launch_begin (&launch, input->context, "levels", options, kernel);
  capra_reduction_arguments (&launch, input, &reduction);
  capra_position_scale_arguments (&launch, scale);
  capra_launch_ulong (&launch, skip);
  if (mixed)
    {
      capra_launch_read (&launch, table);
      capra_launch_write (&launch, mixed);
    }
  else
    capra_launch_write (&launch, table);
  return capra_reduction_run (&launch, input, &reduction, error);
}

/* The smallest gap among the values in @table, whose empty slots hold the key of the smallest value. */
static double
levels_gap (CapraType type, const guint32 *table, double min, double max)
{
  double last = min, gap = max - min;

  for (guint i = 1; i < LEVELS; i++)
    {
      double value = capra_order_key_to_value (type, table[i]);

      if (value == min)
        continue;
      gap = MIN (gap, value - last);
      last = value;
    }
  return gap;
}

/* The search for distinct values. */
typedef struct {
  const CapraPositionScale *scale;
  guint32 empty;           /* the key in slots without a value */
  guint64 sample;          /* values of each band that are used, those in its middle */
  guint32 (*keys)[LEVELS]; /* of the slots of each part */
  guint32 *mixed;          /* for each part: set if two values share a slot */
} LevelSearch;

/* A CapraBandPartFunc: both passes. */
static gboolean
levels_find (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  static const char *const kernels[] = { "levels_mark", "levels_check" };
  const LevelSearch *search = data;
  CapraContext *context = capra_context_get (part->device, error);
  g_autoptr (CapraArray) table = context ? capra_array_new_uninitialized (context,
                                                                          &CAPRA_SHAPE_2D (LEVELS, 1, CAPRA_U32), error)
                                         : NULL;
  g_autoptr (CapraArray) mixed = table ? capra_array_new (part->device, &CAPRA_SHAPE_2D (1, 1, CAPRA_U32), error)
                                       : NULL;

  if (!mixed || !capra_array_fill (table, search->empty, error))
    return FALSE;
  for (guint pass = 0; pass < G_N_ELEMENTS (kernels); pass++)
    for (gsize i = 0; i < capra_band_source_count (part); i++)
      {
        g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);
        guint64 count = band ? capra_shape_count (&band->shape) : 0, used = MIN (count, search->sample);

        if (!band
            || !levels_pass (band, kernels[pass], search->scale, (count - used) / 2 / 64 * 64, used, table,
                             pass == 0 ? NULL : mixed, error))
          return FALSE;
      }
  return capra_array_download_first (mixed, &search->mixed[index], sizeof (guint32), error)
         && (search->mixed[index]
             || capra_array_download_first (table, search->keys[index], LEVELS * sizeof (guint32), error));
}

/* Joins the slots of all parts. Returns whether two values share a slot. */
static gboolean
levels_join (const LevelSearch *search, guint n)
{
  for (guint k = 0; k < n; k++)
    if (search->mixed[k])
      return TRUE;
  for (guint k = 1; k < n; k++)
    for (guint i = 0; i < LEVELS; i++)
      {
        guint32 *all = &search->keys[0][i], key = search->keys[k][i];

        if (key == search->empty)
          continue;
        if (*all != search->empty && *all != key)
          return TRUE;
        *all = key;
      }
  return FALSE;
}

/* The smallest gap between two values of @input; 0 if it is below a 65536th of their range. */
static gboolean
gap_find (const CapraBandSource *input, double min, double max, double *gap, GError **error)
{
  CapraPositionScale scale = capra_position_scale (input->shape.type, min, max, LEVELS);
  guint n = capra_band_source_get_n_parts (input);
  guint64 count = capra_shape_count (&input->shape);
  g_autofree gpointer keys = g_malloc (n * LEVELS * sizeof (guint32));
  g_autofree guint32 *mixed = g_new0 (guint32, n);
  LevelSearch search = { &scale, capra_order_key_from_value (input->shape.type, min), MIN (count, SAMPLE), keys,
                         mixed };

  *gap = 0;
  for (;;)
    {
      if (!capra_band_source_run (input, levels_find, &search, error))
        return FALSE;
      if (levels_join (&search, n))
        return TRUE;
      if (search.sample == count)
        break;
      search.sample = count;
    }
  *gap = levels_gap (input->shape.type, search.keys[0], min, max);
  return TRUE;
}

gboolean
capra_li_moments (const CapraBandSource *input, const CapraMoments *moments, double *value, GError **error)
{
  double min = moments->min, max = moments->max, mean = moments->mean;
  gboolean small = capra_shape_count (&input->shape) <= SMALL_IMAGE, divided = FALSE;
  double range = max - min, gap, now = mean - min;
  g_autoptr (GArray) bins = NULL;
  guint divisions = 0;

  if (capra_shape_count (&input->shape) > G_MAXUINT32)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _ ("the threshold method \"li\" is limited to 4294967295 values: choose another one"));
      return FALSE;
    }
  if (!gap_find (input, min, max, &gap, error))
    return FALSE;
  bins = bins_find (input, min, max, 0, 1, error);
  if (!bins)
    return FALSE;

  for (guint step = 0; step < MAX_STEPS; step++)
    {
      double next;

      if (small && !bins_divide (input, min, max, bins, now, &divided, error))
        return FALSE;
      next = li_step (bins, now, range);
      if (fabs (next - now) > MAX (gap / 2, 1e-10 * range))
        {
          now = next;
          continue;
        }
      divided = FALSE;
      if (!small && divisions++ < MAX_DIVISIONS && !bins_divide (input, min, max, bins, now, &divided, error))
        return FALSE;
      if (!divided)
        {
          *value = next + min;
          return TRUE;
        }
      now = mean - min;
    }
  *value = now + min;
  return TRUE;
}

double
capra_li_whole (const CapraWholeHistogram *histogram)
{
  CapraValueClass all = capra_whole_histogram_sum (histogram);
  double now = -2 * WHOLE_TOLERANCE, next;

  all.sum -= all.count * histogram->least;
  next = all.sum / all.count;
  for (guint step = 0; step < MAX_WHOLE_STEPS && fabs (next - now) > WHOLE_TOLERANCE; step++)
    {
      CapraValueClass below = { 0, 0 };
      double low, high;

      now = next;
      for (gsize i = 0; i < histogram->bins && (double) i <= now; i++)
        {
          below.count += histogram->counts[i];
          below.sum += (double) histogram->counts[i] * (double) i;
        }
      low = below.sum / below.count;
      high = (all.sum - below.sum) / (all.count - below.count);
      next = low > 0 ? (low - high) / (log (low) - log (high)) : 0;
    }
  return next + histogram->least;
}
