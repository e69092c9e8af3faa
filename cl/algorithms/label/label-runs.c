/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, the variant for few strong work-items, which walk down strips of rows (label-runs.clh). */
#include <glib/gi18n-lib.h>

#include "algorithms/label/label-params.h"
#include "algorithms/label/label-variant.h"
#include "algorithms/label/label-scratch.h"
#include "runtime/device/tuning.h"

/* Arrays and sizes as label-runs.clh names them. */
typedef struct {
  CapraArray *bits, *parent, *label, *first, *components, *area, *keep;
  guint32 words; /* of a row */
  guint32 bands; /* of a strip */
  guint32 strips;
  guint32 capacity; /* nodes that a strip may have */
} Runs;

static void
runs_free (gpointer data)
{
  Runs *runs = data;
  CapraArray **arrays[] = { &runs->bits,       &runs->parent, &runs->label, &runs->first,
                            &runs->components, &runs->area,   &runs->keep };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (arrays[i], capra_array_unref);
  g_free (runs);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Runs, runs_free)

static gboolean
runs_allocate (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraDevice *device = labeling->context->device;
  gsize all = capra_label_divide (labeling->height, labeling->span);
  gsize strips = (gsize) labeling->context->info->compute_units
                 * MAX (capra_tuning_get_int (device, "label.strips", 8), 1);
  gsize nodes = 0;

  runs->words = LABEL_RUNS_WORDS (labeling->width);
  runs->bands = capra_label_divide (all, MIN (strips, all));
  runs->strips = capra_label_divide (all, runs->bands);
  nodes = (gsize) runs->strips * runs->bands * (((gsize) labeling->width + 1) / 2);
  if (nodes > G_MAXUINT32)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY, /* as for an image with too many pixels */
                   _ ("an image of %u x %u pixels may have more runs than 32-bit numbers can count: label it in parts"),
                   labeling->width, labeling->height);
      return FALSE;
    }
  runs->capacity = nodes / runs->strips;

  runs->bits = capra_label_scratch (labeling->context, all * labeling->span * runs->words * 2, CAPRA_U32, error);
  if (runs->bits)
    runs->parent = capra_label_scratch (labeling->context, nodes, CAPRA_U32, error);
  if (runs->parent)
    runs->label = capra_label_scratch (labeling->context, nodes, CAPRA_U32, error);
  if (runs->label)
    runs->first = capra_label_scratch (labeling->context, all + runs->strips, CAPRA_U32, error);
  if (runs->first)
    runs->components = capra_label_scratch (labeling->context, runs->strips, CAPRA_U32, error);
  if (runs->components)
    runs->area = capra_label_scratch (labeling->context, labeling->filter ? nodes : 1, CAPRA_U32, error);
  if (runs->area)
    runs->keep = capra_label_scratch (labeling->context, labeling->filter ? nodes : 1, CAPRA_U32, error);
  return runs->keep != NULL;
}

static gboolean
runs_pack (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs-pack", labeling->pack_options, "label_runs_pack");
  capra_launch_read (&launch, labeling->input);
  capra_launch_write (&launch, runs->bits);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, capra_label_divide (labeling->height, labeling->span) * labeling->span);
  capra_launch_uint (&launch, runs->bands * labeling->span);
  return capra_launch_run_1d (&launch, runs->strips, 1, capra_shape_bytes (&labeling->input->shape), error);
}

static gboolean
runs_scan (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_scan");
  capra_launch_read (&launch, runs->bits);
  capra_launch_write (&launch, runs->parent);
  capra_launch_write (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->strips, 1, 0, error);
}

static gboolean
runs_areas (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_areas");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_int (&launch, labeling->exclude_edges);
  return capra_launch_run_1d (&launch, runs->strips, 1, 0, error);
}

static gboolean
runs_join (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  if (runs->strips < 2)
    return TRUE;
  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_join");
  capra_launch_read (&launch, runs->bits);
  capra_launch_write (&launch, runs->parent);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->strips - 1, 1, 0, error);
}

static gboolean
runs_filter (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_collect");
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_uint (&launch, runs->capacity);
  if (!capra_launch_run_1d (&launch, runs->strips, 1, 0, error))
    return FALSE;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_keep");
  capra_launch_read (&launch, runs->parent);
  capra_launch_read (&launch, runs->area);
  capra_launch_write (&launch, runs->keep);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, runs->components);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_uint (&launch, runs->capacity);
  capra_launch_uint (&launch, labeling->min_size);
  capra_launch_uint (&launch, labeling->max_size);
  return capra_launch_run_1d (&launch, runs->strips, 1, 0, error);
}

/* With @edges the labels stay numbers, since they are numbered again. */
static gboolean
runs_number (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_number");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_read (&launch, runs->components);
  capra_launch_read (&launch, runs->keep);
  capra_launch_write (&launch, labeling->count);
  capra_launch_uint (&launch, runs->words);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_int (&launch, labeling->filter);
  capra_launch_int (&launch, labeling->colors && !labeling->edges);
  return capra_launch_run_1d (&launch, runs->strips, 1, 0, error);
}

static gboolean
runs_edges (Runs *runs, const CapraLabeling *labeling, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_edges");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_read (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, labeling->count);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  return capra_launch_run_1d (&launch, 2, 1, 0, error);
}

static gboolean
runs_renumber (Runs *runs, const CapraLabeling *labeling, const CapraLabelNumbering *numbering, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_renumber");
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_int (&launch, labeling->colors);
  capra_label_launch_numbering (&launch, numbering);
  return capra_launch_run_1d (&launch, runs->strips, 1, 0, error);
}

static gpointer
runs_find (const CapraLabeling *labeling, GError **error)
{
  g_autoptr (Runs) runs = g_new0 (Runs, 1);

  if (!runs_allocate (runs, labeling, error) || !runs_pack (runs, labeling, error) || !runs_scan (runs, labeling, error)
      || (labeling->filter && !runs_areas (runs, labeling, error)) || !runs_join (runs, labeling, error)
      || (labeling->filter && !runs_filter (runs, labeling, error)) || !runs_number (runs, labeling, error)
      || (labeling->edges && !runs_edges (runs, labeling, error)))
    return NULL;
  return g_steal_pointer (&runs);
}

static gboolean
runs_write (const CapraLabeling *labeling, gpointer found, const CapraLabelNumbering *numbering, GError **error)
{
  Runs *runs = found;
  CapraLaunch launch;

  if (labeling->edges && !runs_renumber (runs, labeling, numbering, error))
    return FALSE;
  capra_launch_begin (&launch, labeling->context, "label-runs", labeling->options, "label_runs_write");
  capra_launch_read (&launch, runs->bits);
  capra_launch_read (&launch, runs->parent);
  capra_launch_write (&launch, runs->label);
  capra_launch_read (&launch, runs->first);
  capra_launch_write (&launch, labeling->labels);
  capra_launch_uint (&launch, labeling->width);
  capra_launch_uint (&launch, labeling->height);
  capra_launch_uint (&launch, runs->bands);
  capra_launch_uint (&launch, runs->capacity);
  return capra_launch_run_1d (&launch, runs->strips, 1, capra_shape_bytes (&labeling->labels->shape), error);
}

const CapraLabelVariant capra_label_runs = { "runs", runs_find, runs_write, runs_free };
