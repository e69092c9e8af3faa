/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: C. Li, P. Tam 1998, an iteration over cells instead of pixels.
 *
 * Each step needs the means below and above the present value. They come from some thousand cells with
 * the number and the mean of their values. The cell that the value lies in when the iteration ends is
 * looked at more closely, by one more pass that divides it. In a small image, where the iteration can
 * get stuck between two values, that is done at every step. As in scikit-image the iteration ends when
 * a step is at most half the smallest gap between two different values. */
#include <math.h>

#include "algorithms/threshold/threshold-private.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/fill.h"

#define CELLS 2048
#define CELLS_OPTION "-DFINITE -DBINS=2048"
#define GPU_MOST 65536      /* values a group, so that its 32-bit sums cannot overflow */
#define CPU_MOST (1u << 23) /* and those of 40 bits */
#define MOST_STEPS 1000
#define MOST_DIVISIONS 6       /* of a large image: one or two are usual */
#define SMALL_IMAGE (1u << 18) /* values: a pass costs next to nothing */

#define LEVELS 65536
#define LEVELS_OPTION "-DFINITE -DLEVELS=65536"
#define SAMPLE (1u << 17) /* values looked at first: noise shows in them already */

/* Values between @begin and @begin + @width, relative to the image's smallest value. */
typedef struct {
  double begin, width, mean, count;
} Cell;

/* Cells of the values whose position, on a scale from 0 to CELLS, lies in @first … @first + CELLS /
 * @zoom. */
static GArray *
cells_find (CapraArray *input, double min, double max, double first, double zoom, GError **error)
{
  CapraPlacement placement = capra_placement (input->shape.type, min, max, CELLS);
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", CPU_MOST);
  g_autofree char *options = capra_reduction_options (input, &reduction, CELLS_OPTION);
  g_autofree guint32 *words = g_new (guint32, 3 * CELLS);
  g_autoptr (CapraArray) array = capra_array_new (input->context->device, &CAPRA_SHAPE_2D (CELLS, 3, CAPRA_U32), error);
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  double unit = 1 / ((double) placement.scale * placement.pre);
  CapraLaunch launch;

  if (!array)
    return NULL;
  if (!reduction.single)
    reduction = capra_reduction_divide (input, "histogram.variant", GPU_MOST);
  capra_launch_begin (&launch, input->context, "residuals", options, "residuals");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_placement_arguments (&launch, &placement);
  capra_launch_float (&launch, (float) first);
  capra_launch_float (&launch, (float) zoom);
  capra_launch_write (&launch, array);
  if (!capra_reduction_run (&launch, input, &reduction, error)
      || !capra_array_download_first (array, words, 3 * CELLS * sizeof *words, error))
    return NULL;

  for (guint i = 0; i < CELLS; i++)
    if (words[i] > 0)
      {
        double sum = words[CELLS + i] + 65536.0 * words[2 * CELLS + i];
        double begin = first + i / zoom;
        Cell cell = { begin * unit, unit / zoom, (begin + sum / (65535.0 * zoom * words[i])) * unit, words[i] };

        g_array_append_val (cells, cell);
      }
  return g_steal_pointer (&cells);
}

/* Divides the cell that @value lies in by a closer look, if there is one that is not yet divided;
 * @divided tells whether. */
static gboolean
cells_divide (CapraArray *input, double min, double max, GArray *cells, double value, gboolean *divided, GError **error)
{
  g_autoptr (GArray) parts = NULL;
  Cell cell = { 0 };
  guint i = 0;

  for (i = 0; i < cells->len; i++)
    {
      cell = g_array_index (cells, Cell, i);
      if (value < cell.begin + cell.width)
        break;
    }
  *divided = i < cells->len && value >= cell.begin && cell.width > 0.5 * (max - min) / CELLS;
  if (!*divided)
    return TRUE;

  parts = cells_find (input, min, max, round (cell.begin / cell.width), CELLS, error);
  if (!parts)
    return FALSE;
  g_array_remove_index (cells, i);
  g_array_insert_vals (cells, i, parts->data, parts->len);
  return TRUE;
}

/* One step of the iteration. A cell belongs to the upper class if its mean lies above @value, and by
 * more than the rounding of positions. */
