/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur: one pass an axis, with sums over runs (kernels/box.clh, after van Herk 1992). */
#include <string.h>

#include "algorithms/box-blur.h"
#include "algorithms/taps.h"
#include "runtime/tuning.h"

/* Below so many samples a plain weighted sum is faster. */
#define FEWEST 16
/* The longest run; kernels/box-rows.cl and box-scan.cl have space for no more. */
#define LONGEST_RUN 256
#define LONGEST_STASH 512
#define SCAN_SPAN 1024
#define SCAN_GROUP 256
#define SCAN_ITEM_VALUES 4
#define STEP 8
/* Samples of a row that a work-item of box-tile.cl makes, times channels; its longest box, likewise. */
#define TILE_OUTPUTS 512
#define TILE_BOX 512
/* So many runs in a row are neighbours in the lanes of box-rows.cl; fewer are those of 8 rows. */
#define MANY_RUNS 96

/* box_t of kernels/box.clh. */
typedef struct {
  cl_int length, source, n_source, first, count, run, n_result, n_blocks, border;
  cl_float scale;
} CapraBox;

/* A box on an axis, with what reaches far beyond the axis taken apart. */
typedef struct {
  CapraBox box;
  double whole, low, high; /* weights of the whole line, its first and its last sample */
} BoxPlan;

static double
box_sum (gconstpointer scale, gint64 first, gint64 step, gint64 count)
{
  return *(const double *) scale * (double) count;
}

/* FALSE if a weighted sum of few samples does as well. */
static gboolean
box_plan (const CapraAxis *axis, gint64 radius, BoxPlan *plan)
{
  double scale = 1.0 / (2.0 * (double) radius + 1.0);
  gint64 count = 2 * radius + 1, low = -radius;

  *plan = (BoxPlan) { .box = { .length = axis->length, .source = axis->source,
                               .n_source = axis->n_source, .n_result = axis->n_result,
                               .border = axis->border, .scale = (float) scale } };

  if (axis->border == CAPRA_BORDER_WRAP || axis->border == CAPRA_BORDER_MIRROR)
    {
      gint64 copies = axis->border == CAPRA_BORDER_WRAP ? 1 : 2, period = copies * axis->length;

      low = (((axis->result + low) % period) + period) % period;
      if (period < FEWEST)
        return FALSE;
      if (count >= 2 * period)
        {
          plan->whole = (double) ((count / period - 1) * copies) * scale;
          count = count % period + period;
        }
    }
  else
    {
      gint64 high = MIN (radius, (gint64) axis->length - 1 - axis->result);

      low = MAX (low, -(axis->result + (gint64) axis->n_result - 1));
      if (axis->border == CAPRA_BORDER_CLAMP && low <= high)
        {
          plan->low = (double) (low + radius) * scale;
          plan->high = (double) (radius - high) * scale;
        }
      count = high - low + 1;
      low += axis->result;
    }
  plan->box.first = (cl_int) low;
  plan->box.count = (cl_int) count;
  return count >= FEWEST;
}

static char *
box_options (const CapraShape *shape, gboolean more, gboolean columns, gboolean cpu)
{
  g_autoptr(GString) options = g_string_new (NULL);

  g_string_append_printf (options, "-DIN=%s", capra_launch_type (shape->type));
  if (columns)
    g_string_append_printf (options, " -DLANES=%d", cpu ? 16 : 1);
  else
    g_string_append_printf (options, " -DCHANNELS=%u", shape->channels);
  if (more)
    g_string_append (options, " -DMORE");
  return g_string_free (g_steal_pointer (&options), FALSE);
}

/* What the box adds to all outputs of a line, in an array of one value a line. */
static CapraArray *
run_more (CapraArray *input, const CapraAxis *axis, const BoxPlan *plan, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape lines = capra_axis_shape (shape, axis->number, 1);
  g_autoptr(CapraArray) more = capra_array_new_uninitialized (input->context, &lines, error);
  g_autofree char *options = box_options (shape, FALSE, TRUE, FALSE);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  CapraLaunch launch;

  if (!more)
    return NULL;
  capra_launch_begin (&launch, input->context, "box-sums", options, "box_more");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, more);
  capra_launch_ulong (&launch, pitch);
  capra_launch_float (&launch, (float) plan->whole);
  capra_launch_float (&launch, (float) plan->low);
  capra_launch_float (&launch, (float) plan->high);
  capra_launch_value (&launch, &plan->box, sizeof plan->box);
  if (!capra_launch_run_2d (&launch, pitch, capra_axis_slabs (shape, axis->number), 64, 1,
                            capra_shape_bytes (plan->whole > 0.0 ? shape : &lines), error))
    return NULL;
  return g_steal_pointer (&more);
}

