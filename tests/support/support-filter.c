/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of noise, and parts of images. */
#include "tests/support/support-filter.h"

CapraArray *
support_typed_noise (CapraDevice *device, const CapraShape *shape, guint32 seed, double **values)
{
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  *values = g_new (double, capra_shape_count (shape));
  reference_noise (shape, seed, data, *values);
  array = capra_array_new_from_data (device, shape, data, &error);
  g_assert_no_error (error);
  return array;
}

CapraArray *
support_crop (CapraDevice *device, const ReferenceImage *image, CapraRect rect)
{
  gsize row = (gsize) rect.width * image->channels;
  g_autofree float *values = g_new (float, row *(gsize) rect.height * image->depth);
  float *to = values;

  for (gsize z = 0; z < image->depth; z++)
    for (gsize y = 0; y < (gsize) rect.height; y++)
      for (gsize i = 0; i < row; i++)
        *to++ = (float) image
                  ->values[((z * image->height + y + (gsize) rect.y) * image->width + (gsize) rect.x) * image->channels
                           + i];
  return support_array (device, (gsize) rect.width, (gsize) rect.height, image->depth, image->channels, values);
}
