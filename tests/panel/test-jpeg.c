/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JPEG files: pixels and formats are those of gegl:jpg-load; damaged files are errors or have a warning. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include "tests/panel/shot.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/image-file.h"

#define WIDTH 203
#define HEIGHT 271 /* more than two bands of rows */

static char *folder;

static void
write_jpeg (const char *path, J_COLOR_SPACE colors, int channels, gboolean progressive, const guint8 *profile,
            guint length)
{
  struct jpeg_compress_struct compress;
  struct jpeg_error_mgr errors;
  FILE *file = g_fopen (path, "wb");
  guint8 row[WIDTH * 4];
  JSAMPROW rows[] = { row };

  g_assert_nonnull (file);
  compress.err = jpeg_std_error (&errors);
  jpeg_create_compress (&compress);
  jpeg_stdio_dest (&compress, file);
  compress.image_width = WIDTH;
  compress.image_height = HEIGHT;
  compress.input_components = channels;
  compress.in_color_space = colors;
  jpeg_set_defaults (&compress);
  if (progressive)
    jpeg_simple_progression (&compress);
  jpeg_start_compress (&compress, TRUE);
  if (profile)
    jpeg_write_icc_profile (&compress, profile, length);
  for (int y = 0; y < HEIGHT; y++)
    {
      for (int i = 0; i < WIDTH * channels; i++)
        row[i] = (guint8) ((i / channels) * (i % channels + 1) + (y * y) / 50 + (i * 7919 + y * 104729) % 31);
      jpeg_write_scanlines (&compress, rows, 1);
    }
  jpeg_finish_compress (&compress);
  jpeg_destroy_compress (&compress);
  fclose (file);
}

static GeglBuffer *
load_by_gegl (const char *path)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *load = gegl_node_new_child (root, "operation", "gegl:jpg-load", "path", path, NULL);
  GeglBuffer *buffer = NULL;
  GeglNode *sink = gegl_node_new_child (root, "operation", "gegl:buffer-sink", "buffer", &buffer, NULL);

  gegl_node_link (load, sink);
  gegl_node_process (sink);
  g_assert_nonnull (buffer);
  return buffer;
}

static void
count_size (guint64 bytes, gpointer data)
{
  guint64 *size = data;

  g_assert_cmpuint (*size, ==, 0);
  *size = bytes;
}

/* @decoded: whether the file is decoded before it is loaded */
static void
assert_same (const char *path, int channels, gboolean decoded)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  CapraJpegPixels *pixels = decoded ? capra_jpeg_decode (path, G_MAXUINT64) : NULL;
  g_autoptr (CapraImage) image = capra_image_load_sized (file, pixels, count_size, &size, &error);
  g_autoptr (GeglBuffer) expected = load_by_gegl (path);
  gsize bytes = (gsize) WIDTH * HEIGHT * (gsize) channels;
  g_autofree guint8 *a = g_malloc0 (bytes), *b = g_malloc0 (bytes);

  g_assert_no_error (error);
  g_assert_true ((pixels != NULL) == (decoded && channels < 4));
  g_assert_null (image->warning);
  g_assert_true (gegl_buffer_get_format (image->buffer) == gegl_buffer_get_format (expected));
  g_assert_true (gegl_rectangle_equal (gegl_buffer_get_extent (image->buffer), gegl_buffer_get_extent (expected)));
  g_assert_cmpuint (size, ==, bytes);
  gegl_buffer_get (image->buffer, NULL, 1.0, NULL, a, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (expected, NULL, 1.0, NULL, b, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (a, bytes, b, bytes);
}

static void
test_same (void)
{
  static const struct {
    J_COLOR_SPACE colors;
    int channels;
  } cases[] = { { JCS_GRAYSCALE, 1 }, { JCS_RGB, 3 }, { JCS_CMYK, 4 } };
  int length;
  const guint8 *profile = (const guint8 *) babl_space_get_icc (babl_space ("Adobish"), &length);

  g_assert_nonnull (profile);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int progressive = 0; progressive < 2; progressive++)
      {
        g_autofree char *path = g_strdup_printf ("%s/%u-%d.jpg", folder, i, progressive);

        write_jpeg (path, cases[i].colors, cases[i].channels, progressive, NULL, 0);
        assert_same (path, cases[i].channels, FALSE);
        assert_same (path, cases[i].channels, TRUE);
        if (cases[i].colors != JCS_RGB)
          continue;
        write_jpeg (path, cases[i].colors, cases[i].channels, progressive, profile, (guint) length);
        assert_same (path, cases[i].channels, FALSE);
        assert_same (path, cases[i].channels, TRUE);
      }
}

/* Bytes in the middle are overwritten: libjpeg decodes the rest, with a warning. */
static void
test_damaged (void)
{
  g_autofree char *path = g_build_filename (folder, "damaged.jpg", NULL), *bytes = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (CapraImage) image = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  write_jpeg (path, JCS_RGB, 3, FALSE, NULL, 0);
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  memset (bytes + length / 2, 0xff, 200);
  bytes[length / 2 + 200] = (char) 0xd0;
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  image = capra_image_load (file, &error);
  g_assert_no_error (error);
  g_assert_nonnull (image->warning);
  g_test_message ("%s", image->warning);
  g_assert_null (capra_jpeg_decode (path, G_MAXUINT64));
  g_clear_pointer (&image, capra_image_free);

  memset (bytes + 20, 0, length - 22); /* after the first marker, before the last one */
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
  g_assert_null (capra_image_load (file, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_null (capra_jpeg_decode (path, G_MAXUINT64));
}

/* Files that are not decoded before they are loaded: other kinds, and images that are too large. */
static void
test_not_decoded (void)
{
  g_autofree char *path = g_build_filename (folder, "large.jpg", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing.jpg", NULL);
  g_autoptr (CapraJpegPixels) pixels = NULL;

  write_jpeg (path, JCS_RGB, 3, FALSE, NULL, 0);
  g_assert_null (capra_jpeg_decode (path, WIDTH * HEIGHT * 3 - 1));
  pixels = capra_jpeg_decode (path, WIDTH * HEIGHT * 3);
  g_assert_cmpuint (capra_jpeg_pixels_get_size (pixels), ==, WIDTH * HEIGHT * 3);
  g_assert_null (capra_jpeg_decode (missing, G_MAXUINT64));
  g_assert_null (capra_jpeg_decode (folder, G_MAXUINT64));
  g_assert_true (g_file_set_contents (path, "no image", -1, NULL));
  g_assert_null (capra_jpeg_decode (path, G_MAXUINT64));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  folder = g_dir_make_tmp ("capra-jpeg-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/jpeg/same", test_same);
  g_test_add_func ("/jpeg/damaged", test_damaged);
  g_test_add_func ("/jpeg/not-decoded", test_not_decoded);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  gegl_exit ();
  return status;
}
