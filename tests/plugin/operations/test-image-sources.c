/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the operations that load images: pixels, the keywords for operations downstream, and errors. The FITS file
 * is written by hand: it needs no library. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/support/graph.h"
#include "tests/support/support.h"

#define WIDTH 5
#define HEIGHT 3
#define PLANES 2

#define SKY_WIDTH 661
#define SKY_HEIGHT 517
#define SKY_STEP 32 /* between two sources */
#define SKY_SOURCES ((SKY_WIDTH + SKY_STEP / 2) / SKY_STEP * ((SKY_HEIGHT + SKY_STEP / 2) / SKY_STEP))
#define SKY_BYTES ((guint64) SKY_WIDTH * SKY_HEIGHT * 4)

static char *folder, *cube;

/* Value of pixel (@x, @y), counted from the top, of a plane. */
static float
get_value (guint plane, guint x, guint y)
{
  return (float) (plane * 1000 + y * 100 + x) + 0.25f;
}

/* Noise, sources with a diameter of about five pixels, and a missing pixel. */
static float
get_sky (guint plane, guint x, guint y)
{
  guint32 hash = (y * SKY_WIDTH + x) * 2654435761u;
  double dx = (double) (x % SKY_STEP) - SKY_STEP / 2, dy = (double) (y % SKY_STEP) - SKY_STEP / 2;

  hash = (hash ^ hash >> 15) * 2246822519u;
  hash ^= hash >> 13;
  return x == 3 && y == 7 ? NAN : (float) (hash / 4294967296.0 - 0.5 + 100.0 * exp (-(dx * dx + dy * dy) / 2));
}

static void
write_image (const char *path, guint width, guint height, guint planes, float (*get) (guint plane, guint x, guint y))
{
  static const char *const cards[] = { "CTYPE1  = 'RA---TAN'",
                                       "CTYPE2  = 'DEC--TAN'",
                                       "CRVAL1  =                 10.0",
                                       "CRVAL2  =                 20.0",
                                       "CRPIX1  =                  1.0",
                                       "CRPIX2  =                  3.0",
                                       "CDELT1  =                -0.01",
                                       "CDELT2  =                 0.01",
                                       "OBJECT  = 'test'",
                                       "END" };
  g_autoptr (GString) file = g_string_new (NULL);

  g_string_append_printf (file, "%-80s%-80s%-80s", "SIMPLE  =                    T", "BITPIX  =                  -32",
                          "NAXIS   =                    3");
  g_string_append_printf (file, "NAXIS1  = %20u%50sNAXIS2  = %20u%50sNAXIS3  = %20u%50s", width, "", height, "", planes,
                          "");
  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (file, "%-80s", cards[i]);
  while (file->len % 2880)
    g_string_append_c (file, ' ');
  for (guint plane = 0; plane < planes; plane++)
    for (guint y = height; y > 0; y--) /* from bottom to top */
      for (guint x = 0; x < width; x++)
        {
          float value = get (plane, x, y - 1);
          guint32 bits = 0;

          memcpy (&bits, &value, sizeof bits);
          bits = GUINT32_TO_BE (bits);
          g_string_append_len (file, (const char *) &bits, sizeof bits);
        }
  while (file->len % 2880)
    g_string_append_c (file, '\0');
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
}

static void
assert_plane (GeglNode *node, guint plane)
{
  g_autofree float *pixels = graph_render (node, NULL, "Y float");
  g_autofree char *error = graph_error (node);

  g_assert_cmpstr (error, ==, "");
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpfloat (pixels[i], ==, get_value (plane, i % WIDTH, i / WIDTH));
}

