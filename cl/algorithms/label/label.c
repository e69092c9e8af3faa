/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: connected components by union-find on the device. In all variants the nodes are runs of one line of the mask
 * for 4-connectivity, of two lines for 8 (label.clh). */
#include "algorithms/label/label.h"

#include <glib/gi18n-lib.h>

#include "algorithms/label/label-color.h"
#include "algorithms/label/label-part.h"
#include "runtime/launch/launch.h"

CapraArray *
capra_label (CapraArray *input, const CapraLabelOptions *options, guint32 *count, GError **error)
{
  g_autoptr (CapraLabelPart) image = NULL;
  g_autoptr (CapraArray) labels = NULL;

  g_return_val_if_fail (input != NULL && options != NULL, NULL);

  image = capra_label_part_new (input, options, FALSE, error);
  labels = image ? capra_label_part_write (image, NULL, 0, 0, error) : NULL;
  if (!labels || (count && !capra_label_part_read_count (image, count, error)))
    return NULL;
  return g_steal_pointer (&labels);
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
