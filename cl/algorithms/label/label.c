/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: connected components by union-find on the device, in a variant for few strong work-items
 * (label-runs.c) and one for many (label-blocks.c). In both the nodes are runs of one line of the
 * mask for 4-connectivity, of two lines for 8 (kernels/label.clh). */
#include "algorithms/label/label-private.h"
#include "runtime/launch/tuning.h"

static void
work_clear (CapraLabelWork *work)
{
  g_free (work->pack_options);
  g_free (work->options);
  g_clear_pointer (&work->labels, capra_array_unref);
  g_clear_pointer (&work->count, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraLabelWork, work_clear)

CapraArray *
capra_label_scratch (const CapraLabelWork *work, gsize count, CapraType type, GError **error)
{
  /* Two dimensions, since one alone is limited to 2^31 - 1. */
  gsize width = CLAMP (count, 1, 4096);

  CapraShape shape = CAPRA_SHAPE_2D (width, MAX (capra_label_divide (count, width), 1), type);

  return capra_array_new_uninitialized (work->context, &shape, error);
}

static gboolean
label_check (CapraArray *input, const CapraLabelOptions *options, GError **error)
{
  const CapraShape *shape = &input->shape;

  if (shape->depth != 1 || shape->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "labels are made of an image with one channel, not of %u channels and %" G_GSIZE_FORMAT
                 " planes; convert it or label plane by plane",
                 shape->channels, shape->depth);
  else if (options->connectivity != 4 && options->connectivity != 8)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "connectivity is 4 or 8, not %d", options->connectivity);
  else if (capra_shape_count (shape) >= G_MAXUINT32)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "an image of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT " pixels has more of them than "
                 "32-bit labels can tell apart; label it in parts",
                 shape->width, shape->height);
  else
    return TRUE;
  return FALSE;
}

CapraArray *
capra_label (CapraArray *input, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  g_auto (CapraLabelWork) work = { NULL };
  CapraDevice *device = NULL;
  const char *type = NULL;
  gboolean blocks = FALSE;
  CapraShape shape;

  g_return_val_if_fail (input != NULL && options != NULL, NULL);

  if (!label_check (input, options, error))
    return NULL;
  device = input->context->device;
  blocks = g_str_equal (capra_tuning_get_word (device, "label.variant", "runs"), "blocks");

  shape = input->shape;
  type = capra_launch_type (shape.type);
  shape.type = CAPRA_U32;
  work.context = input->context;
  work.input = input;
  work.width = shape.width;
  work.height = shape.height;
  work.span = options->connectivity == 8 ? 2 : 1;
  work.edges = options->exclude_edges;
  work.min_size = MIN (options->min_size, G_MAXUINT32);
  work.max_size = options->max_size ? MIN (options->max_size, G_MAXUINT32) : G_MAXUINT32;
  work.filter = work.edges || work.min_size > 1 || work.max_size < capra_shape_count (&shape);
  work.pack_options = g_strdup_printf ("-DIN=%s -DIN8=%s8", type, type);
  work.options = g_strdup_printf ("-DSPAN=%u", work.span);
  work.labels = capra_array_new_uninitialized (work.context, &shape, error);
  work.count = work.labels ? capra_label_scratch (&work, 1, CAPRA_U32, error) : NULL;

  if (!work.count || !(blocks ? capra_label_blocks (&work, error) : capra_label_runs (&work, error))
      || (count && !capra_array_download_first (work.count, count, sizeof *count, error)))
    return NULL;
  return g_steal_pointer (&work.labels);
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
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "colours are given to u32 labels with one channel, not to %s with %u", capra_type_name (shape.type),
                   shape.channels);
      return NULL;
    }
  shape.type = CAPRA_F32;
  shape.channels = 4;
  colors = capra_array_new_uninitialized (labels->context, &shape, error);
  if (!colors)
    return NULL;

  capra_launch_begin (&launch, labels->context, "label", NULL, "label_colors");
  capra_launch_read (&launch, labels);
  capra_launch_write (&launch, colors);
  capra_launch_ulong (&launch, count);
  if (!capra_launch_run_1d (&launch, count, 256, 20 * (guint64) count, error))
    return NULL;
  return g_steal_pointer (&colors);
}