/* The sums of @n_spans spans of a run's length. */
static CapraArray *
run_blocks (CapraArray *input, const CapraAxis *axis, const CapraBox *box, int n_spans, gboolean cpu,
            GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape spans = capra_axis_shape (shape, axis->number, n_spans);
  g_autoptr(CapraArray) blocks = capra_array_new_uninitialized (input->context, &spans, error);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  gboolean wide = cpu && pitch >= 16;
  gboolean row = cpu && capra_axis_is_row (shape, axis->number);
  g_autofree char *options = box_options (shape, FALSE, !row, wide);
  gsize lanes = wide ? 16 : 1, slabs = capra_axis_slabs (shape, axis->number);
  guint64 bytes = capra_shape_bytes (shape) + capra_shape_bytes (&spans);
  CapraLaunch launch;

  if (!blocks)
    return NULL;
  capra_launch_begin (&launch, input->context, row ? "box-spans" : "box-sums", options,
                      row ? "box_spans" : "box_blocks");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, blocks);
  if (!row)
    capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);
  if (!(row ? capra_launch_run_2d (&launch, (gsize) n_spans, slabs, 16, 1, bytes, error)
            : capra_launch_run (&launch, 3,
                                (gsize[]) { (pitch + lanes - 1) / lanes, (gsize) n_spans, slabs },
                                pitch >= 16 ? (gsize[]) { 64, 1, 1 } : (gsize[]) { 1, 64, 1 }, bytes,
                                error)))
    return NULL;
  return g_steal_pointer (&blocks);
}

/* The kernels that make the outputs. */
typedef enum {
  BOX_COLUMNS, /* y and z */
  BOX_TILE,    /* x on CPUs */
  BOX_ROWS,    /* x on CPUs, wide boxes */
  BOX_SCAN,    /* x on GPUs */
} BoxKernel;

static const struct {
  const char *program, *kernel;
} kernels[] = {
  [BOX_COLUMNS] = { "box-blur", "box_columns" },
  [BOX_TILE] = { "box-tile", "box_tile" },
  [BOX_ROWS] = { "box-rows", "box_rows" },
  [BOX_SCAN] = { "box-scan", "box_rows_scan" },
};

static BoxKernel
choose_kernel (const CapraShape *shape, const CapraAxis *axis, const CapraBox *box, gboolean cpu)
{
  if (!capra_axis_is_row (shape, axis->number))
    return BOX_COLUMNS;
  if (!cpu)
    return BOX_SCAN;
  return (guint64) box->count * shape->channels <= TILE_BOX ? BOX_TILE : BOX_ROWS;
}

static gboolean
run_outputs (CapraArray *input, CapraArray *output, CapraArray *blocks, CapraArray *more,
             const CapraAxis *axis, const CapraBox *box, int n_spans, BoxKernel kernel, gboolean cpu,
             GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  g_autofree char *options = box_options (shape, more != NULL, kernel == BOX_COLUMNS, cpu);
  guint64 pitch = capra_axis_pitch (shape, axis->number), lanes = cpu ? 16 : 1;
  gsize slabs = capra_axis_slabs (shape, axis->number), n = (gsize) box->n_result;
  guint64 bytes = capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output));
  gsize runs = (n + (gsize) box->run - 1) / (gsize) box->run;
  gsize scanned = SCAN_SPAN / ((gsize) box->run * shape->channels);
  gsize tile = TILE_OUTPUTS / shape->channels / STEP * STEP;
  gboolean few = slabs < STEP || runs >= MANY_RUNS;
  guint64 items = few ? (runs * slabs + STEP - 1) / STEP : (slabs + STEP - 1) / STEP * runs;
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, kernels[kernel].program, options,
                      kernels[kernel].kernel);
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, blocks ? blocks : input);
  capra_launch_read (&launch, more ? more : input);
  if (kernel == BOX_COLUMNS)
    capra_launch_ulong (&launch, pitch);
  else if (kernel == BOX_ROWS)
    {
      capra_launch_ulong (&launch, items);
      capra_launch_ulong (&launch, slabs);
      capra_launch_int (&launch, few);
      capra_launch_int (&launch, (gint32) runs);
    }
  else if (kernel == BOX_SCAN)
    capra_launch_int (&launch, (gint32) scanned);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);

  if (kernel == BOX_COLUMNS)
    return capra_launch_run (&launch, 3, (gsize[]) { (pitch + lanes - 1) / lanes, runs, slabs },
                             (gsize[]) { 64, 1, 1 }, bytes, error);
  if (kernel == BOX_ROWS)
    return capra_launch_run_1d (&launch, items, 16, bytes, error);
  if (kernel == BOX_TILE)
    return capra_launch_run_2d (&launch, (n + tile - 1) / tile, slabs, 8, 1, bytes, error);
  return capra_launch_run_2d (&launch, (runs + scanned - 1) / scanned * SCAN_GROUP, slabs, SCAN_GROUP,
                              1, bytes, error);
}

