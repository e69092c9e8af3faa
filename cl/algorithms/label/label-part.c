/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: an image whose regions are found before they have their numbers. */
#include "algorithms/label/label-part.h"

#include <glib/gi18n-lib.h>

#include "algorithms/label/label-variant.h"
#include "algorithms/label/label-scratch.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-buffer.h"

/* The first is the default. */
static const CapraLabelVariant *const variants[] = { &capra_label_runs, &capra_label_blocks };

struct _CapraLabelPart {
  CapraLabeling labeling;
  const CapraLabelVariant *variant;
  gpointer found;
  CapraBuffer *edges; /* the first numbers of labeling.count, on the host */
};

void
capra_label_part_free (CapraLabelPart *part)
{
  if (part->found)
    part->variant->free (part->found);
  g_free (part->labeling.pack_options);
  g_free (part->labeling.options);
  g_clear_pointer (&part->labeling.labels, capra_array_unref);
  g_clear_pointer (&part->labeling.count, capra_array_unref);
  g_clear_pointer (&part->edges, capra_pool_release);
  g_free (part);
}

gboolean
capra_label_options_filter (const CapraLabelOptions *options)
{
  return options->min_size > 1 || options->max_size > 0 || options->exclude_edges;
}

static const CapraLabelVariant *
find_variant (CapraDevice *device)
{
  const char *name = capra_tuning_get_word (device, "label.variant", variants[0]->name);

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    if (g_str_equal (name, variants[i]->name))
      return variants[i];
  return variants[0];
}

static gboolean
check (CapraArray *input, const CapraLabelOptions *options, GError **error)
{
  const CapraShape *shape = &input->shape;

  if (shape->depth != 1 || shape->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("labeling requires an image with one channel and one plane, not %u channels and %zu"
                    " planes: convert the image, or label each plane"),
                 shape->channels, shape->depth);
  else if (options->connectivity != 4 && options->connectivity != 8)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("connectivity must be 4 or 8, not %d"),
                 options->connectivity);
  else if (capra_shape_count (shape) >= G_MAXUINT32)
    /* Like a lack of memory, this is a reason to label the image in bands. */
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY,
                 _ ("an image of %zu x %zu"
                    " pixels is too large for 32-bit labels: label it in parts"),
                 shape->width, shape->height);
  else
    return TRUE;
  return FALSE;
}

/* All of a labeling but its arrays. */
static void
describe (CapraLabeling *labeling, CapraArray *input, const CapraLabelOptions *options)
{
  const CapraShape *shape = &input->shape;
  const char *type = capra_launch_type (shape->type);

  labeling->context = input->context;
  labeling->input = input;
  labeling->width = shape->width;
  labeling->height = shape->height;
  labeling->span = options->connectivity == 8 ? 2 : 1;
  labeling->exclude_edges = options->exclude_edges;
  labeling->colors = options->colors;
  labeling->min_size = MIN (options->min_size, G_MAXUINT32);
  labeling->max_size = options->max_size ? MIN (options->max_size, G_MAXUINT32) : G_MAXUINT32;
  labeling->filter = capra_label_options_filter (options);
  labeling->pack_options = g_strdup_printf ("-DIN=%s -DIN8=%s8", type, type);
  labeling->options = g_strdup_printf ("-DSPAN=%u", labeling->span);
}

/* Their download follows the search, so that other devices can be given their work before the host waits. */
static gboolean
start_edges (CapraLabelPart *part, GError **error)
{
  gsize n = 1 + 2 * (gsize) part->labeling.width;

  part->edges = capra_array_start_download_first (part->labeling.count, n * sizeof (guint32), error);
  return part->edges != NULL;
}

CapraLabelPart *
capra_label_part_new (CapraArray *input, const CapraLabelOptions *options, gboolean edges, GError **error)
{
  g_autoptr (CapraLabelPart) part = NULL;
  CapraLabeling *labeling = NULL;
  CapraShape shape = input->shape;

  if (!check (input, options, error))
    return NULL;
  shape.type = options->colors ? CAPRA_U8 : CAPRA_U32;
  shape.channels = options->colors ? 4 : 1;
  part = g_new0 (CapraLabelPart, 1);
  part->variant = find_variant (input->context->device);
  labeling = &part->labeling;
  describe (labeling, input, options);
  labeling->labels = capra_array_new_uninitialized (labeling->context, &shape, error);
  labeling->edges = edges;
  if (labeling->labels)
    labeling->count = capra_label_scratch (labeling->context, 1 + (edges ? 2 * shape.width : 0), CAPRA_U32, error);
  if (!labeling->count)
    return NULL;
  part->found = part->variant->find (labeling, error);
  if (!part->found || (edges && !start_edges (part, error)))
    return NULL;
  return g_steal_pointer (&part);
}

gboolean
capra_label_part_read_count (CapraLabelPart *part, guint32 *count, GError **error)
{
  return capra_array_download_first (part->labeling.count, count, sizeof *count, error);
}

const guint32 *
capra_label_part_get_edges (CapraLabelPart *part, GError **error)
{
  return capra_buffer_wait (part->edges, error) ? part->edges->host : NULL;
}

CapraArray *
capra_label_part_write (CapraLabelPart *part, const CapraLabelChange *changes, gsize n, guint32 base, GError **error)
{
  CapraLabeling *labeling = &part->labeling;
  CapraLabelNumbering numbering = { labeling->count, (guint32) n, base };
  g_autoptr (CapraArray) table = NULL;

  if (n > 0)
    {
      table = capra_label_scratch (labeling->context, 2 * n, CAPRA_U32, error);
      if (!table || !capra_array_upload_first (table, changes, n * sizeof *changes, error))
        return NULL;
      numbering.changes = table;
    }
  if (!part->variant->write (labeling, part->found, &numbering, error))
    return NULL;
  return g_steal_pointer (&labeling->labels);
}
