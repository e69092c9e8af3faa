/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: rows of the device's table, whole numbers, converted to regions. */
#include <math.h>

#include "algorithms/common/order-key.h"
#include "algorithms/measure/measure-params.h"
#include "algorithms/measure/measure-private.h"

__extension__ typedef unsigned __int128 guint128;
__extension__ typedef __int128 gint128;

static guint128
read_128 (const guint32 *words)
{
  guint128 value = 0;

  for (int i = 3; i >= 0; i--)
    value = value << 32 | words[i];
  return value;
}

static guint64
read_64 (const guint32 *words)
{
  return (guint64) words[1] << 32 | words[0];
}

static void
add_64 (guint32 *all, const guint32 *more)
{
  guint64 sum = read_64 (all) + read_64 (more);

  all[0] = (guint32) sum;
  all[1] = (guint32) (sum >> 32);
}

static void
add_128 (guint32 *all, const guint32 *more)
{
  guint128 sum = read_128 (all) + read_128 (more);

  for (guint i = 0; i < 4; i++)
    all[i] = (guint32) (sum >> (32 * i));
}

void
capra_measure_join_tables (guint32 *all, const guint32 *more, gsize rows, guint row_words, gboolean sums)
{
  if (!sums)
    all[0] = MAX (all[0], more[0]); /* the largest label */
  for (gsize i = 1; i < rows; i++)
    {
      guint32 *row = all + i * row_words;
      const guint32 *other = more + i * row_words;

      for (guint word = ROW_SUM; sums && word < ROW_WORDS; word += 4)
        add_128 (row + word, other + word);
      if (sums)
        continue;
      row[ROW_PIXELS] += other[ROW_PIXELS];
      for (guint word = ROW_NAN; word <= ROW_HIGH; word++)
        row[word] = MAX (row[word], other[word]);
      add_64 (row + ROW_SUM_X, other + ROW_SUM_X);
      add_64 (row + ROW_SUM_Y, other + ROW_SUM_Y);
    }
}

/* Sum and spread of the values, and the weighted centroid. The integers are in units of @unit. */
static void
fill_sums (CapraRegion *region, const CapraMeasurement *measurement, const guint32 *row, double unit)
{
  gint128 sum = read_128 (row + ROW_SUM), area = (gint128) region->area;
  gint128 half = sum < 0 ? -area / 2 : area / 2;
  gint128 mean = (sum + half) / area, rest = sum - mean * area;
  /* The sum of (q - mean)²: both terms may exceed 128 bits, their difference does not. */
  guint128 squares = read_128 (row + ROW_SQUARES) - (guint128) mean * (guint128) (sum + rest);

  region->sum = (double) sum * unit;
  region->mean = region->sum / region->area;
  region->std = sqrt (((double) squares - (double) rest * (double) rest / region->area) / region->area) * unit;
  if (sum != 0)
    {
      region->weighted_centroid_x = (double) (gint128) read_128 (row + ROW_MOMENT_X) / (double) sum
                                    + measurement->origin_x;
      region->weighted_centroid_y = (double) (gint128) read_128 (row + ROW_MOMENT_Y) / (double) sum
                                    + measurement->origin_y;
    }
}

static void
fill_values (CapraRegion *region, const CapraMeasurement *measurement, const guint32 *row)
{
  double unit = 1.0;
  gboolean nan = row[ROW_NAN] != 0;

  /* All of the values were NaN. */
  if (measurement->type == CAPRA_F32 && row[ROW_HIGH] == 0)
    return;

  /* Adding 0 turns -0 into 0: which of them is found depends on the order of work. */
  region->min = capra_order_key_to_value (measurement->type, ~row[ROW_INV_LOW]) + 0.0;
  region->max = capra_order_key_to_value (measurement->type, row[ROW_HIGH]) + 0.0;
  if (nan)
    return;
  if (isinf (region->min) || isinf (region->max))
    {
      if (isfinite (region->min) || isfinite (region->max) || region->min == region->max)
        region->sum = region->mean = isinf (region->max) ? region->max : region->min;
      return;
    }
  if (measurement->type == CAPRA_F32)
    {
      int exponent = 0;

      /* The exponent field of the largest value. */
      frexp (MAX (fabs (region->min), fabs (region->max)), &exponent);
      unit = ldexp (1.0, MAX (exponent + 126, 1) - FIXED_POINT_BIAS);
    }
  fill_sums (region, measurement, row, unit);
}

void
capra_measure_append_rows (GArray *regions, const CapraMeasurement *measurement, const guint32 *row, guint32 first,
                           guint32 n)
{
  for (guint32 i = 0; i < n; i++, row += measurement->row_words)
    {
      CapraRegion region = {
        .label = measurement->original_labels ? measurement->original_labels[first + i - 1] : first + i,
        .area = row[ROW_PIXELS],
        .weighted_centroid_x = NAN,
        .weighted_centroid_y = NAN,
        .sum = NAN,
        .mean = NAN,
        .min = NAN,
        .max = NAN,
        .std = NAN,
      };

      if (region.area == 0)
        continue;
      region.centroid_x = (double) read_64 (row + ROW_SUM_X) / region.area + measurement->origin_x;
      region.centroid_y = (double) read_64 (row + ROW_SUM_Y) / region.area + measurement->origin_y;
      region.min_x = (gint32) ~row[ROW_INV_MIN_X] + measurement->origin_x;
      region.max_x = (gint32) row[ROW_MAX_X] + measurement->origin_x;
      region.min_y = (gint32) ~row[ROW_INV_MIN_Y] + measurement->origin_y;
      region.max_y = (gint32) row[ROW_MAX_Y] + measurement->origin_y;
      if (measurement->value_bands)
        fill_values (&region, measurement, row);
      g_array_append_val (regions, region);
    }
}
