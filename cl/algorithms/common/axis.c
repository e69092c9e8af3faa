/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Axis: the geometry of a filter along one axis. */
#include "algorithms/common/axis.h"
#include "algorithms/common/fill.h"

void
capra_axis_init (CapraAxis *axis, int number, CapraArray *input, const CapraWindow *window, CapraBorder border)
{
  const CapraRect *extent = &window->extent, *source = &window->source, *result = &window->result;
  int depth = (int) capra_array_get_shape (input)->depth;

  *axis = (CapraAxis){ .number = number, .planes = depth, .stride = 1, .border = border };
  if (number == 0)
    {
      axis->length = extent->width;
      axis->source = source->x - extent->x;
      axis->n_source = source->width;
      axis->result = result->x - extent->x;
      axis->n_result = result->width;
    }
  else if (number == 1)
    {
      axis->length = extent->height;
      axis->source = source->y - extent->y;
      axis->n_source = source->height;
      axis->result = result->y - extent->y;
      axis->n_result = result->height;
    }
  else
    axis->length = axis->n_source = axis->n_result = depth;
  axis->image = axis->length;
}

gboolean
capra_axis_misses (const CapraWindow *window, const int reach[2], CapraBorder border)
{
  return capra_window_source (&window->extent, &window->result, reach[0], reach[0], reach[1], reach[1], border).width
         == 0;
}

CapraArray *
capra_axis_zeros (CapraArray *input, const CapraWindow *window, GError **error)
{
  CapraShape shape = *capra_array_get_shape (input);

  shape.width = (gsize) window->result.width;
  shape.height = (gsize) window->result.height;
  shape.type = CAPRA_F32;
  return capra_array_new (capra_array_get_device (input), &shape, error);
}

gboolean
capra_axis_is_whole (const CapraAxis *axis)
{
  return axis->source == axis->result && axis->n_source == axis->n_result && axis->stride == 1;
}

guint64
capra_axis_pitch (const CapraShape *shape, int number)
{
  guint64 pitch = shape->channels;

  if (number > 0)
    pitch *= shape->width;
  if (number > 1)
    pitch *= shape->height;
  return pitch;
}

gboolean
capra_axis_is_row (const CapraShape *shape, int number)
{
  return capra_axis_pitch (shape, number) == shape->channels;
}

guint64
capra_axis_slabs (const CapraShape *shape, int number)
{
  guint64 slabs = 1;

  if (number < 2)
    slabs *= shape->depth;
  if (number < 1)
    slabs *= shape->height;
  return slabs;
}

CapraShape
capra_axis_shape (const CapraShape *shape, int number, int count)
{
  CapraShape other = *shape;

  other.type = CAPRA_F32;
  if (number == 0)
    other.width = (gsize) count;
  else if (number == 1)
    other.height = (gsize) count;
  else
    other.depth = (gsize) count;
  return other;
}
