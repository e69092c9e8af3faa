/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, for images that are read in bands: the regions of each band are found twice. The first time they are joined
 * with those of the band before; then all are numbered, and the second time the labels are written. The regions of a
 * device that reads a single band are kept instead. Where regions are removed by their size or position, their parts
 * are measured the first time. */
#include "algorithms/common/fill.h"
#include "algorithms/label/label-seams.h"
#include "algorithms/label/label.h"
#include "algorithms/measure/measure.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-buffer.h"

/* What is known of a band after its regions were found. */
typedef struct {
  guint32 *edges;        /* their number, and the labels of the first and of the last row */
  GArray *sizes;         /* of CapraLabelSize; NULL if all regions are kept */
  CapraLabelPart *found; /* (nullable): if they are kept */
  CapraArray *labels;    /* (nullable): the same, with sizes */
} Band;

typedef struct {
  const CapraBandSource *input;
  const CapraLabelOptions *options;
  gboolean filter; /* whether regions may be removed */
  CapraLabelSeams *seams;
  CapraBandStoreFunc store;
  gpointer data;
  Band *bands;    /* of all parts, from top to bottom */
  gsize *offsets; /* the number of the first band of each part */
  gsize n;
} Labeling;

static void
labeling_clear (Labeling *labeling)
{
  for (gsize i = 0; i < labeling->n; i++)
    {
      Band *band = &labeling->bands[i];

      g_free (band->edges);
      g_clear_pointer (&band->sizes, g_array_unref);
      g_clear_pointer (&band->found, capra_label_part_free);
      g_clear_pointer (&band->labels, capra_array_unref);
    }
  g_free (labeling->bands);
  g_free (labeling->offsets);
  g_clear_pointer (&labeling->seams, capra_label_seams_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labeling, labeling_clear)

/* Finds the regions of band @i, none of which is removed. */
static CapraLabelPart *
find_regions (const Labeling *labeling, const CapraBandSource *part, gsize i, GError **error)
{
  const CapraLabelOptions own = { .connectivity = labeling->options->connectivity,
                                  .colors = labeling->options->colors && !labeling->filter };
  g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

  return band ? capra_label_part_new (band, &own, TRUE, error) : NULL;
}

/* The labels of band @i alone. */
static CapraArray *
write_labels (const Labeling *labeling, const CapraBandSource *part, gsize i, GError **error)
{
  g_autoptr (CapraLabelPart) found = find_regions (labeling, part, i, error);

  return found ? capra_label_part_write (found, NULL, 0, 0, error) : NULL;
}

/* The sizes of the regions of a band. @top: the first row of @labels in the image of @shape */
static GArray *
find_sizes (CapraArray *labels, gsize top, const CapraShape *shape, GError **error)
{
  g_autoptr (GArray) regions = capra_measure (labels, NULL, 0, (int) top, error);
  GArray *sizes = NULL;

  if (!regions)
    return NULL;
  sizes = g_array_new (FALSE, FALSE, sizeof (CapraLabelSize));
  for (guint i = 0; i < regions->len; i++)
    {
      const CapraRegion *region = &g_array_index (regions, CapraRegion, i);
      CapraLabelSize size = { region->area, region->min_x == 0 || region->min_y == 0
                                              || (gsize) region->max_x == shape->width - 1
                                              || (gsize) region->max_y == shape->height - 1 };

      g_array_append_val (sizes, size);
    }
  return sizes;
}

/* A CapraBandPartFunc: finds the regions of each band alone. */
static gboolean
find_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  Labeling *labeling = data;
  gsize n = capra_band_source_count (part);

  for (gsize i = 0; i < n; i++)
    {
      Band *band = &labeling->bands[labeling->offsets[index] + i];
      g_autoptr (CapraLabelPart) found = find_regions (labeling, part, i, error);
      gsize top = part->first - labeling->input->first + i * part->rows;
      const guint32 *edges = found ? capra_label_part_get_edges (found, error) : NULL;

      if (!edges)
        return FALSE;
      band->edges = g_memdup2 (edges, (1 + 2 * labeling->input->shape.width) * sizeof *edges);
      if (labeling->filter)
        {
          g_autoptr (CapraArray) labels = capra_label_part_write (found, NULL, 0, 0, error);

          if (!labels || !(band->sizes = find_sizes (labels, top, &labeling->input->shape, error)))
            return FALSE;
          if (n == 1)
            band->labels = g_steal_pointer (&labels);
        }
      else if (n == 1)
        band->found = g_steal_pointer (&found);
    }
  return TRUE;
}

