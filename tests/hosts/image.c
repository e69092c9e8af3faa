/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of the tests of host programs: made, loaded, saved and compared. */
#include <math.h>
#include <string.h>

#include "tests/hosts/hosts.h"

HostsImage *
hosts_image_new (int width, int height, int channels)
{
  HostsImage *image = g_new0 (HostsImage, 1);

  image->width = width;
  image->height = height;
  image->channels = channels;
  image->values = g_new0 (double, (gsize) width * height * channels);
  return image;
}

void
hosts_image_free (HostsImage *image)
{
  g_free (image->values);
  g_free (image);
}

HostsImage *
hosts_image_sample (int width, int height, int channels)
{
  HostsImage *image = hosts_image_new (width, height, channels);
  guint32 state = 1;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        /* One blob in each block of 37 x 29 pixels. Its edge is soft: without values in between, any threshold between
         * the two levels would be as good as Otsu's. */
        int column = x / 37, row = y / 29;
        double dx = x - (column * 37 + 18), dy = y - (row * 29 + 14);
        double radius = 3 + (column * 5 + row * 3) % 8;
        double inside = CLAMP ((radius - sqrt (dx * dx + dy * dy)) / 4 + 0.5, 0.0, 1.0);
        double value = 0.1 + 0.15 * x / width + 0.5 * inside;

        for (int c = 0; c < channels; c++)
          {
            state = state * 1664525u + 1013904223u;
            image->values[((gsize) y * width + x) * channels + c] = value * (1 - 0.2 * c)
                                                                    + 0.1 * (state >> 8) / 16777216.0;
          }
      }
  return image;
}

static GeglBuffer *
load_buffer (const char *path)
{
  GeglBuffer *buffer = NULL;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *load = gegl_node_new_child (graph, "operation", "gegl:load", "path", path, NULL);
  GeglNode *sink = gegl_node_new_child (graph, "operation", "gegl:buffer-sink", "buffer", &buffer, NULL);

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    g_error ("%s was not written", path);
  gegl_node_link (load, sink);
  gegl_node_process (sink);
  g_assert_nonnull (buffer);
  return buffer;
}

HostsImage *
hosts_image_load (const char *path, const char *model)
{
  g_autoptr (GeglBuffer) buffer = load_buffer (path);
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  g_autofree char *name = g_strdup_printf ("%s float", model);
  const Babl *format = babl_format (name);
  int channels = babl_format_get_n_components (format);
  HostsImage *image = hosts_image_new (extent->width, extent->height, channels);
  gsize count = (gsize) extent->width * extent->height * channels;
  g_autofree float *values = g_new (float, count);

  gegl_buffer_get (buffer, extent, 1.0, format, values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < count; i++)
    image->values[i] = values[i];
  return image;
}

guint32 *
hosts_numbers_load (const char *path, int *width, int *height)
{
  g_autoptr (GeglBuffer) buffer = load_buffer (path);
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  const Babl *format = gegl_buffer_get_format (buffer);
  guint32 *numbers = g_new (guint32, (gsize) extent->width * extent->height);

  g_assert_cmpint (babl_format_get_bytes_per_pixel (format), ==, sizeof (guint32));
  g_assert_true (babl_format_get_type (format, 0) == babl_type ("u32"));
  gegl_buffer_get (buffer, extent, 1.0, format, numbers, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  *width = extent->width;
  *height = extent->height;
  return numbers;
}

void
hosts_image_save (const HostsImage *image, const char *path, const char *model)
{
  gboolean png = g_str_has_suffix (path, ".png");
  GeglRectangle extent = { 0, 0, image->width, image->height };
  g_autofree char *name = g_strdup_printf ("%s float", model);
  const Babl *format = babl_format (name);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, format);
  gsize count = (gsize) image->width * image->height * image->channels;
  g_autofree float *values = g_new (float, count);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source, *save;

  g_assert_cmpint (babl_format_get_n_components (format), ==, image->channels);
  for (gsize i = 0; i < count; i++)
    values[i] = image->values[i];
  gegl_buffer_set (buffer, &extent, 0, format, values, GEGL_AUTO_ROWSTRIDE);

  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", buffer, NULL);
  save = gegl_node_new_child (graph, "operation", png ? "gegl:png-save" : "gegl:tiff-save", "path", path, "bitdepth",
                              png ? 16 : 32, NULL);
  gegl_node_link (source, save);
  gegl_node_process (save);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

void
hosts_assert_close (const HostsImage *image, const HostsImage *reference, double tolerance)
{
  gsize count = (gsize) reference->width * reference->height * reference->channels;
  gsize wrong = 0, worst = 0;
  double largest = -1;

  g_assert_cmpint (image->width, ==, reference->width);
  g_assert_cmpint (image->height, ==, reference->height);
  g_assert_cmpint (image->channels, ==, reference->channels);
  for (gsize i = 0; i < count; i++)
    {
      double difference = fabs (image->values[i] - reference->values[i]);

      if (difference <= tolerance)
        continue;
      wrong++;
      if (!(difference <= largest))
        {
          largest = difference;
          worst = i;
        }
    }
  if (wrong > 0)
    {
      gsize pixel = worst / image->channels;

      g_error ("%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " values are wrong, most of all at %" G_GSIZE_FORMAT
               ",%" G_GSIZE_FORMAT " channel %d: %.9g, not %.9g",
               wrong, count, pixel % image->width, pixel / image->width, (int) (worst % image->channels),
               image->values[worst], reference->values[worst]);
    }
}