static double
li_step (const GArray *cells, double value, double range)
{
  double n[2] = { 0, 0 }, sum[2] = { 0, 0 }, below, above;

  for (guint i = 0; i < cells->len; i++)
    {
      const Cell *cell = &g_array_index (cells, Cell, i);
      int upper = cell->mean > value + 3e-7 * range;

      n[upper] += cell->count;
      sum[upper] += cell->count * cell->mean;
    }
  if (n[0] == 0 || n[1] == 0)
    return value;
  below = sum[0] / n[0];
  above = sum[1] / n[1];
  return (below - above) / (log (below) - log (above));
}

/* A pass of kernels/levels.cl over part of @input. */
static gboolean
levels_pass (CapraArray *input, const char *kernel, const CapraPlacement *placement, guint64 skip, guint64 count,
             CapraArray *table, CapraArray *mixed, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);
  g_autofree char *options = capra_reduction_options (input, &reduction, LEVELS_OPTION);
  CapraLaunch launch;

  reduction.count = count;
  reduction.groups = MAX (1, (count / reduction.vector + reduction.chunk - 1) / reduction.chunk);
  capra_launch_begin (&launch, input->context, "levels", options, kernel);
  capra_reduction_arguments (&launch, input, &reduction);
  capra_placement_arguments (&launch, placement);
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

/* The smallest gap between two values of @input; 0 if it is below a 65536th of their range. */
static gboolean
gap_find (CapraArray *input, double min, double max, double *gap, GError **error)
{
  CapraPlacement placement = capra_placement (input->shape.type, min, max, LEVELS);
  guint64 count = capra_shape_count (&input->shape), sample = MIN (count, SAMPLE);
  guint64 skip = (count - sample) / 2 / 64 * 64;
  g_autofree guint32 *keys = g_new (guint32, LEVELS);
  g_autoptr (CapraArray) table = capra_array_new_uninitialized (input->context, &CAPRA_SHAPE_2D (LEVELS, 1, CAPRA_U32),
                                                                error);
  g_autoptr (CapraArray) mixed = table
                                   ? capra_array_new (input->context->device, &CAPRA_SHAPE_2D (1, 1, CAPRA_U32), error)
                                   : NULL;
  guint32 found = 0;

  *gap = 0;
  if (!mixed)
    return FALSE;
  for (;;)
    {
      if (!capra_array_fill (table, capra_order_key_from_value (input->shape.type, min), error)
          || !levels_pass (input, "levels_mark", &placement, skip, sample, table, NULL, error)
          || !levels_pass (input, "levels_check", &placement, skip, sample, table, mixed, error)
          || !capra_array_download_first (mixed, &found, sizeof found, error))
        return FALSE;
      if (found)
        return TRUE;
      if (sample == count)
        break;
      skip = 0;
      sample = count;
    }
  if (!capra_array_download_first (table, keys, LEVELS * sizeof *keys, error))
    return FALSE;
  *gap = levels_gap (input->shape.type, keys, min, max);
  return TRUE;
}

gboolean
capra_threshold_li (CapraArray *input, double min, double max, double mean, double *value, GError **error)
{
  gboolean small = capra_shape_count (&input->shape) <= SMALL_IMAGE, divided = FALSE;
  double range = max - min, gap, now = mean - min;
  g_autoptr (GArray) cells = NULL;
  guint divisions = 0;

  if (capra_shape_count (&input->shape) > G_MAXUINT32)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           "li takes images of up to 4294967295 values: choose another method");
      return FALSE;
    }
  if (!gap_find (input, min, max, &gap, error))
    return FALSE;
  cells = cells_find (input, min, max, 0, 1, error);
  if (!cells)
    return FALSE;

  for (guint step = 0; step < MOST_STEPS; step++)
    {
      double next;

      if (small && !cells_divide (input, min, max, cells, now, &divided, error))
        return FALSE;
      next = li_step (cells, now, range);
      if (fabs (next - now) > MAX (gap / 2, 1e-10 * range))
        {
          now = next;
          continue;
        }
      divided = FALSE;
      if (!small && divisions++ < MOST_DIVISIONS && !cells_divide (input, min, max, cells, now, &divided, error))
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