/* Joins the regions of all bands, and numbers them. */
static gboolean
join_bands (Labeling *labeling, guint32 *regions, GError **error)
{
  gsize width = labeling->input->shape.width;

  labeling->seams = capra_label_seams_new (labeling->options, width);
  for (gsize i = 0; i < labeling->n; i++)
    {
      Band *band = &labeling->bands[i];
      const guint32 *first = i > 0 ? band->edges + 1 : NULL;
      const guint32 *last = i + 1 < labeling->n ? band->edges + 1 + width : NULL;

      if (!capra_label_seams_add_band (labeling->seams, band->edges[0], first, last, g_steal_pointer (&band->sizes),
                                       error))
        return FALSE;
      g_clear_pointer (&band->edges, g_free);
    }
  *regions = capra_label_seams_number (labeling->seams);
  return TRUE;
}

/* Replaces the labels of band @i by their numbers. */
static gboolean
renumber (CapraArray *labels, const CapraLabelSeams *seams, gsize i, GError **error)
{
  gsize n = 0, count = capra_shape_count (&labels->shape);
  const guint32 *numbers = capra_label_seams_get_numbers (seams, i, &n);
  g_autoptr (CapraArray) table = capra_array_new_uninitialized (labels->context, &CAPRA_SHAPE_2D (n, 1, CAPRA_U32),
                                                                error);
  CapraLaunch launch;

  if (!table || !capra_array_upload_first (table, numbers, n * sizeof *numbers, error))
    return FALSE;
  capra_launch_begin (&launch, labels->context, "label-renumber", NULL, "label_renumber");
  capra_launch_write (&launch, labels);
  capra_launch_ulong (&launch, count);
  capra_launch_read (&launch, table);
  return capra_launch_run_1d (&launch, count, 256, 2 * capra_shape_bytes (&labels->shape), error);
}

/* The final labels of band @i of @part, or their colors, where regions are removed. @number: of the band in the image
 */
static CapraArray *
finish_filtered (const Labeling *labeling, const CapraBandSource *part, gsize i, gsize number, GError **error)
{
  g_autoptr (CapraArray) labels = g_steal_pointer (&labeling->bands[number].labels);

  if (!labels)
    labels = write_labels (labeling, part, i, error);
  if (!labels || !renumber (labels, labeling->seams, number, error))
    return NULL;
  return labeling->options->colors ? capra_label_colors (labels, error) : g_steal_pointer (&labels);
}

/* The same where all regions are kept. */
static CapraArray *
finish (const Labeling *labeling, const CapraBandSource *part, gsize i, gsize number, GError **error)
{
  g_autoptr (CapraLabelPart) found = g_steal_pointer (&labeling->bands[number].found);
  const CapraLabelChange *changes = NULL;
  guint32 base = 0;
  gsize n = 0;

  if (!found)
    found = find_regions (labeling, part, i, error);
  changes = capra_label_seams_get_changes (labeling->seams, number, &n, &base);
  return found ? capra_label_part_write (found, changes, n, base, error) : NULL;
}

/* A CapraBandPartFunc: stores the final labels of each band, or their colors. */
static gboolean
store_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Labeling *labeling = data;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      gsize number = labeling->offsets[index] + i;
      CapraArray *labels = labeling->filter ? finish_filtered (labeling, part, i, number, error)
                                            : finish (labeling, part, i, number, error);

      if (!labels
          || !labeling->store (labels, part->first - labeling->input->first + i * part->rows, labeling->data, error))
        return FALSE;
    }
  return TRUE;
}

/* A CapraBandPartFunc. */
static gboolean
count_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  gsize *counts = data;

  counts[index] = capra_band_source_count (part);
  return TRUE;
}

gboolean
capra_label_bands (const CapraBandSource *input, const CapraLabelOptions *options, CapraBandStoreFunc store,
                   gpointer data, guint32 *count, GError **error)
{
  g_auto (Labeling) labeling = { input, options, .store = store, .data = data };
  guint n = 0;
  guint32 regions = 0;

  g_return_val_if_fail (input && options && store, FALSE);

  labeling.filter = capra_label_options_filter (options);
  n = capra_band_source_get_n_parts (input);
  labeling.offsets = g_new0 (gsize, n + 1);
  if (!capra_band_source_run (input, count_part, labeling.offsets + 1, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    labeling.offsets[i + 1] += labeling.offsets[i];
  labeling.n = labeling.offsets[n];
  labeling.bands = g_new0 (Band, labeling.n);
  if (!capra_band_source_run (input, find_part, &labeling, error) || !join_bands (&labeling, &regions, error)
      || !capra_band_source_run (input, store_part, &labeling, error))
    return FALSE;
  if (count)
    *count = regions;
  return TRUE;
}