/* The image is uploaded once and stays on the device. */
static void
test_planes (void)
{
  GeglNode *graph = gegl_node_new ();
  GeglNode *load = gegl_node_new_child (graph, "operation", "capra:fits-load", "path", cube, "plane", 1, NULL);
  GeglNode *blur = graph_node (graph, load, "capra:box-blur", "radius", 1, NULL);
  GeglRectangle box = gegl_node_get_bounding_box (load);
  g_autofree char *header = NULL;

  g_assert_cmpint (box.width, ==, WIDTH);
  g_assert_cmpint (box.height, ==, HEIGHT);
  graph_forget ();
  g_free (graph_render (blur, NULL, "Y float"));
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_assert_cmpuint (graph_count ("download"), ==, 1);
  assert_plane (load, 1);
  gegl_node_set (load, "plane", 0, NULL);
  assert_plane (load, 0);
  gegl_node_get (load, "header", &header, NULL);
  g_assert_nonnull (strstr (header, "OBJECT  = 'test'"));
  g_object_unref (graph);
}

/* Without a number the first plane is loaded, and a message says that there are others. */
static void
test_first (void)
{
  GeglNode *graph = gegl_node_new ();
  GeglNode *load = gegl_node_new_child (graph, "operation", "gegl:load", "path", cube, NULL);
  g_autofree float *pixels = NULL;
  int count = 0;

  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_MESSAGE, "*cube.fits has 2 images*\"plane\" (0 to 1)*");
  pixels = graph_render (load, NULL, "Y float");
  g_test_assert_expected_messages ();
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpfloat (pixels[i], ==, get_value (0, i % WIDTH, i / WIDTH));
  load = gegl_node_new_child (graph, "operation", "capra:fits-load", "path", cube, "plane", 0, NULL);
  assert_plane (load, 0);
  gegl_node_get (load, "count", &count, NULL);
  g_assert_cmpint (count, ==, PLANES);
  g_object_unref (graph);
}

/* Writes @data, compressed with gzip. */
static char *
write_gzip (const char *name, const char *data, gsize length)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GConverter) compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6));
  g_autoptr (GOutputStream) plain = NULL, stream = NULL;
  g_autoptr (GError) error = NULL;

  plain = G_OUTPUT_STREAM (g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &error));
  g_assert_no_error (error);
  stream = g_converter_output_stream_new (plain, compressor);
  g_assert_true (g_output_stream_write_all (stream, data, length, NULL, NULL, &error));
  g_assert_true (g_output_stream_close (stream, NULL, &error));
  return path;
}

/* Files that end with ".gz" are taken for FITS only if they contain that, whatever their names are. */
static void
test_gzip (void)
{
  static const char pixmap[] = "P5 2 1 255\n\x10\xff";
  g_autofree char *data = NULL, *named = NULL, *unnamed = NULL, *other = NULL, *lying = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (cube, &data, &length, NULL));
  named = write_gzip ("cube.fits.gz", data, length);
  unnamed = write_gzip ("image.gz", data, length);
  other = write_gzip ("image.pgm.gz", pixmap, sizeof pixmap - 1);
  lying = write_gzip ("lying.fits.gz", pixmap, sizeof pixmap - 1);
  for (guint i = 0; i < 4; i++)
    {
      const char *path = i == 0 ? named : i == 1 ? unnamed : i == 2 ? other : lying;
      GeglNode *graph = gegl_node_new ();
      GeglNode *load = gegl_node_new_child (graph, "operation", "capra:gzip-load", "path", path, NULL);
      g_autoptr (GSList) children = gegl_node_get_children (load);
      guint found = 0;

      g_assert_true (capra_fits_recognize (path) == (i < 2));
      for (GSList *child = children; child; child = child->next)
        {
          const char *name = gegl_node_get_operation (child->data);

          found += g_strcmp0 (name, i < 2 ? "capra:fits-load" : "gegl:magick-load") == 0;
        }
      g_assert_cmpuint (found, ==, 1);
      if (i < 2)
        {
          g_autofree float *pixels = NULL;

          g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_MESSAGE, "*has 2 images*");
          pixels = graph_render (load, NULL, "Y float");
          g_test_assert_expected_messages ();
          g_assert_cmpfloat (pixels[WIDTH + 1], ==, get_value (0, 1, 1));
        }
      g_object_unref (graph);
    }
}

