/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Labeling split arrays: each device finds the regions of its own rows, the host joins those that meet at the borders,
 * and each device writes the labels of its rows. */
#include "algorithms/common/crop.h"
#include "algorithms/label/label-seams.h"
#include "algorithms/split/split-array-private.h"

typedef struct {
  const CapraSplitArray *source;
  CapraSplitArray *result;
  CapraLabelPart **found; /* of each part */
} Labeling;

static void
labeling_clear (Labeling *labeling)
{
  for (guint i = 0; labeling->found && i < labeling->source->n; i++)
    g_clear_pointer (&labeling->found[i], capra_label_part_free);
  g_free (labeling->found);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labeling, labeling_clear)

/* The own rows of a part. */
static CapraArray *
get_own (const CapraSplitArray *split, guint i, GError **error)
{
  const SplitPart *part = &split->parts[i];
  const CapraRect own = { 0, (int) (part->own.first - part->held.first), (int) split->shape.width,
                          (int) part->own.count };

  return part->held.count == part->own.count ? capra_array_ref (part->array) : capra_crop (part->array, &own, error);
}

static void
set_result (Labeling *labeling, guint i, CapraArray *labels)
{
  SplitRows own = labeling->source->parts[i].own;

  labeling->result->parts[i] = (SplitPart){ labels, own, own };
}

/* Enqueues the search for the regions of all parts, so that the devices work at the same time. */
static gboolean
find_regions (Labeling *labeling, const CapraLabelOptions *options, GError **error)
{
  labeling->found = g_new0 (CapraLabelPart *, labeling->source->n);
  for (guint i = 0; i < labeling->source->n; i++)
    {
      g_autoptr (CapraArray) own = get_own (labeling->source, i, error);

      labeling->found[i] = own ? capra_label_part_new (own, options, TRUE, error) : NULL;
      if (!labeling->found[i])
        return FALSE;
    }
  return TRUE;
}

static gboolean
join_parts (const Labeling *labeling, CapraLabelSeams *seams, GError **error)
{
  gsize width = labeling->source->shape.width;
  guint n = labeling->source->n;

  for (guint i = 0; i < n; i++)
    {
      const guint32 *edges = capra_label_part_get_edges (labeling->found[i], error);
      const guint32 *first = i > 0 && edges ? edges + 1 : NULL, *last = i + 1 < n && edges ? edges + 1 + width : NULL;

      if (!edges || !capra_label_seams_add_band (seams, edges[0], first, last, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_labels (Labeling *labeling, const CapraLabelSeams *seams, GError **error)
{
  for (guint i = 0; i < labeling->source->n; i++)
    {
      gsize n = 0;
      guint32 base = 0;
      const CapraLabelChange *changes = capra_label_seams_get_changes (seams, i, &n, &base);
      CapraArray *labels = capra_label_part_write (labeling->found[i], changes, n, base, error);

      if (!labels)
        return FALSE;
      set_result (labeling, i, labels);
    }
  return TRUE;
}

static gboolean
label_all (Labeling *labeling, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  g_autoptr (CapraLabelSeams) seams = capra_label_seams_new (options, labeling->source->shape.width);
  guint32 regions = 0;

  if (!find_regions (labeling, options, error) || !join_parts (labeling, seams, error))
    return FALSE;
  regions = capra_label_seams_number (seams);
  if (count)
    *count = regions;
  return write_labels (labeling, seams, error);
}

static guint
find_part (const CapraSplitArray *split, gsize row)
{
  guint i = 0;

  while (row >= split->parts[i].own.first + split->parts[i].own.count)
    i++;
  return i;
}

/* A CapraBandFunc. */
static CapraArray *
read_part (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  const Labeling *labeling = data;

  return get_own (labeling->source, find_part (labeling->source, first), error);
}

/* A CapraBandStoreFunc. */
static gboolean
store_part (CapraArray *band, gsize first, gpointer data, GError **error)
{
  Labeling *labeling = data;

  set_result (labeling, find_part (labeling->source, first), band);
  return TRUE;
}

/* Where regions may be removed, their sizes are needed on the host. */
static gboolean
label_filtered (Labeling *labeling, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  const CapraSplitArray *split = labeling->source;
  g_autofree CapraBandPart *parts = g_new0 (CapraBandPart, split->n);
  CapraBandSource source = { .device = capra_array_get_device (split->parts[0].array),
                             .shape = split->shape,
                             .rows = split->shape.height,
                             .read = read_part,
                             .data = labeling,
                             .parts = parts,
                             .n_parts = split->n };

  for (guint i = 0; i < split->n; i++)
    parts[i] = (CapraBandPart){ capra_array_get_device (split->parts[i].array), split->parts[i].own.count };
  return capra_label_bands (&source, options, store_part, labeling, count, error);
}

/* The same of a single part, which meets no other one. */
static gboolean
label_single (Labeling *labeling, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  g_autoptr (CapraArray) own = get_own (labeling->source, 0, error);
  CapraArray *labels = own ? capra_label (own, options, count, error) : NULL;

  if (labels)
    set_result (labeling, 0, labels);
  return labels != NULL;
}

CapraSplitArray *
capra_split_array_label (const CapraSplitArray *split, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  CapraSplitArray *result = split_array_new (&split->shape, split->margin, split->n);
  g_auto (Labeling) labeling = { split, result };
  gboolean (*label) (Labeling *, const CapraLabelOptions *, guint32 *, GError **) = label_all;

  if (split->n == 1)
    label = label_single;
  else if (capra_label_options_filter (options))
    label = label_filtered;
  return split_array_end (result, split->n, label (&labeling, options, count, error));
}
