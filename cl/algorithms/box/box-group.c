/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur on GPUs: rows in local memory, columns by runs that work-items share. */
#include "algorithms/box/box-private.h"

/* Samples in a row that a work-item of box-scan-rows.cl adds up. */
#define ITEM 16
/* Its local memory: two times ITEM values, up to six sums and a tail for each work-item, ITEM values for each
 * channel, and what lies between channels. */
#define SCAN_BYTES(items, channels) (sizeof (float) * ((items) * (2 * ITEM + 7) + ITEM * (channels) + 72))

#define LANES 32      /* work-items of a group of box-group-columns.cl, side by side */
#define LEAST_ITEMS 8 /* times so many at least */
#define MOST_PARTS 16 /* work-items that share a run at most */

#define WALK_LANES 16  /* work-items of a group of box-walk-columns.cl, side by side */
#define WALK_PARTS 32  /* times so many at most */
#define WALK_SEGMENT 8 /* of these add up their sums first */
#define WALK_ROWS 8    /* of a step, for each of them */

static gsize
round_up (gsize n, gsize step)
{
  return (n + step - 1) / step * step;
}

/* Whether some of the @box's positions are further away from the image than it is long. */
static const char *
far_option (const CapraBox *box)
{
  gint64 end = (gint64) box->first + box->n_result + box->count - 1;
  gboolean repeats = box->border == CAPRA_BORDER_MIRROR || box->border == CAPRA_BORDER_WRAP;

  return repeats && (box->first < -box->length || end > 2 * (gint64) box->length) ? " -DFAR" : "";
}

/* Blocks of ITEM samples of a row that a group takes: few numbers, as each is a program of its own. Small groups wait
 * less, but boxes longer than most of what they make take longer. Sums depend on the number, so that it follows from
 * the image's width, not from a part's. */
static gsize
row_blocks (const CapraDeviceInfo *info, gsize channels, const CapraBox *box)
{
  gsize count = (gsize) box->count, n = (gsize) box->length;
  gsize blocks = 32, most = channels == 1 ? (count > 96 * ITEM ? 256 : 128) : channels == 2 ? 128 : 64;

  while (blocks < most && blocks * ITEM < n && 2 * blocks * channels <= info->max_group
         && SCAN_BYTES (2 * blocks * channels, channels) <= info->local_memory)
    blocks *= 2;
  return blocks;
}

/* Parts of an image have programs of their own (see box.clh). */
static const char *
partial_option (const CapraBox *box)
{
  return box->skip > 0 ? " -DPARTIAL" : "";
}