/* gegl:load finds the operation by the ending of the file. */
static void
test_loader (void)
{
  GeglNode *graph = gegl_node_new ();
  g_autofree char *path = g_build_filename (folder, "flat.fits", NULL), *data = NULL;
  gsize length = 0;
  GeglNode *load = NULL;

  g_assert_true (g_file_get_contents (cube, &data, &length, NULL));
  memcpy (strstr (data, "NAXIS3  ="), "NAXIS3  =                    1", 30);
  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  load = gegl_node_new_child (graph, "operation", "gegl:load", "path", path, NULL);
  {
    g_autofree float *pixels = graph_render (load, NULL, "Y float");

    for (guint i = 0; i < WIDTH * HEIGHT; i++)
      g_assert_cmpfloat (pixels[i], ==, get_value (0, i % WIDTH, i / WIDTH));
  }
  g_object_unref (graph);
}

static void
test_errors (void)
{
  static const struct {
    const char *file;
    int plane;
    const char *message;
  } cases[] = { { "cube.fits", 2, "no plane 2" }, { "none.fits", 0, "cannot read" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (folder, cases[i].file, NULL), *error = NULL;
      g_autofree char *pattern = g_strdup_printf ("*%s*", cases[i].message);
      GeglNode *graph = gegl_node_new ();
      GeglNode *load = NULL;
      float pixel = 1.0f;

      g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, pattern);
      load = gegl_node_new_child (graph, "operation", "capra:fits-load", "path", path, "plane", cases[i].plane, NULL);
      gegl_node_blit (load, 1.0, GEGL_RECTANGLE (0, 0, 1, 1), babl_format ("Y float"), &pixel, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      g_test_assert_expected_messages ();
      g_assert_cmpfloat (pixel, ==, 0.0f);
      error = graph_error (load);
      g_assert_nonnull (strstr (error, cases[i].message));
      g_object_unref (graph);
    }
}

/* The table that capra:measure writes for the regions of @image. */
static char *
measure (GeglNode *graph, GeglNode *image)
{
  g_autoptr (GString) table = g_string_new (NULL);
  GeglNode *label = graph_node (graph, image, "capra:label", "rendering", 1, NULL);
  GeglNode *measure = graph_node (graph, label, "capra:measure", NULL);

  g_object_set_data (G_OBJECT (graph), "capra:table-text", table);
  g_free (graph_render (measure, NULL, "Y float"));
  g_object_set_data (G_OBJECT (graph), "capra:table-text", NULL);
  g_assert_cmpuint (table->len, >, 0);
  return g_string_free (g_steal_pointer (&table), FALSE);
}

/* capra:measure finds the coordinates of the image upstream, unless an operation between them moves pixels. */
static void
test_upstream (void)
{
  static const struct {
    const char *chain;
    gboolean found;
  } cases[] = {
    { "gegl:nop", TRUE },
    { "gegl:crop x=1 y=1 width=3 height=2", TRUE },
    { "gegl:gaussian-blur", TRUE },
    { "gegl:invert-linear gegl:cache", TRUE },
    { "capra:box-blur radius=1 capra:threshold", TRUE },
    { "gegl:scale-ratio x=2 y=2", FALSE },
    { "gegl:translate x=1", FALSE },
    { "gegl:invert-linear gegl:rotate degrees=90 capra:box-blur", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GeglNode *graph = gegl_node_new ();
      GeglNode *load = gegl_node_new_child (graph, "operation", "capra:fits-load", "path", cube, "plane", 1, NULL);
      g_autofree char *table = measure (graph, graph_chain (load, cases[i].chain, ""));

      g_test_message ("%s: %s", cases[i].chain, table);
      g_assert_true ((strstr (table, " ra ") != NULL) == cases[i].found);
      g_object_unref (graph);
    }
}

/* Coordinates that a program has attached to a buffer are found, too. */
static void
test_attached (void)
{
  static const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };
  g_autofree float *values = g_new0 (float, WIDTH * HEIGHT);
  g_autoptr (CapraFits) fits = capra_fits_open (cube, NULL);
  g_autoptr (GeglBuffer) buffer = NULL;

  values[0] = 1;
  buffer = graph_buffer ("Y float", &rect, values);
  for (guint i = 0; i < 2; i++)
    {
      GeglNode *graph = gegl_node_new ();
      g_autofree char *table = measure (graph, graph_source (graph, buffer));

      g_assert_true ((strstr (table, " ra ") != NULL) == (i == 1));
      g_object_set_data_full (G_OBJECT (buffer), "capra:world-coordinates",
                              capra_fits_read_world_coordinates (fits, 0, NULL),
                              (GDestroyNotify) capra_world_coordinates_unref);
      g_object_unref (graph);
    }
}

/* What is downloaded beside the image, where that is clipped on the host: the results of reductions, and the rows of
 * the table, whose number is not known yet: at least 512 at once. */
static void
assert_small_results (void)
{
  g_assert_cmpuint (graph_bytes ("download"), ==, support_has_doubles () ? 0 : 2 * SKY_BYTES);
  g_assert_cmpuint (graph_bytes ("result"), >, 0);
  g_assert_cmpuint (graph_bytes ("result"), <, 64 << 10);
  g_assert_cmpuint (graph_count ("evict") + graph_count ("restore"), ==, 0);
}

/* The four steps from an image of the sky to its sources: the image is uploaded once, and only the table is downloaded,
 * and the labels if they are saved. */
static void
test_sky (void)
{
  g_autofree char *path = g_build_filename (folder, "sky.fits", NULL),
                  *saved = g_build_filename (folder, "t.csv", NULL);
  g_autofree char *text = NULL, *error = NULL;
  g_auto (GStrv) lines = NULL;
  GeglNode *graph = gegl_node_new (), *load = NULL, *label = NULL, *measure = NULL;

  write_image (path, SKY_WIDTH, SKY_HEIGHT, 1, get_sky);
  load = gegl_node_new_child (graph, "operation", "capra:fits-load", "path", path, NULL);
  label = graph_chain (load, "capra:threshold method=kappa-sigma capra:label rendering=numbers connectivity=4", "");
  measure = graph_node (graph, label, "capra:measure-save", "path", saved, "sort", 1, NULL);
  gegl_node_connect_to (load, "output", measure, "aux");
  graph_forget ();
  gegl_node_process (measure);
  error = graph_error (measure);
  g_assert_cmpstr (error, ==, "");
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_assert_cmpuint (graph_bytes ("upload"), ==, SKY_BYTES);
  assert_small_results ();
  g_assert_true (g_file_get_contents (saved, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + SKY_SOURCES);
  g_assert_nonnull (strstr (lines[0], ",ra,dec"));

  graph_forget ();
  g_free (graph_render (label, NULL, "Y' u32"));
  g_assert_cmpuint (graph_count ("upload"), ==, 0);
  g_assert_cmpuint (graph_bytes ("download"), ==, SKY_BYTES);
  g_object_unref (graph);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  folder = g_dir_make_tmp ("capra-sources-XXXXXX", NULL);
  cube = g_build_filename (folder, "cube.fits", NULL);
  write_image (cube, WIDTH, HEIGHT, PLANES, get_value);
  if (capra_fits_is_supported ())
    {
      g_test_add_func ("/image-sources/planes", test_planes);
      g_test_add_func ("/image-sources/first", test_first);
      g_test_add_func ("/image-sources/gzip", test_gzip);
      g_test_add_func ("/image-sources/loader", test_loader);
      g_test_add_func ("/image-sources/errors", test_errors);
      g_test_add_func ("/image-sources/upstream", test_upstream);
      g_test_add_func ("/image-sources/attached", test_attached);
      g_test_add_func ("/image-sources/sky", test_sky);
    }
  status = g_test_run ();
  gegl_exit ();
  g_free (cube);
  support_folder_remove (folder);
  return status;
}
