/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Band source: an image that an algorithm reads in bands of rows, one after the other. */
#include "algorithms/common/band-source.h"

static CapraArray *
read_array (gsize first, gsize rows, gpointer data, GError **error)
{
  return capra_array_ref (data);
}

CapraBandSource
capra_band_source_from_array (CapraArray *array)
{
  const CapraShape *shape = capra_array_get_shape (array);

  return (CapraBandSource){ capra_array_get_device (array), *shape, shape->height, read_array, array };
}

gsize
capra_band_source_count (const CapraBandSource *source)
{
  return (source->shape.height + source->rows - 1) / source->rows;
}

CapraArray *
capra_band_source_read (const CapraBandSource *source, gsize i, GError **error)
{
  gsize first = i * source->rows;

  return source->read (first, MIN (source->rows, source->shape.height - first), source->data, error);
}
