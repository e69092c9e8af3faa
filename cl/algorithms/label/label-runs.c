/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, the variant for few strong work-items: stripes of rows (kernels/label-runs.cl). */
#include "algorithms/label/label-private.h"
#include "runtime/launch/tuning.h"

/* The runs' arrays and shape; see kernels/label-runs.cl. */
typedef struct {
  CapraArray *bits, *parent, *label, *first, *components, *area, *keep;
  guint32 words, strips, stripes, capacity;
} Runs;

static void
runs_clear (Runs *runs)
{
  CapraArray **arrays[] = { &runs->bits,       &runs->parent, &runs->label, &runs->first,
                            &runs->components, &runs->area,   &runs->keep };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Runs, runs_clear)

static gboolean
runs_prepare (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraDevice *device = work->context->device;
  gsize all = capra_label_divide (work->height, work->span);
  gsize stripes = (gsize) work->context->info->compute_units
                  * MAX (capra_tuning_get_int (device, "label.strips", 8), 1);
  gsize nodes = 0;

  runs->words = capra_label_divide (work->width, 64);
  runs->strips = capra_label_divide (all, MIN (stripes, all));
  runs->stripes = capra_label_divide (all, runs->strips);
  nodes = (gsize) runs->stripes * runs->strips * (((gsize) work->width + 1) / 2);
  if (nodes > G_MAXUINT32)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "an image of %u x %u pixels may have more runs than labels can number; label it "
                   "in parts",
                   work->width, work->height);
      return FALSE;
    }
  runs->capacity = nodes / runs->stripes;

  runs->bits = capra_label_scratch (work, all * work->span * runs->words * 2, CAPRA_U32, error);
  if (runs->bits)
    runs->parent = capra_label_scratch (work, nodes, CAPRA_U32, error);
  if (runs->parent)
    runs->label = capra_label_scratch (work, nodes, CAPRA_U32, error);
  if (runs->label)
    runs->first = capra_label_scratch (work, all + runs->stripes, CAPRA_U32, error);
  if (runs->first)
    runs->components = capra_label_scratch (work, runs->stripes, CAPRA_U32, error);
  if (runs->components)
    runs->area = capra_label_scratch (work, work->filter ? nodes : 1, CAPRA_U32, error);
  if (runs->area)
    runs->keep = capra_label_scratch (work, work->filter ? nodes : 1, CAPRA_U32, error);
  return runs->keep != NULL;
}

static gboolean
runs_pack (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-pack", work->pack_options, "label_pack_rows");
  capra_launch_read (&launch, work->input);
  capra_launch_write (&launch, runs->bits);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, capra_label_divide (work->height, work->span) * work->span);
  capra_launch_uint (&launch, runs->strips * work->span);
  return capra_launch_run_1d (&launch, runs->stripes, 1, capra_shape_bytes (&work->input->shape), error);
}

static gboolean
runs_scan (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_scan");
  capra_launch_read (&launch, runs->bits);
  capra_launch_write (&launch, runs->parent);
  capra_launch_write (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->stripes, 1, 0, error);
}

static gboolean
runs_areas (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_areas");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_int (&launch, work->edges);
  return capra_launch_run_1d (&launch, runs->stripes, 1, 0, error);
}

static gboolean
runs_join (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  if (runs->stripes < 2)
    return TRUE;
  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_join");
  capra_launch_read (&launch, runs->bits);
  capra_launch_write (&launch, runs->parent);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->stripes - 1, 1, 0, error);
}

static gboolean
runs_filter (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_collect");
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_uint (&launch, runs->capacity);
  if (!capra_launch_run_1d (&launch, runs->stripes, 1, 0, error))
    return FALSE;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_keep");
  capra_launch_read (&launch, runs->parent);
  capra_launch_read (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_uint (&launch, runs->capacity);
  capra_launch_uint (&launch, work->min_size);
  capra_launch_uint (&launch, work->max_size);
  return capra_launch_run_1d (&launch, runs->stripes, 1, 0, error);
}

static gboolean
runs_write (Runs *runs, const CapraLabelWork *work, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_number");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_read (&launch, runs->components);
  capra_launch_read (&launch, runs->keep);
  capra_launch_write (&launch, work->count);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_int (&launch, work->filter);
  if (!capra_launch_run_1d (&launch, runs->stripes, 1, 0, error))
    return FALSE;

  capra_launch_begin (&launch, work->context, "label-runs", work->options, "label_runs_write");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, work->labels);
  capra_launch_uint (&launch, work->width);
  capra_launch_uint (&launch, work->height);
  capra_launch_uint (&launch, runs->strips);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->stripes, 1, capra_shape_bytes (&work->labels->shape), error);
}

gboolean
capra_label_runs (const CapraLabelWork *work, GError **error)
{
  g_auto (Runs) runs = { NULL };

  return runs_prepare (&runs, work, error) && runs_pack (&runs, work, error) && runs_scan (&runs, work, error)
         && (!work->filter || runs_areas (&runs, work, error)) && runs_join (&runs, work, error)
         && (!work->filter || runs_filter (&runs, work, error)) && runs_write (&runs, work, error);
}
