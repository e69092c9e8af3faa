/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, for images that are read in bands: each band is labeled twice. The first time its regions are joined with
 * those of the band before; then all are numbered, and the second time its labels are replaced by these numbers. The
 * labels of a device that reads a single band are kept instead. */
#include "algorithms/common/fill.h"
#include "algorithms/label/label-seams.h"
#include "algorithms/measure/measure.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-buffer.h"
#include "runtime/memory/array-copy.h"

/* What is known of a band after it was labeled alone. */
typedef struct {
  guint32 count;
  guint32 *first, *last; /* labels of the rows at its ends */
  GArray *sizes;         /* of CapraLabelSize; NULL if all regions are kept */
  CapraArray *labels;    /* (nullable): if they are kept */
} Band;

typedef struct {
  const CapraBandSource *input;
  const CapraLabelOptions *options;
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

      g_free (band->first);
      g_free (band->last);
      g_clear_pointer (&band->sizes, g_array_unref);
      g_clear_pointer (&band->labels, capra_array_unref);
    }
  g_free (labeling->bands);
  g_free (labeling->offsets);
  g_clear_pointer (&labeling->seams, capra_label_seams_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labeling, labeling_clear)

/* The labels of band @i alone. */
static CapraArray *
label_band (const CapraBandSource *part, const CapraLabelOptions *options, gsize i, guint32 *count, GError **error)
{
  const CapraLabelOptions own = { .connectivity = options->connectivity };
  g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

  return band ? capra_label (band, &own, count, error) : NULL;
}

/* The labels of a row. Free with g_free(). */
static guint32 *
read_row (CapraArray *labels, gsize y, GError **error)
{
  gsize width = labels->shape.width;
  g_autofree guint32 *row = g_new (guint32, width);
  g_autoptr (CapraArray) copy = capra_array_new_uninitialized (labels->context, &CAPRA_SHAPE_2D (width, 1, CAPRA_U32),
                                                               error);

  if (!copy || !capra_array_copy_rows (copy, 0, labels, y, 1, error)
      || !capra_array_download_first (copy, row, width * sizeof *row, error))
    return NULL;
  return g_steal_pointer (&row);
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

/* A CapraBandPartFunc: labels each band alone. */
static gboolean
label_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  Labeling *labeling = data;
  const CapraLabelOptions *options = labeling->options;
  gboolean sizes = options->min_size > 1 || options->max_size > 0 || options->exclude_edges;
  gsize n = capra_band_source_count (part);

  for (gsize i = 0; i < n; i++)
    {
      Band *band = &labeling->bands[labeling->offsets[index] + i];
      g_autoptr (CapraArray) labels = label_band (part, options, i, &band->count, error);
      gsize top = part->first - labeling->input->first + i * part->rows;

      if (!labels || !(band->first = read_row (labels, 0, error))
          || !(band->last = read_row (labels, labels->shape.height - 1, error))
          || (sizes && !(band->sizes = find_sizes (labels, top, &labeling->input->shape, error))))
        return FALSE;
      if (n == 1)
        band->labels = g_steal_pointer (&labels);
    }
  return TRUE;
}

/* Joins the regions of all bands, and numbers them. */
static gboolean
join_bands (Labeling *labeling, guint32 *regions, GError **error)
{
  labeling->seams = capra_label_seams_new (labeling->options, labeling->input->shape.width);
  for (gsize i = 0; i < labeling->n; i++)
    {
      Band *band = &labeling->bands[i];

      if (!capra_label_seams_add_band (labeling->seams, band->count, band->first, band->last, error))
        return FALSE;
      if (band->sizes)
        capra_label_seams_add_sizes (labeling->seams, band->sizes);
      g_clear_pointer (&band->sizes, g_array_unref);
    }
  *regions = capra_label_seams_number (labeling->seams);
  return TRUE;
}

/* Replaces the labels of band @i by their numbers. */
static gboolean
renumber (CapraArray *labels, const CapraLabelSeams *seams, gsize i, GError **error)
{
  gsize n = 0, count = capra_shape_count (&labels->shape);
  g_autofree guint32 *numbers = capra_label_seams_get_numbers (seams, i, &n);
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

/* A CapraBandPartFunc: stores the final labels of each band, or their colors. */
static gboolean
store_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Labeling *labeling = data;
  const CapraLabelOptions *options = labeling->options;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      gsize number = labeling->offsets[index] + i;
      Band *band = &labeling->bands[number];
      g_autoptr (CapraArray) labels = g_steal_pointer (&band->labels);
      CapraArray *result = NULL;

      if (!labels)
        labels = label_band (part, options, i, NULL, error);
      if (!labels || !renumber (labels, labeling->seams, number, error))
        return FALSE;
      result = options->colors ? capra_label_colors (labels, error) : capra_array_ref (labels);
      g_clear_pointer (&labels, capra_array_unref);
      if (!result
          || !labeling->store (result, part->first - labeling->input->first + i * part->rows, labeling->data, error))
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

  n = capra_band_source_get_n_parts (input);
  labeling.offsets = g_new0 (gsize, n + 1);
  if (!capra_band_source_run (input, count_part, labeling.offsets + 1, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    labeling.offsets[i + 1] += labeling.offsets[i];
  labeling.n = labeling.offsets[n];
  labeling.bands = g_new0 (Band, labeling.n);
  if (!capra_band_source_run (input, label_part, &labeling, error) || !join_bands (&labeling, &regions, error)
      || !capra_band_source_run (input, store_part, &labeling, error))
    return FALSE;
  if (count)
    *count = regions;
  return TRUE;
}
