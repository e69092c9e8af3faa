/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the FITS reader, with files that CFITSIO writes. */
#include <fcntl.h>
#include <fitsio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"

#define WIDTH 13
#define HEIGHT 7
#define COUNT (WIDTH * HEIGHT)

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static fitsfile *
create (const char *name)
{
  g_autofree char *path = get_path (name), *url = g_strconcat ("!", path, NULL);
  fitsfile *file = NULL;
  int status = 0;

  fits_create_file (&file, url, &status);
  g_assert_cmpint (status, ==, 0);
  return file;
}

static void
finish (fitsfile *file, int status)
{
  if (status)
    fits_report_error (stderr, status);
  fits_close_file (file, &status);
  g_assert_cmpint (status, ==, 0);
}

static CapraFits *
open_fits (const char *name)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  CapraFits *fits = capra_fits_open (path, &error);

  g_assert_no_error (error);
  return fits;
}

/* Compares plane @plane of image @index with @values, whose first row is the bottom one. */
static void
assert_plane (CapraFits *fits, guint index, gint64 plane, const double *values)
{
  const CapraFitsImage *image = capra_fits_get_image (fits, index);
  gsize count = image->width * image->height;
  g_autofree float *pixels = g_new0 (float, count);
  g_autoptr (GError) error = NULL;

  capra_fits_read_plane (fits, index, plane, pixels, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < count; i++)
    {
      gsize y = image->height - 1 - i / image->width;
      float expected = (float) values[y * image->width + i % image->width];

      if (isnan (expected))
        g_assert_true (isnan (pixels[i]));
      else
        g_assert_cmpfloat (pixels[i], ==, expected);
    }
}

/* Pixel types of CFITSIO, with the range of their values. */
static const struct {
  int type, bits;
  double low, high;
} types[] = {
  { BYTE_IMG, 8, 0, 255 },
  { SBYTE_IMG, 8, -128, 127 },
  { SHORT_IMG, 16, -32768, 32767 },
  { USHORT_IMG, 16, 0, 65535 },
  { LONG_IMG, 32, -2147483648.0, 2147483647 },
  { ULONG_IMG, 32, 0, 4294967295.0 },
  { LONGLONG_IMG, 64, -9e15, 9e15 },
  { FLOAT_IMG, -32, -1e30, 1e30 },
  { DOUBLE_IMG, -64, -1e30, 1e30 },
};

static double *
make_values (gsize count, double low, double high, gboolean whole)
{
  g_autofree float *noise = support_noise (count, 0.0, 1.0, 3);
  double *values = g_new (double, count);

  for (gsize i = 0; i < count; i++)
    {
      values[i] = low + (double) noise[i] * (high - low);
      values[i] = whole ? floor (values[i]) : (double) (float) values[i];
    }
  values[0] = low;
  values[count - 1] = high;
  return values;
}

static void
test_types (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree double *values = make_values (COUNT, types[i].low, types[i].high, types[i].bits > 0);
      fitsfile *file = create ("type.fits");
      g_autoptr (CapraFits) fits = NULL;
      int status = 0;

      fits_create_img (file, types[i].type, 2, (long[]){ WIDTH, HEIGHT }, &status);
      fits_write_img (file, TDOUBLE, 1, COUNT, values, &status);
      finish (file, status);
      fits = open_fits ("type.fits");
      g_assert_cmpuint (capra_fits_get_n_images (fits), ==, 1);
      g_assert_cmpint (capra_fits_get_image (fits, 0)->bits, ==, types[i].bits);
      g_assert_cmpuint (capra_fits_get_image (fits, 0)->width, ==, WIDTH);
      g_assert_cmpuint (capra_fits_get_image (fits, 0)->height, ==, HEIGHT);
      assert_plane (fits, 0, -1, values);
    }
}

/* BSCALE, BZERO and BLANK. */
static void
test_scaling (void)
{
  static const int kinds[] = { BYTE_IMG, SHORT_IMG, LONG_IMG, LONGLONG_IMG, FLOAT_IMG, DOUBLE_IMG };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree double *values = make_values (COUNT, 0, 100, TRUE);
      fitsfile *file = create ("scaled.fits");
      double scale = 0.37, zero = -3.5;
      g_autoptr (CapraFits) fits = NULL;
      long blank = 42;
      int status = 0;

      values[5] = 42;
      fits_create_img (file, kinds[i], 2, (long[]){ WIDTH, HEIGHT }, &status);
      fits_write_img (file, TDOUBLE, 1, COUNT, values, &status);
      fits_write_key (file, TDOUBLE, "BSCALE", &scale, NULL, &status);
      fits_write_key (file, TDOUBLE, "BZERO", &zero, NULL, &status);
      if (kinds[i] > 0)
        fits_write_key (file, TLONG, "BLANK", &blank, NULL, &status);
      finish (file, status);
      for (guint k = 0; k < COUNT; k++)
        values[k] = kinds[i] > 0 && values[k] == 42 ? NAN : zero + scale * values[k];
      fits = open_fits ("scaled.fits");
      assert_plane (fits, 0, -1, values);
    }
}

