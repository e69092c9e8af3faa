/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gather: arrays have the pixels of a buffer, also of images that are copied past the caches. */
#include "tests/support/support.h"

#include "plugin/buffers/gather.h"
#include "runtime/memory/array-transfer.h"

/* A buffer whose pixels differ, and a rectangle that begins and ends within tiles, or outside of the buffer. The third
 * to fifth have more than CAPRA_MIN_NON_TEMPORAL_BYTES. */
typedef struct {
  GeglRectangle extent, rect;
  const char *stored, *wanted;
} Case;

static const Case cases[] = {
  { { -3, 5, 1, 1 }, { -3, 5, 1, 1 }, "RGB u8", "RGB u8" },
  { { -700, 333, 301, 197 }, { -699, 340, 299, 180 }, "RGBA float", "RGBA float" },
  { { -700, 333, 2301, 1397 }, { -699, 340, 2299, 1380 }, "RGBA u16", "RGBA u16" },
  { { -700, 333, 1501, 1997 }, { -701, 330, 1504, 2003 }, "RGBA float", "RGBA float" },
  { { 0, 0, 3001, 1997 }, { 1, 1, 2999, 1990 }, "RGB u8", "RGB u8" },
  { { 0, 0, 1501, 1997 }, { 1, 1, 1499, 1990 }, "RGB u8", "RGB float" },
};

static GeglBuffer *
new_noise (const Case *c)
{
  const Babl *format = babl_format (c->stored);
  GeglBuffer *buffer = gegl_buffer_new (&c->extent, format);
  gsize bytes = (gsize) c->extent.width * (gsize) c->extent.height * (gsize) babl_format_get_bytes_per_pixel (format);
  g_autofree guint8 *pixels = g_malloc (bytes);

  /* Bytes below 64: floats of them are numbers. */
  for (gsize i = 0; i < bytes; i++)
    pixels[i] = (guint8) ((i * 2654435761u) >> 26 & 63);
  gegl_buffer_set (buffer, &c->extent, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
test_gather (gconstpointer data)
{
  const Case *c = data;
  const Babl *format = babl_format (c->wanted);
  g_autoptr (GeglBuffer) buffer = new_noise (c);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_gather (buffer, &c->rect, format, support_device (0), &error);
  gsize bytes = (gsize) c->rect.width * (gsize) c->rect.height * (gsize) babl_format_get_bytes_per_pixel (format);
  g_autofree guint8 *expected = g_malloc (bytes), *got = g_malloc (bytes);

  g_assert_no_error (error);
  g_assert_true (capra_array_download (array, got, &error));
  gegl_buffer_get (buffer, &c->rect, 1.0, format, expected, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (got, bytes, expected, bytes);
}

int
main (int argc, char **argv)
{
  int failures = 0;

  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/gather/%dx%d from %s to %s", cases[i].rect.width, cases[i].rect.height,
                                               cases[i].stored, cases[i].wanted);

      g_test_add_data_func (path, &cases[i], test_gather);
    }
  failures = g_test_run ();
  gegl_exit ();
  return failures;
}
