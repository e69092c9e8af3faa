/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Box blur on GPUs: rows by scans in local memory, columns by runs that work-items share. */
#include "algorithms/box-private.h"

/* Samples in a row that a work-item of box-scan.cl adds up, and the most work-items of a group. */
#define ITEM 16
#define MOST_ITEMS 288
/* Local memory of each at most: two times ITEM values with gaps, and two sums. */
#define ITEM_BYTES (sizeof (float) * (2 * (ITEM + 1) + 2))
#define LANES 32       /* work-items of a group of box-strips.cl, side by side */
#define LEAST_ITEMS 8  /* times so many at least */
#define MOST_PARTS 16  /* work-items that share a run at most */
/* Rows a block, and so many rows of a core are worth a pass of their own. */
#define SPAN 32
#define WIDEST_CORE 96

static gsize
round_up (gsize n, gsize step)
{
  return (n + step - 1) / step * step;
}

/* How a row is dealt out: work-items a group, and its runs. */
typedef struct {
  gsize items, runs, groups;
} Rows;

/* A group takes as much of a row as fits, and cuts it into equal runs of at most a box. */
static Rows
rows_plan (const CapraDeviceInfo *info, gsize channels, CapraBox *box)
{
  gsize unit = channels == 3 ? 96 : channels == 4 ? 64 : 32, n = (gsize) box->n_result;
  gsize most = MIN (MIN (MOST_ITEMS, info->max_group), info->local_memory / ITEM_BYTES - 8) / unit * unit;
  gsize blocks = most / channels, parts = (n + blocks * ITEM - 1) / (blocks * ITEM);
  gsize samples = (n + parts - 1) / parts, run = MIN ((gsize) box->count / ITEM, blocks) * ITEM;
  Rows rows = { .runs = (samples + run - 1) / run };

  run = round_up ((samples + rows.runs - 1) / rows.runs, ITEM);
  if (rows.runs * run > blocks * ITEM)
    rows.runs--;
  /* Few sizes, as each is a program of its own. */
  rows.items = MIN (most, round_up (rows.runs * run / ITEM * channels, channels == 3 ? 96 : 64));
  rows.groups = (n + rows.runs * run - 1) / (rows.runs * run);
  box->run = (int) run;
  return rows;
}

static gboolean
run_rows (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
          GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gsize channels = shape->channels;
  Rows rows = rows_plan (input->context->info, channels, box);
  gsize samples = rows.runs * (gsize) box->run;
  gsize values = (samples + MIN ((gsize) box->count, samples)) * channels;
  g_autofree char *macros = capra_box_options (shape, 0, more != NULL);
  g_autofree char *options = g_strdup_printf ("%s -DGROUP=%zu", macros, rows.items);
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "box-scan", options, "box_rows_scan");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_int (&launch, (gint32) rows.runs);
  capra_launch_value (&launch, box, sizeof *box);
  capra_launch_local (&launch, (values + values / ITEM + channels) * sizeof (float));
  return capra_launch_run_2d (&launch, rows.groups * rows.items, capra_axis_slabs (shape, axis->number),
                              rows.items, 1,
                              capra_shape_bytes (shape)
                                + capra_shape_bytes (capra_array_get_shape (output)), error);
}

/* The sums of @n_spans spans of SPAN rows. */
static CapraArray *
run_blocks (CapraArray *input, const CapraAxis *axis, const CapraBox *box, int n_spans, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape spans = capra_axis_shape (shape, axis->number, n_spans);
  g_autoptr(CapraArray) blocks = capra_array_new_uninitialized (input->context, &spans, error);
  guint64 pitch = capra_axis_pitch (shape, axis->number), vector = pitch % 2 == 0 ? 2 : 1;
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DVEC=%d -DSPAN=%d", capra_launch_type (shape->type),
                                              (int) vector, SPAN);
  CapraLaunch launch;

  if (!blocks)
    return NULL;
  capra_launch_begin (&launch, input->context, "box-blocks", options, "box_span_sums");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, blocks);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);
  if (!capra_launch_run (&launch, 3,
                         (gsize[]) { pitch / vector, (gsize) n_spans, capra_axis_slabs (shape, axis->number) },
                         (gsize[]) { LANES, 4, 1 },
                         capra_shape_bytes (shape) + capra_shape_bytes (&spans), error))
    return NULL;
  return g_steal_pointer (&blocks);
}

/* How columns are dealt out: values side by side and rows a work-item, work-items a run, and runs a group. */
typedef struct {
  int vector, rows, parts;
  gsize together, runs;
} Columns;

static Columns
columns_plan (const CapraDeviceInfo *info, guint64 pitch, CapraBox *box)
{
  gsize most = MIN (512, info->max_group) / LANES;
  Columns columns = { .vector = 2, .rows = 8 };

  if (box->count >= 160)
    columns = (Columns) { .vector = 1, .rows = 32 };
  else if (box->count >= 64)
    columns.rows = 16;
  if (pitch % 2 != 0)
    columns.vector = 1;
  columns.parts = MIN (box->count / columns.rows, (int) MIN (MOST_PARTS, most));
  columns.together = MAX (1, MIN (LEAST_ITEMS, most) / (gsize) columns.parts);
  box->run = columns.parts * columns.rows;
  columns.runs = ((gsize) box->n_result + (gsize) box->run - 1) / (gsize) box->run;
  return columns;
}

static gboolean
run_columns (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis,
             CapraBox *box, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  Columns columns = columns_plan (input->context->info, pitch, box);
  gsize items = columns.together * (gsize) columns.parts, vector = (gsize) columns.vector;
  g_autofree char *options
    = g_strdup_printf ("-DIN=%s -DVEC=%d -DPART=%d%s", capra_launch_type (shape->type), columns.vector,
                       columns.rows, more ? " -DMORE" : "");
  g_autoptr(CapraArray) blocks = NULL;
  int n_spans = 0;
  CapraLaunch launch;

  box->span = SPAN;
  if (box->count - box->run > WIDEST_CORE)
    {
      box->n_blocks = (box->count - box->run) / SPAN;
      n_spans = (int) columns.runs * (box->run / SPAN) + box->n_blocks;
      blocks = run_blocks (input, axis, box, n_spans, error);
      if (!blocks)
        return FALSE;
    }
  capra_launch_begin (&launch, input->context, "box-strips", options, "box_strips");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, blocks ? blocks : input);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, columns.parts);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);
  capra_launch_local (&launch, 3 * LANES * items * vector * sizeof (float));
  capra_launch_local (&launch, 2 * items * (gsize) columns.rows * sizeof (int));
  return capra_launch_run (&launch, 3,
                           (gsize[]) { round_up (pitch / vector, LANES),
                                       round_up (columns.runs, columns.together) * (gsize) columns.parts,
                                       capra_axis_slabs (shape, axis->number) },
                           (gsize[]) { LANES, items, 1 },
                           capra_shape_bytes (shape)
                             + capra_shape_bytes (capra_array_get_shape (output)), error);
}

gboolean
capra_box_run_gpu (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis,
                   CapraBox *box, GError **error)
{
  if (capra_axis_is_row (capra_array_get_shape (input), axis->number))
    return run_rows (input, output, more, axis, box, error);
  return run_columns (input, output, more, axis, box, error);
}
