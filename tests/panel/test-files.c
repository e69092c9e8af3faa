/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the panel: round trips, a full disk, truncated, damaged and too large files. */
#define _GNU_SOURCE /* memmem */
#include <gegl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "algorithms/label/label.h"
#include "ui/panel/widgets/result-name.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/read/image-file.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/write/save.h"
#include "tests/panel/shot.h"
#include "tests/panel/steps.h"

#define WIDTH 203
#define HEIGHT 117

static char *folder;

static GFile *
get_file (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

/* The reference: the result of a graph by GEGL alone. */
static guchar *
render_reference (GeglBuffer *image, double sigma, const char *format, int bytes)
{
  g_autoptr (GeglNode) root = gegl_node_new ();
  GeglNode *source = gegl_node_new_child (root, "operation", "gegl:buffer-source", "buffer", image, NULL);
  GeglNode *blur = gegl_node_new_child (root, "operation", "gegl:gaussian-blur", "std-dev-x", sigma, "std-dev-y", sigma,
                                        NULL);
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  guchar *pixels = g_malloc ((gsize) extent->width * extent->height * bytes);

  gegl_node_link (source, blur);
  gegl_node_blit (blur, 1.0, extent, babl_format (format), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return pixels;
}

static void
test_save (void)
{
  static const char *const names[] = { "out.png", "out.tif", "out.jpg", "out.webp", "out.ppm", "out.exr", "out.hdr" };
  static const int tolerances[] = { 1, 1, 40, 40, 1, 1, 12 }; /* not all formats are exact */
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GPtrArray) steps = steps_make_blur ("3");
  g_autofree guchar *expected = render_reference (image, 3.0, "R'G'B' u8", 3);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = get_file (names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraImage) loaded = NULL;
      g_autofree guchar *pixels = g_malloc (WIDTH * HEIGHT * 3);

      g_assert_true (capra_save (file, image, steps, 16, NULL, NULL, &error));
      g_assert_no_error (error);
      loaded = capra_image_load (file, &error);
      g_assert_no_error (error);
      gegl_buffer_get (loaded->buffer, NULL, 1.0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      for (int j = 0; j < WIDTH * HEIGHT * 3; j++)
        g_assert_cmpint (ABS (pixels[j] - expected[j]), <=, tolerances[i]);
      g_assert_cmpint (loaded->graph != NULL, ==, i == 0);
      if (loaded->graph)
        {
          g_autoptr (GPtrArray) restored = capra_steps_from_xml (loaded->graph, &error);

          g_assert_no_error (error);
          steps_assert_same (steps, restored, FALSE);
        }
    }
}

/* Labels are stored as numbers, or, where that is asked for or the format has none, as they are displayed. */
static void
test_save_labels (void)
{
  static const struct {
    const char *name;
    int bits, tolerance; /* -1: numbers */
  } cases[] = {
    { "labels.png", 8, -1 }, { "labels.png", CAPRA_SAVE_COLORS, 0 }, { "labels.pgm", 8, -1 }, { "labels.ppm", 8, 0 },
    { "labels.jpg", 8, 40 },
  };
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (3, -5, WIDTH, HEIGHT), babl_format ("Y' u32"));
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GFile) webp = get_file ("labels.webp");
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *labels = g_new (guint32, WIDTH * HEIGHT);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    labels[i] = (guint32) (i / WIDTH / 39); /* large areas, for JPEG; the first is background */
  gegl_buffer_set (image, NULL, 0, babl_format ("Y' u32"), labels, GEGL_AUTO_ROWSTRIDE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean numbers = cases[i].tolerance < 0;
      g_autoptr (GFile) file = get_file (cases[i].name);
      g_autoptr (CapraImage) loaded = NULL;
      g_autofree guint16 *values = g_new (guint16, WIDTH * HEIGHT);
      g_autofree guint8 *colors = g_new (guint8, WIDTH * HEIGHT * 3);

      g_test_message ("%s, %d", cases[i].name, cases[i].bits);
      g_assert_cmpint (capra_save_stores_numbers (cases[i].name, cases[i].bits), ==, numbers);
      g_assert_true (capra_save (file, image, none, cases[i].bits, NULL, NULL, &error));
      g_assert_no_error (error);
      loaded = capra_image_load (file, &error);
      g_assert_no_error (error);
      gegl_buffer_get (loaded->buffer, NULL, 1.0, babl_format ("Y' u16"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_buffer_get (loaded->buffer, NULL, 1.0, babl_format ("R'G'B' u8"), colors, GEGL_AUTO_ROWSTRIDE,
                       GEGL_ABYSS_NONE);
      for (int j = 0; j < WIDTH * HEIGHT; j++)
        {
          guint32 color = labels[j] ? capra_label_color (labels[j]) : 0;

          if (numbers)
            g_assert_cmpuint (values[j], ==, labels[j]);
          for (int c = 0; !numbers && c < 3 && j % (39 * WIDTH) / WIDTH % 38 > 8; c++) /* not at the edges of areas */
            g_assert_cmpint (ABS (colors[3 * j + c] - (int) (color >> (16 - 8 * c) & 255)), <=, cases[i].tolerance);
        }
    }
  g_assert_false (capra_save (webp, image, none, 8, NULL, NULL, &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
  g_assert_false (g_file_query_exists (webp, NULL));
}

/* Results of the samples, which are in the cache, go to one of the user's folders. */
static void
test_folder (void)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "capra", "samples-1", "blobs.png", NULL);
  g_autoptr (GFile) sample = g_file_new_for_path (path), image = get_file ("a.png"), parent = get_file ("");
  g_autoptr (GFile) cache = g_file_new_for_path (g_get_user_cache_dir ());
  g_autoptr (GFile) of_sample = capra_result_name_suggest_folder (sample);
  g_autoptr (GFile) of_image = capra_result_name_suggest_folder (image);
  g_autofree char *result = capra_result_name_find_free (sample, "png"), *name = g_path_get_basename (result);
  g_autoptr (GFile) file = g_file_new_for_path (result);

  g_assert_true (g_file_equal (of_image, parent));
  g_assert_false (g_file_has_prefix (of_sample, cache));
  g_assert_false (g_file_equal (of_sample, cache));
  g_assert_true (g_file_has_prefix (file, of_sample));
  g_assert_cmpstr (name, ==, "blobs-capra.png");
}

static void
test_save_fails (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GPtrArray) steps = steps_make_blur ("3");
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/proc/none/out.png");
  g_autoptr (GFile) strange = get_file ("out.strange");
  g_autoptr (GFile) canceled = get_file ("canceled.png");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (capra_save (nowhere, image, steps, 8, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (capra_save (strange, image, steps, 8, NULL, NULL, &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (capra_save (canceled, image, steps, 8, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_query_exists (canceled, NULL));
}

/* A limit on the file size has the same effect as a full disk. */
static void
test_full_disk (void)
{
  static const char *const names[] = { "full.png", "full.tif", "full.jpg", "full.webp", "full.exr",
                                       "full.hdr", "full.ppm", "full.pgm", "full.gegl" };
  g_autoptr (GeglBuffer) image = steps_make_image (600, 500, "R'G'B' u8");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  struct rlimit before, small;
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  g_autoptr (GDir) left = NULL;
  const char *name;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = get_file (names[i]);
      g_autofree char *path = g_file_get_path (file);
      g_autoptr (GError) error = NULL;
      gboolean saved;

      g_assert_true (g_file_set_contents (path, "older", -1, NULL));
      small = before;
      small.rlim_cur = 4096;
      setrlimit (RLIMIT_FSIZE, &small);
      saved = capra_save (file, image, none, 8, NULL, NULL, &error);
      setrlimit (RLIMIT_FSIZE, &before);
      g_assert_false (saved);
      g_assert_nonnull (error);
      g_test_message ("%s: %s", names[i], error->message);
      {
        g_autofree char *contents = NULL; /* the previous file is unchanged */

        g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
        g_assert_cmpstr (contents, ==, "older");
      }
    }
  left = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (left)))
    g_assert_false (g_str_has_prefix (name, "."));
  g_log_set_always_fatal (fatal);
}

/* GEGL loads its own format, for any origin of the result. */
static void
test_save_buffer (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GFile) file = get_file ("out.gegl");
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GeglBuffer) moved = gegl_buffer_new (GEGL_RECTANGLE (50, -30, WIDTH, HEIGHT), babl_format ("R'G'B' u8"));
  g_autoptr (GeglBuffer) loaded = NULL;
  g_autofree guchar *expected = g_malloc (WIDTH * HEIGHT * 3), *pixels = g_malloc (WIDTH * HEIGHT * 3);

  gegl_buffer_copy (image, NULL, GEGL_ABYSS_NONE, moved, GEGL_RECTANGLE (50, -30, 0, 0));
  g_assert_true (capra_save (file, moved, steps, 8, NULL, NULL, NULL));
  loaded = gegl_buffer_load (path);
  g_assert_cmpint (gegl_buffer_get_width (loaded), ==, WIDTH);
  g_assert_cmpint (gegl_buffer_get_height (loaded), ==, HEIGHT);
  g_assert_true (gegl_buffer_get_format (loaded) == babl_format ("R'G'B' u8"));
  gegl_buffer_get (image, NULL, 1.0, NULL, expected, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (loaded, NULL, 1.0, NULL, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (pixels, WIDTH * HEIGHT * 3, expected, WIDTH * HEIGHT * 3);
}

static void
assert_unreadable (const char *name, const char *contents, gssize length)
{
  g_autoptr (GFile) file = get_file (name);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL;

  if (contents)
    g_assert_true (g_file_set_contents (path, contents, length, NULL));
  g_assert_null (capra_image_load (file, &error));
  g_assert_nonnull (error);
  g_test_message ("%s: %s", name, error->message);
}

/* A header for 100,000 x 100,000 pixels, and no data. */
static const char huge[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\1\x86\xa0\0\1\x86\xa0\x10\6\0\0\0\xf8\xc2\xd7\x8b"
                           "\0\0\0\0IDAT\x35\xaf\x06\x1e\0\0\0\0IEND\xae\x42\x60\x82";

static void
test_bad_files (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GFile) file = get_file ("good.png");
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *contents = NULL;
  GLogLevelFlags fatal;
  gsize length;

  g_assert_true (capra_save (file, image, steps, 8, NULL, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  assert_unreadable ("cut.png", contents, (gssize) length / 2);
  assert_unreadable ("cut-end.png", contents, (gssize) length - 4);
  assert_unreadable ("empty.png", "", 0);
  assert_unreadable ("text.png", "this is text", -1);
  assert_unreadable ("cut.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20);
  assert_unreadable ("broken.jpg", "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xda\0\0\xff\xd9", 26);
  assert_unreadable ("missing.png", NULL, 0);
  assert_unreadable ("huge.png", huge, sizeof huge - 1);
  /* gegl:tiff-load fails on this file */
  fatal = g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  assert_unreadable ("cut.tif", "II*\0\x08\0\0\0", 8);
  g_log_set_always_fatal (fatal);
}

static void
test_opened_folder (void)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_image_load (file, &error));
  g_assert_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "is a folder"));
}

static GByteArray *
read_bytes (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *contents = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  return g_byte_array_new_take ((guint8 *) contents, length);
}

/* Inserts @length bytes at @at. */
static void
insert (GByteArray *bytes, guint at, const void *data, guint length)
{
  guint end = bytes->len;

  g_byte_array_append (bytes, data, length);
  memmove (bytes->data + at + length, bytes->data + at, end - at);
  memcpy (bytes->data + at, data, length);
}

static void
append_crc (GByteArray *chunk)
{
  guint32 crc = ~0u;

  for (guint i = 4; i < chunk->len; i++)
    {
      crc ^= chunk->data[i];
      for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
  crc = GUINT32_TO_BE (~crc);
  g_byte_array_append (chunk, (const guint8 *) &crc, sizeof crc);
}

/* A profile of 200 bytes: a valid header with the given class and color model, and an unused tag. */
static void
fill_profile (guint8 *profile, const char *class, const char *colors)
{
  memset (profile, 0, 200);
  profile[3] = 200;
  memcpy (profile + 12, class, 4);
  memcpy (profile + 16, colors, 4);
  memcpy (profile + 36, "acsp", 4);
  profile[131] = 1;
  memcpy (profile + 132, "zzzz\0\0\0\x90\0\0\0\x08", 12);
}

static void
insert_in_png (GByteArray *bytes, const guint8 *profile)
{
  static const guint8 start[] = {
    0, 0, 0, 0, 'i', 'C', 'C', 'P', 'p', 0, 0, 0x78, 0x01, 0x01, 200, 0, 55, 255
  }; /* zlib: one stored block */
  g_autoptr (GByteArray) chunk = g_byte_array_new ();
  guint32 a = 1, b = 0;

  for (int i = 0; i < 200; i++)
    {
      a = (a + profile[i]) % 65521;
      b = (b + a) % 65521;
    }
  a = GUINT32_TO_BE (b << 16 | a);
  g_byte_array_append (chunk, start, sizeof start);
  g_byte_array_append (chunk, profile, 200);
  g_byte_array_append (chunk, (const guint8 *) &a, sizeof a);
  chunk->data[3] = (guint8) (chunk->len - 8);
  append_crc (chunk);
  insert (bytes, 33, chunk->data, chunk->len);
}

static void
insert_in_webp (GByteArray *bytes, const guint8 *profile)
{
  static const guint8 start[] = { 'V', 'P', '8',        'X', 10, 0,   0,   0,   0x20, 0,   0, 0, WIDTH - 1,
                                  0,   0,   HEIGHT - 1, 0,   0,  'I', 'C', 'C', 'P',  200, 0, 0, 0 };
  guint32 size;

  insert (bytes, 12, start, sizeof start);
  insert (bytes, 12 + sizeof start, profile, 200);
  size = GUINT32_TO_LE (bytes->len - 8);
  memcpy (bytes->data + 4, &size, sizeof size);
}

static void
insert_profile (GByteArray *bytes, const guint8 *profile)
{
  if (bytes->data[0] == 0xff)
    {
      insert (bytes, 2, "\xff\xe2\0\xd8ICC_PROFILE\0\1\1", 18);
      insert (bytes, 20, profile, 200);
    }
  else if (bytes->data[0] == 0x89)
    insert_in_png (bytes, profile);
  else if (bytes->data[0] == 'R')
    insert_in_webp (bytes, profile);
  else
    {
      guint8 *own = memmem (bytes->data, bytes->len, "acsp", 4); /* a TIFF already has a profile */

      g_assert_nonnull (own);
      memcpy (own - 36 + 4, profile + 4, 196);
    }
}

/* Copies @from to @to with an unusable profile: asserts that the image is the same as without one, and that the warning
 * contains the reason. */
static void
assert_profile (const char *from, const char *to, const guint8 *profile, const char *says)
{
  g_autoptr (GByteArray) bytes = read_bytes (from);
  g_autofree char *path = g_build_filename (folder, to, NULL);
  g_autoptr (GFile) plain = get_file (from), file = get_file (to);
  g_autoptr (CapraImage) expected = capra_image_load (plain, NULL), image = NULL;
  g_autoptr (GError) error = NULL;
  guint8 *pixels[2] = { g_malloc0 (WIDTH * HEIGHT * 3), g_malloc0 (WIDTH * HEIGHT * 3) };

  insert_profile (bytes, profile);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  image = capra_image_load (file, &error);
  g_assert_no_error (error);
  g_test_message ("%s: %s", to, image->warning);
  g_assert_null (expected->warning);
  g_assert_nonnull (image->warning);
  g_assert_nonnull (strstr (image->warning, says));
  for (int i = 0; i < 2; i++)
    gegl_buffer_get (i ? image->buffer : expected->buffer, NULL, 1.0, babl_format ("R'G'B' u8"), pixels[i],
                     GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_assert_cmpmem (pixels[0], WIDTH * HEIGHT * 3, pixels[1], WIDTH * HEIGHT * 3);
  g_free (pixels[0]);
  g_free (pixels[1]);
}

static void
test_profiles (void)
{
  static const char *const suffixes[] = { "png", "jpg", "tif", "webp" };
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  guint8 damaged[200], link[200], cmyk[200], curve[200];

  for (guint i = 0; i < sizeof damaged; i++)
    damaged[i] = (guint8) (i * 37 + 11);
  fill_profile (link, "link", "RGB ");
  fill_profile (cmyk, "mntr", "CMYK");
  fill_profile (curve, "mntr", "RGB "); /* a curve that claims 2^28 values but has none */
  memcpy (curve + 20, "XYZ ", 4);
  memcpy (curve + 132, "rTRC\0\0\0\x90\0\0\0\x10", 12);
  memcpy (curve + 144, "curv\0\0\0\0\x10\0\0\0\0\0\0\0", 16);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *plain = g_strdup_printf ("profile.%s", suffixes[i]);
      g_autofree char *other = g_strdup_printf ("profiled.%s", suffixes[i]);
      g_autoptr (GFile) file = get_file (plain);

      g_assert_true (capra_save (file, image, none, 8, NULL, NULL, NULL));
      assert_profile (plain, other, damaged, "damaged");
      assert_profile (plain, other, link, "class");
      assert_profile (plain, other, cmyk, "CMYK");
      assert_profile (plain, other, curve, "damaged");
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  gegl_init (NULL, NULL);
  capra_log_catcher_install ();
  folder = g_dir_make_tmp ("capra-panel-XXXXXX", NULL);
  g_test_add_func ("/files/save", test_save);
  g_test_add_func ("/files/save-buffer", test_save_buffer);
  g_test_add_func ("/files/save-labels", test_save_labels);
  g_test_add_func ("/files/folder", test_folder);
  g_test_add_func ("/files/save-fails", test_save_fails);
  g_test_add_func ("/files/full-disk", test_full_disk);
  g_test_add_func ("/files/bad-files", test_bad_files);
  g_test_add_func ("/files/opened-folder", test_opened_folder);
  g_test_add_func ("/files/profiles", test_profiles);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