/* Writes values in the image's own type; CFITSIO does not convert those that it compresses. */
static void
write_converted (fitsfile *file, int type, LONGLONG count, const double *values, int *status)
{
  g_autofree short *shorts = g_new (short, count);
  g_autofree int *ints = g_new (int, count);
  g_autofree float *floats = g_new (float, count);

  for (LONGLONG i = 0; i < count; i++)
    {
      shorts[i] = (short) CLAMP (values[i], -32768, 32767);
      ints[i] = (int) values[i];
      floats[i] = (float) values[i];
    }
  if (type == SHORT_IMG)
    fits_write_img (file, TSHORT, 1, count, shorts, status);
  else if (type == LONG_IMG)
    fits_write_img (file, TINT, 1, count, ints, status);
  else
    fits_write_img (file, TFLOAT, 1, count, floats, status);
}

/* Compressions that lose nothing, also of planes of cubes, and of files compressed with gzip. */
static void
test_compressed (void)
{
  static const struct {
    int compression, type;
  } cases[] = { { RICE_1, SHORT_IMG }, { RICE_1, LONG_IMG },       { GZIP_1, SHORT_IMG },
                { GZIP_2, FLOAT_IMG }, { HCOMPRESS_1, SHORT_IMG }, { PLIO_1, SHORT_IMG } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree double *values = make_values (3 * COUNT, 0, 1000, TRUE);
      gboolean cube = cases[i].compression != HCOMPRESS_1;
      fitsfile *file = create ("compressed.fits");
      g_autoptr (CapraFits) fits = NULL;
      g_autoptr (CapraFitsHeader) header = NULL;
      int status = 0;

      fits_set_compression_type (file, cases[i].compression, &status);
      if (cases[i].type == FLOAT_IMG)
        fits_set_quantize_level (file, 0.0f, &status);
      fits_create_img (file, cases[i].type, cube ? 3 : 2, (long[]){ WIDTH, HEIGHT, 3 }, &status);
      write_converted (file, cases[i].type, cube ? 3 * COUNT : COUNT, values, &status);
      finish (file, status);
      fits = open_fits ("compressed.fits");
      g_assert_true (capra_fits_get_image (fits, 0)->compressed);
      assert_plane (fits, 0, cube ? 2 : -1, cube ? values + 2 * COUNT : values);
      header = capra_fits_read_header (fits, 0, NULL);
      g_assert_cmpstr (capra_fits_header_get_text (header, "NAXIS1"), ==, "13");
      g_assert_null (capra_fits_header_get_text (header, "ZCMPTYPE"));
      g_assert_null (capra_fits_header_get_text (header, "TFORM1"));
    }
}

static void
test_gzip (void)
{
  g_autofree double *values = make_values (COUNT, -1, 1, FALSE);
  g_autofree char *path = get_path ("zipped.fits.gz");
  fitsfile *file = create ("zipped.fits.gz");
  g_autoptr (CapraFits) fits = NULL;
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  int status = 0;

  fits_create_img (file, FLOAT_IMG, 2, (long[]){ WIDTH, HEIGHT }, &status);
  fits_write_img (file, TDOUBLE, 1, COUNT, values, &status);
  finish (file, status);
  fits = open_fits ("zipped.fits.gz");
  assert_plane (fits, 0, -1, values);

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  g_assert_true (g_file_set_contents (path, data, (gssize) (length / 2), NULL));
  g_assert_null (capra_fits_open (path, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED);
}

/* Axes of length 1 are left out; further axes count planes. */
static void
test_cube (void)
{
  g_autofree double *values = make_values (6 * COUNT, -1, 1, FALSE);
  fitsfile *file = create ("cube.fits");
  g_autoptr (CapraFits) fits = NULL;
  g_autoptr (GError) error = NULL;
  const CapraFitsImage *image = NULL;
  int status = 0;

  fits_create_img (file, FLOAT_IMG, 0, NULL, &status);
  fits_create_img (file, FLOAT_IMG, 6, (long[]){ 1, WIDTH, HEIGHT, 2, 1, 3 }, &status);
  fits_write_img (file, TDOUBLE, 1, 6 * COUNT, values, &status);
  fits_write_key (file, TSTRING, "EXTNAME", "Science", NULL, &status);
  finish (file, status);
  fits = open_fits ("cube.fits");
  image = capra_fits_get_image (fits, 0);
  g_assert_cmpuint (capra_fits_get_n_images (fits), ==, 1);
  g_assert_cmpint (image->hdu, ==, 2);
  g_assert_cmpuint (image->width, ==, WIDTH);
  g_assert_cmpuint (image->height, ==, HEIGHT);
  g_assert_cmpuint (image->planes, ==, 6);
  g_assert_cmpuint (image->axis_x, ==, 2);
  g_assert_cmpuint (image->axis_y, ==, 3);
  for (guint plane = 0; plane < 6; plane++)
    assert_plane (fits, 0, plane, values + plane * COUNT);
  g_assert_cmpint (capra_fits_check_plane (fits, 0, -1, &error), ==, -1);
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_cmpint (capra_fits_check_plane (fits, 0, 6, &error), ==, -1);
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE);
}

