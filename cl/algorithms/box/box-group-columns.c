/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur of columns by work-groups that share runs; launches box-group-columns.cl. The method for GPUs where
 * box-walk-columns.c does not suit. */
#include "algorithms/box/box-pass.h"

/* Work-items of a group: this many columns wide, and at least this many runs' parts high. */
#define GROUP_WIDTH 32
#define MIN_GROUP_HEIGHT 8
#define MAX_GROUP 512
/* The most work-items that share a run. */
#define MAX_PARTS 16

typedef struct {
  int vector;          /* neighboring values of a work-item */
  int rows;            /* rows of a work-item */
  int parts;           /* work-items that share a run */
  gsize runs_of_group; /* runs of a work-group */
  gsize runs;          /* runs of a column */
} Layout;

/* Chooses the layout, and aligns @box to its runs. */
static Layout
choose_layout (const CapraDeviceInfo *info, guint64 pitch, const CapraAxis *axis, CapraBox *box)
{
  gsize most = MIN (MAX_GROUP, info->max_group) / GROUP_WIDTH;
  Layout layout = { .vector = 2, .rows = 8 };

  if (box->count >= 160)
    layout.rows = 24;
  else if (box->count >= 64)
    layout.rows = 16;
  if (pitch % 2 != 0)
    layout.vector = 1;
  layout.parts = MIN (box->count / layout.rows, (int) MIN (MAX_PARTS, most));
  layout.runs_of_group = MAX (1, MIN (MIN_GROUP_HEIGHT, most) / (gsize) layout.parts);
  box->run = layout.parts * layout.rows;
  capra_box_align (box, axis, box->run);
  layout.runs = ((gsize) box->n_result + (gsize) box->run - 1) / (gsize) box->run;
  return layout;
}

gboolean
capra_box_group_columns (const CapraBoxPass *pass, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  guint64 pitch = capra_axis_pitch (shape, pass->axis->number);
  CapraBox box = pass->box;
  Layout layout = choose_layout (pass->input->context->info, pitch, pass->axis, &box);
  gsize height = layout.runs_of_group * (gsize) layout.parts, vector = (gsize) layout.vector;
  g_autofree char *vector_options = capra_box_pass_vector_options (pass, layout.vector, TRUE);
  g_autofree char *options = g_strdup_printf ("%s -DPART=%d%s", vector_options, layout.rows,
                                              capra_box_partial_option (&box));
  CapraLaunch launch;

  capra_box_pass_begin (pass, &launch, "box-group-columns", options, "box_group_columns");
  capra_launch_read (&launch, pass->offsets ? pass->offsets : pass->input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, layout.parts);
  capra_launch_value (&launch, &box, sizeof box);
  capra_launch_local (&launch, 3 * GROUP_WIDTH * height * vector * sizeof (float));
  capra_launch_local (&launch, 2 * height * (gsize) layout.rows * sizeof (int));
  return capra_launch_run (
    &launch, 3,
    (gsize[]){ pitch / vector, layout.runs * (gsize) layout.parts, capra_axis_slabs (shape, pass->axis->number) },
    (gsize[]){ GROUP_WIDTH, height, 1 }, capra_box_pass_bytes (pass), error);
}
