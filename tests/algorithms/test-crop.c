/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of cropping arrays. */
#include "tests/support/support.h"

#include <string.h>

/* Crops equal a copy by the host, for all pixel sizes. */
static void
check_crop (CapraDevice *device, const CapraShape *shape, CapraRect rect)
{
  gsize pixel = shape->channels * capra_type_size (shape->type);
  gsize bytes = capra_shape_bytes (shape);
  gsize out_bytes = (gsize) rect.width * (gsize) rect.height * shape->depth * pixel;
  g_autofree guint8 *data = g_malloc (bytes), *expected = g_malloc0 (out_bytes);
  g_autofree guint8 *pixels = g_malloc (out_bytes);
  g_autoptr (CapraArray) array = NULL;
  g_autoptr (CapraArray) cropped = NULL;
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < bytes; i++)
    data[i] = (guint8) (i * 7 + i / 251);
  for (gsize z = 0; z < shape->depth; z++)
    for (gint y = 0; y < rect.height; y++)
      for (gint x = 0; x < rect.width; x++)
        {
          gint64 fx = x + rect.x, fy = y + rect.y;

          if (fx >= 0 && fy >= 0 && fx < (gint64) shape->width && fy < (gint64) shape->height)
            memcpy (expected + ((z * rect.height + y) * rect.width + x) * pixel,
                    data + ((z * shape->height + fy) * shape->width + fx) * pixel, pixel);
        }
  array = capra_array_new_from_data (device, shape, data, &error);
  g_assert_no_error (error);
  cropped = capra_crop (array, &rect, &error);
  g_assert_no_error (error);
  g_assert_true (capra_array_download (cropped, pixels, &error));
  g_assert_cmpmem (pixels, out_bytes, expected, out_bytes);
}

static void
test_crop (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_F32 };
  static const CapraRect rects[] = { { 0, 0, 13, 9 }, { 3, 2, 5, 4 },     { -4, -3, 30, 20 },
                                     { 12, 8, 1, 1 }, { 100, 100, 3, 2 }, { -7, 4, 9, 3 } };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint channels = 1; channels <= 4; channels++)
      for (guint r = 0; r < G_N_ELEMENTS (rects); r++)
        {
          CapraShape shape = { 13, 9, 1 + r % 2, channels, types[t] };

          check_crop (support_device (r % 2), &shape, rects[r]);
        }
}

static void
test_errors (void)
{
  g_autofree float *values = support_noise (35, 0.0, 1.0, 1);
  g_autoptr (CapraArray) array = support_array (support_device (0), 7, 5, 1, 1, values);
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_crop (array, &(CapraRect){ 0, 0, 0, 4 }, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crop/rectangles", test_crop);
  g_test_add_func ("/crop/errors", test_errors);
  return g_test_run ();
}