static void
test_find (void)
{
  g_autofree double *values = make_values (COUNT, -1, 1, FALSE);
  fitsfile *file = create ("several.fits");
  g_autoptr (CapraFits) fits = NULL;
  g_autoptr (GError) error = NULL;
  guint index = 0;
  int status = 0;

  fits_create_img (file, DOUBLE_IMG, 2, (long[]){ 1, 1 }, &status);
  fits_write_img (file, TDOUBLE, 1, 1, values, &status);
  fits_create_tbl (file, BINARY_TBL, 3, 1, (char *[]){ "x" }, (char *[]){ "1D" }, NULL, "Table", &status);
  fits_create_img (file, FLOAT_IMG, 1, (long[]){ COUNT }, &status);
  fits_write_img (file, TDOUBLE, 1, COUNT, values, &status);
  fits_write_key (file, TSTRING, "EXTNAME", "Line", NULL, &status);
  finish (file, status);
  fits = open_fits ("several.fits");
  g_assert_cmpuint (capra_fits_get_n_images (fits), ==, 2);
  g_assert_true (capra_fits_find_image (fits, "", &index, &error));
  g_assert_cmpuint (index, ==, 0);
  assert_plane (fits, 0, 0, values);
  g_assert_true (capra_fits_find_image (fits, "line", &index, &error));
  g_assert_cmpuint (index, ==, 1);
  g_assert_true (capra_fits_find_image (fits, "3", &index, &error));
  g_assert_cmpuint (index, ==, 1);
  assert_plane (fits, 1, -1, values);
  g_assert_false (capra_fits_find_image (fits, "Table", &index, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND);
}

/* Several threads read an image with rows of several blocks, and several readers the same file. */
static gpointer
read_large (gpointer data)
{
  g_autoptr (CapraFits) fits = open_fits ("large.fits");

  assert_plane (fits, 0, -1, data);
  return NULL;
}

static void
test_large (void)
{
  gsize width = 1531, height = 1409;
  g_autofree double *values = make_values (width * height, -1, 1, FALSE);
  fitsfile *file = create ("large.fits");
  GThread *threads[3];
  int status = 0;

  fits_create_img (file, FLOAT_IMG, 2, (long[]){ (long) width, (long) height }, &status);
  fits_write_img (file, TDOUBLE, 1, (LONGLONG) (width * height), values, &status);
  finish (file, status);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_large, values);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_header (void)
{
  static const char *const cards[] = { "SIMPLE  =                    T / a FITS file",
                                       "OBJECT  = 'O''Neill  '         / with a quote",
                                       "NUMBER  =            1.5D+03 / Fortran's exponent",
                                       "LONG    = 'the first part &'",
                                       "CONTINUE  'and the second&'",
                                       "CONTINUE  '' / a comment",
                                       "HIERARCH ESO DET CHIP = 'CCD'",
                                       "COMMENT = not a value",
                                       "NUMBER  =                  7",
                                       "BAD     = 'caf\xe9'",
                                       "INTEGER =                +12" };
  g_autoptr (GString) records = g_string_new (NULL);
  g_autoptr (CapraFitsHeader) header = NULL;
  g_autofree char *text = NULL;
  double value = 0.0;

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (records, "%-80s", cards[i]);
  g_string_append (records, "END");
  header = capra_fits_header_new (records->str, -1);
  g_assert_cmpstr (capra_fits_header_get_text (header, "OBJECT"), ==, "O'Neill");
  g_assert_cmpstr (capra_fits_header_get_text (header, "LONG"), ==, "the first part and the second");
  g_assert_cmpstr (capra_fits_header_get_text (header, "ESO DET CHIP"), ==, "CCD");
  g_assert_true (capra_fits_header_get_double (header, "NUMBER", &value));
  g_assert_cmpfloat (value, ==, 1500.0);
  g_assert_true (capra_fits_header_get_double (header, "INTEGER", &value));
  g_assert_cmpfloat (value, ==, 12.0);
  g_assert_false (capra_fits_header_get_double (header, "OBJECT", &value));
  g_assert_null (capra_fits_header_get_text (header, "MISSING"));
  text = capra_fits_header_to_string (header);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "OBJECT  = 'O'Neill' / with a quote\n"));
  g_assert_nonnull (strstr (text, "COMMENT   = not a value\n"));
}

