/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur with vectors: each work-item computes a piece of a row (box-vector-rows.cl), or a run of 16 neighboring
 * columns (box-vector-columns.cl). The method for CPUs. */
#include "algorithms/box/box-pass.h"

gboolean
capra_box_vector_rows (const CapraBoxPass *pass, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  g_autofree char *options = capra_box_pass_pixel_options (pass);
  gsize samples = BOX_ROW_VALUES / shape->channels;
  CapraLaunch launch;

  capra_box_pass_begin (pass, &launch, "box-vector-rows", options, "box_vector_rows");
  capra_launch_read (&launch, pass->offsets ? pass->offsets : pass->input);
  capra_launch_value (&launch, &pass->box, sizeof pass->box);
  return capra_launch_run_2d (&launch, ((gsize) pass->box.n_result + samples - 1) / samples,
                              capra_axis_slabs (shape, pass->axis->number), 1, 1, capra_box_pass_bytes (pass), error);
}

/* The sums of @n_blocks blocks of a run's length. */
static CapraArray *
sum_blocks (const CapraBoxPass *pass, const CapraBox *box, int n_blocks, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  CapraShape sums_shape = capra_axis_shape (shape, pass->axis->number, n_blocks);
  g_autoptr (CapraArray) sums = capra_array_new_uninitialized (pass->input->context, &sums_shape, error);
  g_autofree char *options = capra_box_pass_vector_options (pass, 16, FALSE);
  guint64 pitch = capra_axis_pitch (shape, pass->axis->number);
  CapraLaunch launch;

  if (!sums)
    return NULL;
  capra_launch_begin (&launch, pass->input->context, "box-sums", options, "box_blocks");
  capra_launch_read (&launch, pass->input);
  capra_launch_write (&launch, sums);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_blocks);
  capra_launch_value (&launch, box, sizeof *box);
  if (!capra_launch_run (&launch, 3,
                         (gsize[]){ (pitch + 15) / 16, (gsize) n_blocks, capra_axis_slabs (shape, pass->axis->number) },
                         pitch >= 16 ? (gsize[]){ 64, 1, 1 } : (gsize[]){ 1, 64, 1 },
                         capra_shape_bytes (shape) + capra_shape_bytes (&sums_shape), error))
    return NULL;
  return g_steal_pointer (&sums);
}

gboolean
capra_box_vector_columns (const CapraBoxPass *pass, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (pass->input);
  g_autofree char *options = capra_box_pass_vector_options (pass, 16, TRUE);
  g_autoptr (CapraArray) sums = NULL;
  guint64 pitch = capra_axis_pitch (shape, pass->axis->number);
  gsize slabs = capra_axis_slabs (shape, pass->axis->number), runs;
  CapraBox box = pass->box;
  int n_blocks = 0;
  CapraLaunch launch;

  box.run = MIN (box.count, BOX_LONGEST_RUN);
  box.n_blocks = box.count / box.run - 1;
  capra_box_align (&box, pass->axis, box.run);
  runs = ((gsize) box.n_result + (gsize) box.run - 1) / (gsize) box.run;
  if (box.n_blocks > 0)
    {
      n_blocks = (int) runs + box.n_blocks;
      sums = sum_blocks (pass, &box, n_blocks, error);
      if (!sums)
        return FALSE;
    }
  capra_box_pass_begin (pass, &launch, "box-vector-columns", options, "box_vector_columns");
  capra_launch_read (&launch, sums ? sums : pass->input);
  capra_launch_read (&launch, pass->offsets ? pass->offsets : pass->input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_blocks);
  capra_launch_value (&launch, &box, sizeof box);
  return capra_launch_run (&launch, 3, (gsize[]){ (pitch + 15) / 16, runs, slabs }, (gsize[]){ 64, 1, 1 },
                           capra_box_pass_bytes (pass), error);
}
