/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label, for images that are read in bands: each band is labeled twice. The first time its regions are joined with
 * those of the band before; then all are numbered, and the second time its labels are replaced by these numbers. */
#include "algorithms/common/fill.h"
#include "algorithms/label/label-seams.h"
#include "algorithms/measure/measure.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-buffer.h"
#include "runtime/memory/array-copy.h"

/* The labels of band @i alone. */
static CapraArray *
label_band (const CapraBandSource *input, const CapraLabelOptions *options, gsize i, guint32 *count, GError **error)
{
  const CapraLabelOptions own = { .connectivity = options->connectivity };
  g_autoptr (CapraArray) band = capra_band_source_read (input, i, error);

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

/* @top: the first row of @labels in the image */
static gboolean
add_sizes (CapraLabelSeams *seams, const CapraBandSource *input, CapraArray *labels, gsize top, GError **error)
{
  g_autoptr (GArray) regions = capra_measure (labels, NULL, 0, (int) top, error);

  if (!regions)
    return FALSE;
  for (guint i = 0; i < regions->len; i++)
    {
      const CapraRegion *region = &g_array_index (regions, CapraRegion, i);
      gboolean edge = region->min_x == 0 || region->min_y == 0 || (gsize) region->max_x == input->shape.width - 1
                      || (gsize) region->max_y == input->shape.height - 1;

      capra_label_seams_add_size (seams, region->label, region->area, edge);
    }
  return TRUE;
}

static gboolean
join_bands (CapraLabelSeams *seams, const CapraBandSource *input, const CapraLabelOptions *options, GError **error)
{
  gboolean sizes = options->min_size > 1 || options->max_size > 0 || options->exclude_edges;

  for (gsize i = 0; i < capra_band_source_count (input); i++)
    {
      guint32 count = 0;
      g_autoptr (CapraArray) labels = label_band (input, options, i, &count, error);
      g_autofree guint32 *first = labels ? read_row (labels, 0, error) : NULL;
      g_autofree guint32 *last = first ? read_row (labels, labels->shape.height - 1, error) : NULL;

      if (!last || !capra_label_seams_add_band (seams, count, first, last, error)
          || (sizes && !add_sizes (seams, input, labels, i * input->rows, error)))
        return FALSE;
    }
  return TRUE;
}

/* Replaces the labels of band @i by their numbers. */
static gboolean
renumber (CapraArray *labels, CapraLabelSeams *seams, gsize i, GError **error)
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

/* The final labels of band @i, or their colors. */
static CapraArray *
make_band (const CapraBandSource *input, const CapraLabelOptions *options, CapraLabelSeams *seams, gsize i,
           GError **error)
{
  g_autoptr (CapraArray) labels = label_band (input, options, i, NULL, error);

  if (!labels || !renumber (labels, seams, i, error))
    return NULL;
  return options->colors ? capra_label_colors (labels, error) : g_steal_pointer (&labels);
}

gboolean
capra_label_bands (const CapraBandSource *input, const CapraLabelOptions *options, CapraBandStoreFunc store,
                   gpointer data, guint32 *count, GError **error)
{
  g_autoptr (CapraLabelSeams) seams = NULL;
  guint32 regions = 0;

  g_return_val_if_fail (input && options && store, FALSE);

  seams = capra_label_seams_new (options, input->shape.width);
  if (!join_bands (seams, input, options, error))
    return FALSE;
  regions = capra_label_seams_number (seams);
  for (gsize i = 0; i < capra_band_source_count (input); i++)
    {
      CapraArray *band = make_band (input, options, seams, i, error);

      if (!band || !store (band, i * input->rows, data, error))
        return FALSE;
    }
  if (count)
    *count = regions;
  return TRUE;
}