static CapraArray *
run_sums (CapraArray *input, const CapraAxis *axis, BoxPlan *plan, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape result = capra_axis_shape (shape, axis->number, axis->n_result);
  CapraBox *box = &plan->box;
  gboolean cpu = !strcmp (capra_tuning_get_word (input->context->device, "box-blur.variant", "gpu"),
                          "cpu");
  BoxKernel kernel = choose_kernel (shape, axis, box, cpu);
  g_autoptr(CapraArray) output = NULL;
  g_autoptr(CapraArray) blocks = NULL;
  g_autoptr(CapraArray) more = NULL;
  int n_spans = 0;

  box->run = MIN (box->count, LONGEST_RUN);
  if (kernel == BOX_ROWS)
    box->run = MIN (box->run, LONGEST_STASH / (int) shape->channels) / STEP * STEP;
  box->n_blocks = kernel == BOX_TILE ? 0 : box->count / box->run - 1;
  n_spans = (box->n_result + box->run - 1) / box->run + box->n_blocks;

  output = capra_array_new_uninitialized (input->context, &result, error);
  if (!output)
    return NULL;
  if (plan->whole > 0.0 || plan->low > 0.0 || plan->high > 0.0)
    {
      more = run_more (input, axis, plan, error);
      if (!more)
        return NULL;
    }
  if (box->n_blocks > 0)
    {
      blocks = run_blocks (input, axis, box, n_spans, cpu, error);
      if (!blocks)
        return NULL;
    }
  if (!run_outputs (input, output, blocks, more, axis, box, n_spans, kernel, cpu, error))
    return NULL;
  return g_steal_pointer (&output);
}

/* The pass along @axis; NULL without an error if it would change nothing and @skip allows to leave it
 * out. */
static CapraArray *
box_pass (CapraArray *input, const CapraAxis *axis, int radius, gboolean skip, GError **error)
{
  double scale = 1.0 / (2.0 * radius + 1.0);
  g_autoptr(CapraTaps) taps = NULL;
  BoxPlan plan;

  if (box_plan (axis, radius, &plan))
    return run_sums (input, axis, &plan, error);
  taps = capra_taps_new (axis, radius, radius, box_sum, &scale);
  if (skip && capra_taps_is_identity (taps, axis))
    return NULL;
  return capra_taps_run (input, axis, taps, 0.0f, error);
}

CapraArray *
capra_box_blur (CapraArray *input, const int radius[3], CapraBorder border, const CapraWindow *window,
                GError **error)
{
  g_autoptr(CapraArray) current = NULL;
  CapraWindow resolved;

  g_return_val_if_fail (input && radius, NULL);

  for (int i = 0; i < 3; i++)
    if (radius[i] < 0)
      {
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                     "cannot blur with radius %d along %c; give 0 or more", radius[i], "xyz"[i]);
        return NULL;
      }
  if (!capra_window_resolve (input, window, radius[0], radius[0], radius[1], radius[1], border,
                             &resolved, error))
    return NULL;

  if (capra_axis_misses (&resolved, radius, border))
    return capra_axis_zeros (input, &resolved, error);

  current = capra_array_ref (input);
  for (int number = 2; number >= 0; number--)
    {
      g_autoptr(GError) failure = NULL;
      CapraArray *blurred = NULL;
      CapraAxis axis;

      capra_axis_init (&axis, number, input, &resolved, border);
      /* At the last axis a copy is made if nothing else was done. */
      blurred = box_pass (current, &axis, radius[number], number > 0 || current != input, &failure);
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
      if (!blurred)
        continue;
      capra_array_unref (current);
      current = blurred;
    }
  return g_steal_pointer (&current);
}
