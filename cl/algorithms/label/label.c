/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: connected components by union-find on the device. In all variants the nodes are runs of one line of the mask
 * for 4-connectivity, of two lines for 8 (label.clh). */
#include <glib/gi18n-lib.h>

#include "algorithms/label/label-color.h"
#include "algorithms/label/label-private.h"
#include "algorithms/label/label-scratch.h"
#include "runtime/device/tuning.h"

/* The first is the default. */
static const CapraLabelVariant *const variants[] = { &capra_label_runs, &capra_label_blocks };

static void
labeling_clear (CapraLabeling *labeling)
{
  g_free (labeling->pack_options);
  g_free (labeling->options);
  g_clear_pointer (&labeling->labels, capra_array_unref);
  g_clear_pointer (&labeling->count, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraLabeling, labeling_clear)

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
label_check (CapraArray *input, const CapraLabelOptions *options, GError **error)
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
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("an image of %zu x %zu"
                    " pixels is too large for 32-bit labels: label it in parts"),
                 shape->width, shape->height);
  else
    return TRUE;
  return FALSE;
}

CapraArray *
capra_label (CapraArray *input, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  g_auto (CapraLabeling) labeling = { NULL };
  const char *type = NULL;
  CapraShape shape;

  g_return_val_if_fail (input != NULL && options != NULL, NULL);

  if (!label_check (input, options, error))
    return NULL;
  shape = input->shape;
  type = capra_launch_type (shape.type);
  shape.type = options->colors ? CAPRA_U8 : CAPRA_U32;
  shape.channels = options->colors ? 4 : 1;
  labeling.context = input->context;
  labeling.input = input;
  labeling.width = shape.width;
  labeling.height = shape.height;
  labeling.span = options->connectivity == 8 ? 2 : 1;
  labeling.exclude_edges = options->exclude_edges;
  labeling.colors = options->colors;
  labeling.min_size = MIN (options->min_size, G_MAXUINT32);
  labeling.max_size = options->max_size ? MIN (options->max_size, G_MAXUINT32) : G_MAXUINT32;
  labeling.filter = labeling.exclude_edges || labeling.min_size > 1
                    || labeling.max_size < capra_shape_count (&input->shape);
  labeling.pack_options = g_strdup_printf ("-DIN=%s -DIN8=%s8", type, type);
  labeling.options = g_strdup_printf ("-DSPAN=%u", labeling.span);
  labeling.labels = capra_array_new_uninitialized (labeling.context, &shape, error);
  labeling.count = labeling.labels ? capra_label_scratch (labeling.context, 1, CAPRA_U32, error) : NULL;

  if (!labeling.count || !find_variant (input->context->device)->run (&labeling, error)
      || (count && !capra_array_download_first (labeling.count, count, sizeof *count, error)))
    return NULL;
  return g_steal_pointer (&labeling.labels);
}

guint32
capra_label_color (guint32 label)
{
  guint32 color = 0xff;

  if (label == 0)
    return 0;
  for (int channel = 0; channel < 3; channel++)
    color = color << 8 | label_color_channel (label, channel);
  return color;
}

CapraArray *
capra_label_colors (CapraArray *labels, GError **error)
{
  g_autoptr (CapraArray) colors = NULL;
  CapraShape shape;
  CapraLaunch launch;
  gsize count = 0;

  g_return_val_if_fail (labels != NULL, NULL);

  shape = labels->shape;
  count = capra_shape_count (&shape);
  if (shape.type != CAPRA_U32 || shape.channels != 1)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("labels must be u32 with one channel, not %s with %u"),
                   capra_type_name (shape.type), shape.channels);
      return NULL;
    }
  shape.type = CAPRA_U8;
  shape.channels = 4;
  colors = capra_array_new_uninitialized (labels->context, &shape, error);
  if (!colors)
    return NULL;

  capra_launch_begin (&launch, labels->context, "label-colors", NULL, "label_colors");
  capra_launch_read (&launch, labels);
  capra_launch_write (&launch, colors);
  capra_launch_ulong (&launch, count);
  if (!capra_launch_run_1d (&launch, count, 256, 8 * (guint64) count, error))
    return NULL;
  return g_steal_pointer (&colors);
}
