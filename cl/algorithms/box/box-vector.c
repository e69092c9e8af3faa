/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Box blur on CPUs: rows by sums of 1, 2, 4, ... neighbours, columns by runs, 16 side by side. */
#include "algorithms/box/box-private.h"

/* The longest run; kernels/box-vector-columns.cl has space for no more. */
#define LONGEST_RUN 256
#define ROW_VALUES 2048 /* that a work-item of box-vector-rows.cl makes */

static gboolean
run_rows (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, const CapraBox *box,
          GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  g_autofree char *options = capra_box_options (shape, 0, more != NULL);
  gsize piece = ROW_VALUES / shape->channels;
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "box-vector-rows", options, "box_vector_rows");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_value (&launch, box, sizeof *box);
  return capra_launch_run_2d (&launch, ((gsize) box->n_result + piece - 1) / piece,
                              capra_axis_slabs (shape, axis->number), 1, 1,
                              capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

/* The sums of @n_spans spans of a run's length. */
static CapraArray *
run_blocks (CapraArray *input, const CapraAxis *axis, const CapraBox *box, int n_spans, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraShape spans = capra_axis_shape (shape, axis->number, n_spans);
  g_autoptr (CapraArray) blocks = capra_array_new_uninitialized (input->context, &spans, error);
  g_autofree char *options = capra_box_options (shape, 16, FALSE);
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  CapraLaunch launch;

  if (!blocks)
    return NULL;
  capra_launch_begin (&launch, input->context, "box-sums", options, "box_blocks");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, blocks);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);
  if (!capra_launch_run (&launch, 3,
                         (gsize[]){ (pitch + 15) / 16, (gsize) n_spans, capra_axis_slabs (shape, axis->number) },
                         pitch >= 16 ? (gsize[]){ 64, 1, 1 } : (gsize[]){ 1, 64, 1 },
                         capra_shape_bytes (shape) + capra_shape_bytes (&spans), error))
    return NULL;
  return g_steal_pointer (&blocks);
}

static gboolean
run_columns (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
             GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  g_autofree char *options = capra_box_options (shape, 16, more != NULL);
  g_autoptr (CapraArray) blocks = NULL;
  guint64 pitch = capra_axis_pitch (shape, axis->number);
  gsize slabs = capra_axis_slabs (shape, axis->number), runs;
  int n_spans = 0;
  CapraLaunch launch;

  box->run = MIN (box->count, LONGEST_RUN);
  box->n_blocks = box->count / box->run - 1;
  capra_box_anchor (box, axis, box->run);
  runs = ((gsize) box->n_result + (gsize) box->run - 1) / (gsize) box->run;
  if (box->n_blocks > 0)
    {
      n_spans = (int) runs + box->n_blocks;
      blocks = run_blocks (input, axis, box, n_spans, error);
      if (!blocks)
        return FALSE;
    }
  capra_launch_begin (&launch, input->context, "box-vector-columns", options, "box_vector_columns");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, output);
  capra_launch_read (&launch, blocks ? blocks : input);
  capra_launch_read (&launch, more ? more : input);
  capra_launch_ulong (&launch, pitch);
  capra_launch_int (&launch, n_spans);
  capra_launch_value (&launch, box, sizeof *box);
  return capra_launch_run (&launch, 3, (gsize[]){ (pitch + 15) / 16, runs, slabs }, (gsize[]){ 64, 1, 1 },
                           capra_shape_bytes (shape) + capra_shape_bytes (capra_array_get_shape (output)), error);
}

gboolean
capra_box_run_cpu (CapraArray *input, CapraArray *output, CapraArray *more, const CapraAxis *axis, CapraBox *box,
                   GError **error)
{
  if (capra_axis_is_row (capra_array_get_shape (input), axis->number))
    return run_rows (input, output, more, axis, box, error);
  return run_columns (input, output, more, axis, box, error);
}