static void
assert_open_fails (const char *name, int code)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_fits_open (path, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, code);
  g_assert_nonnull (strstr (error->message, path));
}

static void
write_text (const char *name, const char *text, gssize length)
{
  g_autofree char *path = get_path (name);

  g_assert_true (g_file_set_contents (path, text, length, NULL));
}

static void
test_bad_files (void)
{
  g_autofree char *pipe = get_path ("pipe.fits"), *sub = get_path ("folder.fits");
  fitsfile *file = create ("table.fits");
  int status = 0;

  fits_create_tbl (file, BINARY_TBL, 3, 1, (char *[]){ "x" }, (char *[]){ "1D" }, NULL, "Table", &status);
  finish (file, status);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  write_text ("empty.fits", "", 0);
  write_text ("text.fits", "SIMPLE  = not more", -1);
  assert_open_fails ("missing.fits", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("pipe.fits", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("folder.fits", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("empty.fits", CAPRA_FORMAT_ERROR_DAMAGED);
  assert_open_fails ("text.fits", CAPRA_FORMAT_ERROR_DAMAGED);
  assert_open_fails ("table.fits", CAPRA_FORMAT_ERROR_NOT_FOUND);
}

/* Headers that do not match the file. */
static void
test_false_headers (void)
{
  static const char *const axes[] = { "NAXIS1  =  4000000000000", "NAXIS1  =        100000", "NAXIS1  =           -5",
                                      "NAXIS1  = 9223372036854775807" };

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *path = get_path ("false.fits");
      g_autoptr (CapraFits) fits = NULL;
      g_autoptr (GError) error = NULL;
      float pixel = 0.0f;

      g_string_append_printf (text, "%-80s%-80s%-80s%-80s%-80s%-80s", "SIMPLE  =                    T",
                              "BITPIX  =                   16", "NAXIS   =                    2", axes[i],
                              "NAXIS2  =                  100", "END");
      g_string_append_printf (text, "%*s", 2880 * 2 - (int) text->len, "");
      write_text ("false.fits", text->str, (gssize) text->len);
      fits = capra_fits_open (path, &error);
      if (fits)
        g_assert_false (capra_fits_read_plane (fits, 0, -1, &pixel, &error));
      g_assert_nonnull (error);
      g_assert_true (error->domain == CAPRA_FORMAT_ERROR);
    }
}

/* A file that is cut off after it was opened, or changed. */
static void
test_changes (void)
{
  g_autofree double *values = make_values (COUNT, -1, 1, FALSE);
  g_autofree char *path = get_path ("changed.fits");
  float pixels[COUNT];

  for (guint i = 0; i < 2; i++)
    {
      fitsfile *file = create ("changed.fits");
      g_autoptr (CapraFits) fits = NULL;
      g_autoptr (GError) error = NULL;
      int status = 0;

      fits_create_img (file, FLOAT_IMG, 2, (long[]){ WIDTH, HEIGHT }, &status);
      fits_write_img (file, TDOUBLE, 1, COUNT, values, &status);
      finish (file, status);
      fits = open_fits ("changed.fits");
      g_assert_cmpint (truncate (path, i ? 2880 : 10000), ==, 0);
      g_assert_false (capra_fits_read_plane (fits, 0, -1, pixels, &error));
      g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("capra-fits-XXXXXX", NULL);
  g_test_add_func ("/fits/types", test_types);
  g_test_add_func ("/fits/scaling", test_scaling);
  g_test_add_func ("/fits/compressed", test_compressed);
  g_test_add_func ("/fits/gzip", test_gzip);
  g_test_add_func ("/fits/cube", test_cube);
  g_test_add_func ("/fits/find", test_find);
  g_test_add_func ("/fits/large", test_large);
  g_test_add_func ("/fits/header", test_header);
  g_test_add_func ("/fits/bad-files", test_bad_files);
  g_test_add_func ("/fits/false-headers", test_false_headers);
  g_test_add_func ("/fits/changes", test_changes);
  status = g_test_run ();
  support_folder_remove (folder);
  return status;
}
