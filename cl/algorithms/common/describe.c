/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Describe: the shape, size and extremes of an array. */
#include "algorithms/common/describe.h"
#include "algorithms/common/extremes.h"
#include "runtime/memory/array-buffer.h"

gboolean
capra_array_describe (CapraArray *array, CapraDescription *description, GError **error)
{
  CapraBandSource source;

  g_return_val_if_fail (array && description, FALSE);

  source = capra_band_source_from_array (array);
  description->shape = array->shape;
  description->bytes = capra_shape_bytes (&array->shape);
  return capra_extremes (&source, FALSE, &description->min, &description->max, error);
}
