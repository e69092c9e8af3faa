/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur of columns by work-groups that walk down strips and keep the sums of the last runs; launches
 * box-walk-columns.cl. The method for wide boxes on GPUs. */
#include "algorithms/box/box-pass.h"

/* The most work-items that share a run, and the rows of each. */
#define MAX_PARTS 32
#define ROWS 8

typedef struct {
  gsize vector;     /* neighboring values of a work-item */
  gsize parts;      /* work-items that share a run */
  gsize steps;      /* runs of a strip */
  gsize strips;     /* strips of a column */
  gsize ring_bytes; /* local memory for the sums of a box's runs, each held twice */
} Layout;

/* FALSE if the box is too narrow, or its sums do not fit into local memory; the same for all parts of an image. */
static gboolean
choose_layout (const CapraBoxPass *pass, CapraBox *box, Layout *layout)
{
  const CapraDeviceInfo *info = pass->input->context->info;
  const CapraShape *shape = capra_array_get_shape (pass->input);
  guint64 pitch = capra_axis_pitch (shape, pass->axis->number);
  gsize slabs = capra_axis_slabs (shape, pass->axis->number);
  gsize count = (gsize) box->count, vector = pitch % 2 == 0 ? 2 : 1, columns, run, runs, whole, local_bytes;

  *layout = (Layout){ .vector = vector, .parts = MIN (MAX_PARTS, info->max_group / BOX_WALK_WIDTH) };
  layout->parts -= layout->parts > BOX_WALK_SEGMENT ? layout->parts % BOX_WALK_SEGMENT : 0;
  run = layout->parts * ROWS;
  if (run == 0 || count < run)
    return FALSE;
  whole = count / run;
  local_bytes = (2 * whole + 3 * layout->parts + 9) * BOX_WALK_WIDTH * 2 * sizeof (float);
  if (local_bytes > info->local_memory)
    return FALSE;
  capra_box_align (box, pass->axis, (int) run);
  columns = (pitch + BOX_WALK_WIDTH * vector - 1) / (BOX_WALK_WIDTH * vector) * slabs;
  runs = ((gsize) box->n_result + run - 1) / run;
  /* Each strip reads the rows before its first output again. */
  layout->strips = CLAMP (info->compute_units / columns, 1, MAX (1, runs / whole));
  layout->steps = (runs + layout->strips - 1) / layout->strips;
  layout->strips = (runs + layout->steps - 1) / layout->steps;
  layout->ring_bytes = 2 * whole * BOX_WALK_WIDTH * vector * sizeof (float);
  return TRUE;
}

gboolean
capra_box_walk_columns_suits (const CapraBoxPass *pass)
{
  CapraBox box = pass->box;
  Layout layout;

  return choose_layout (pass, &box, &layout);
}

gboolean
capra_box_walk_columns (const CapraBoxPass *pass, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  guint64 pitch = capra_axis_pitch (shape, pass->axis->number);
  g_autofree char *vector_options = NULL;
  g_autofree char *options = NULL;
  CapraBox box = pass->box;
  CapraLaunch launch;
  Layout layout;

  g_return_val_if_fail (choose_layout (pass, &box, &layout), FALSE);

  vector_options = capra_box_pass_vector_options (pass, (int) layout.vector, TRUE);
  options = g_strdup_printf ("%s -DPARTS=%zu -DPART=%d%s%s", vector_options, layout.parts, ROWS,
                             capra_box_far_option (&box), capra_box_partial_option (&box));
  capra_box_pass_begin (pass, &launch, "box-walk-columns", options, "box_walk_columns");
  capra_launch_read (&launch, pass->offsets ? pass->offsets : pass->input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, (gint32) layout.steps);
  capra_launch_value (&launch, &box, sizeof box);
  capra_launch_local (&launch, layout.ring_bytes);
  return capra_launch_run (
    &launch, 3,
    (gsize[]){ pitch / layout.vector, layout.strips * layout.parts, capra_axis_slabs (shape, pass->axis->number) },
    (gsize[]){ BOX_WALK_WIDTH, layout.parts, 1 }, capra_box_pass_bytes (pass), error);
}