static gboolean
run_rows (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  gsize channels = shape->channels, blocks = row_blocks (input->context->info, channels, box), groups;
  g_autofree char *macros = capra_box_options (shape, 0, more != NULL);
  g_autofree char *options = NULL;
  CapraLaunch launch;

  capra_box_anchor (box, axis, (int) blocks * ITEM);
  groups = ((gsize) box->n_result + blocks * ITEM - 1) / (blocks * ITEM);
  options = g_strdup_printf ("%s -DGROUP=%zu%s%s", macros, blocks * channels, far_option (box), partial_option (box));
  capra_launch_begin (&launch, input->context, "box-scan-rows", options, "box_scan_rows");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_value (&launch, box, sizeof *box);
  return capra_launch_run_2d (&launch, groups * blocks * channels, capra_axis_slabs (shape, axis->number),
                              blocks * channels, 1,
                              capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

/* How columns are dealt out: values side by side and rows a work-item, work-items a run, and runs a group. */
typedef struct {
  int vector, rows, parts;
  gsize together, runs;
} Columns;

static Columns
columns_plan (const CapraDeviceInfo *info, guint64 pitch, const CapraAxis *axis, CapraBox *box)
{
  gsize most = MIN (512, info->max_group) / LANES;
  Columns columns = { .vector = 2, .rows = 8 };

  if (box->count >= 160)
    columns.rows = 24;
  else if (box->count >= 64)
    columns.rows = 16;
  if (pitch % 2 != 0)
    columns.vector = 1;
  columns.parts = MIN (box->count / columns.rows, (int) MIN (MOST_PARTS, most));
  columns.together = MAX (1, MIN (LEAST_ITEMS, most) / (gsize) columns.parts);
  box->run = columns.parts * columns.rows;
  capra_box_anchor (box, axis, box->run);
  columns.runs = ((gsize) box->n_result + (gsize) box->run - 1) / (gsize) box->run;
  return columns;
}

static gboolean
run_strips (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
            GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  Columns columns = columns_plan (input->context->info, pitch, axis, box);
  gsize items = columns.together * (gsize) columns.parts, vector = (gsize) columns.vector;
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DVEC=%d -DPART=%d%s%s", capra_launch_type (shape->type),
                                              columns.vector, columns.rows, partial_option (box),
                                              more ? " -DMORE" : "");
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "box-group-columns", options, "box_group_columns");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, columns.parts);
  capra_launch_value (&launch, box, sizeof *box);
  capra_launch_local (&launch, 3 * LANES * items * vector * sizeof (float));
  capra_launch_local (&launch, 2 * items * (gsize) columns.rows * sizeof (int));
  return capra_launch_run (&launch, 3,
                           (gsize[]){ round_up (pitch / vector, LANES),
                                      round_up (columns.runs, columns.together) * (gsize) columns.parts,
                                      capra_axis_slabs (shape, axis->number) },
                           (gsize[]){ LANES, items, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

/* How strips of columns are walked down: values side by side a work-item, work-items a run, runs at a stretch, and
 * local memory for the sums of a box's runs, twice. */
typedef struct {
  gsize vector, parts, steps, stretches, ring;
} Walk;

/* FALSE if the box is not wide enough, or so wide that its sums find no room; the same for all parts of an image. */
static gboolean
walk_plan (const CapraDeviceInfo *info, guint64 pitch, gsize slabs, const CapraAxis *axis, CapraBox *box, Walk *walk)
{
  gsize count = (gsize) box->count, vector = pitch % 2 == 0 ? 2 : 1, strips, run, runs, whole, held;

  *walk = (Walk){ .vector = vector, .parts = MIN (WALK_PARTS, info->max_group / WALK_LANES) };
  walk->parts -= walk->parts > WALK_SEGMENT ? walk->parts % WALK_SEGMENT : 0;
  run = walk->parts * WALK_ROWS;
  if (run == 0 || count < run)
    return FALSE;
  whole = count / run;
  held = (2 * whole + 3 * walk->parts + 9) * WALK_LANES * 2 * sizeof (float);
  if (held > info->local_memory)
    return FALSE;
  capra_box_anchor (box, axis, (int) run);
  strips = (pitch + WALK_LANES * vector - 1) / (WALK_LANES * vector) * slabs;
  runs = ((gsize) box->n_result + run - 1) / run;
  /* What comes before a stretch's first output is read again. */
  walk->stretches = CLAMP (info->compute_units / strips, 1, MAX (1, runs / whole));
  walk->steps = (runs + walk->stretches - 1) / walk->stretches;
  walk->stretches = (runs + walk->steps - 1) / walk->steps;
  walk->ring = 2 * whole * WALK_LANES * vector * sizeof (float);
  return TRUE;
}

static gboolean
run_walk (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
          const Walk *walk, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  g_autofree char *options = g_strdup_printf ("-DIN=%s -DVEC=%zu -DPARTS=%zu -DPART=%d%s%s%s",
                                              capra_launch_type (shape->type), walk->vector, walk->parts, WALK_ROWS,
                                              far_option (box), partial_option (box), more ? " -DMORE" : "");
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "box-walk-columns", options, "box_walk_columns");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, (gint32) walk->steps);
  capra_launch_value (&launch, box, sizeof *box);
  capra_launch_local (&launch, walk->ring);
  return capra_launch_run (&launch, 3,
                           (gsize[]){ round_up (pitch / walk->vector, WALK_LANES), walk->stretches * walk->parts,
                                      capra_axis_slabs (shape, axis->number) },
                           (gsize[]){ WALK_LANES, walk->parts, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

gboolean
capra_box_run_gpu (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
                   GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  Walk walk;

  if (capra_axis_is_row (shape, axis->number))
    return run_rows (input, output, more, axis, box, error);
  if (walk_plan (input->context->info, capra_axis_pitch (shape, axis->number), capra_axis_slabs (shape, axis->number),
                 axis, box, &walk))
    return run_walk (input, output, more, axis, box, &walk, error);
  return run_strips (input, output, more, axis, box, error);
}
