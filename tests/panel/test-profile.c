/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values along a line, and its length in the units of a file, without a window. */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <tiffio.h>

#include "capra.h"
#include "tests/panel/collect.h"
#include "ui/panel/preview/profile.h"
#include "ui/panel/preview/ruler.h"
#include "ui/pipeline/read/fits-keywords.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/read/resolution.h"

static void
test_points (void)
{
  static const CapraLine lines[] = {
    { { 0, 0 }, { 0, 0 } },       { { 3, 60 }, { 7, 7 } }, { { 5, 5 }, { 90, -41 } },
    { { -3, 1234 }, { 8, 777 } }, { { 9, 8 }, { 1, 2 } },  { { 49, 0 }, { 0, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const CapraLine *line = &lines[i];
      double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0], x, y;
      gsize count = capra_line_get_count (line);

      g_assert_cmpfloat_with_epsilon (capra_line_get_length (line), sqrt (dx * dx + dy * dy), 1e-9);
      g_assert_cmpfloat (fabs ((double) count - 1 - sqrt (dx * dx + dy * dy)), <=, 0.5);
      for (guint end = 0; end < 2; end++)
        {
          capra_line_get_point (line, end ? count - 1 : 0, &x, &y);
          g_assert_cmpfloat (x, ==, line->x[count > 1 ? end : 0]);
          g_assert_cmpfloat (y, ==, line->y[count > 1 ? end : 0]);
        }
      for (gsize p = 0; p < count && (dx == 0 || dy == 0); p++)
        {
          capra_line_get_point (line, p, &x, &y);
          g_assert_cmpfloat (x, ==, round (x));
          g_assert_cmpfloat (y, ==, round (y));
        }
    }
  g_assert_cmpfloat_with_epsilon (capra_line_get_angle (&(CapraLine){ { 0, 5 }, { 0, -5 } }), 45.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (capra_line_get_angle (&(CapraLine){ { 0, 0 }, { 0, 5 } }), -90.0, 1e-12);
  g_assert_cmpfloat_with_epsilon (capra_line_get_angle (&(CapraLine){ { 0, -5 }, { 2, 2 } }), 180.0, 1e-12);
  g_assert_cmpfloat (capra_line_get_angle (&lines[0]), ==, 0.0);
}

/* The square of the distance from (@x, @y) to the nearest pixel of the eight directions from the middle. */
static int
find_nearest (int middle, int x, int y)
{
  int least = G_MAXINT;

  for (int dx = -1; dx <= 1; dx++)
    for (int dy = -1; dy <= 1; dy++)
      for (int i = 0; i <= middle; i++)
        {
          int off_x = middle + i * dx - x, off_y = middle + i * dy - y;

          least = MIN (least, off_x * off_x + off_y * off_y);
        }
  return least;
}

static void
test_constrain (void)
{
  const GeglRectangle extent = { 0, 0, 41, 41 };
  const GeglRectangle narrow = { 0, 0, 41, 7 };

  for (int x = 0; x < 41; x++)
    for (int y = 0; y < 41; y++)
      {
        CapraLine line = { { 20, 20 }, { 20, 20 } }, low = { { 4, 4 }, { 3, 3 } };
        int dx, dy;

        capra_line_set_end (&line, 1, x, y, TRUE, &extent);
        dx = ABS (line.x[1] - 20);
        dy = ABS (line.y[1] - 20);
        g_assert_true (dx == 0 || dy == 0 || dx == dy);
        dx = line.x[1] - x;
        dy = line.y[1] - y;
        g_assert_cmpint (dx * dx + dy * dy, <=, find_nearest (20, x, y) + 1);
        capra_line_set_end (&low, 0, x, y, TRUE, &narrow);
        dx = ABS (low.x[0] - 4);
        dy = ABS (low.y[0] - 3);
        g_assert_true (dx == 0 || dy == 0 || dx == dy);
        g_assert_true (low.x[0] >= 0 && low.x[0] < 41 && low.y[0] >= 0 && low.y[0] < 7);
      }
}

static void
test_move (void)
{
  const GeglRectangle extent = { -2, 3, 10, 5 };
  CapraLine line = { { 0, 4 }, { 7, 4 } };

  capra_line_move (&line, 100, -1, &extent);
  g_assert_true (capra_line_equal (&line, &(CapraLine){ { 3, 7 }, { 6, 3 } }));
  capra_line_move (&line, -100, -100, &extent);
  g_assert_true (capra_line_equal (&line, &(CapraLine){ { -2, 2 }, { 6, 3 } }));
  line = (CapraLine){ { -50, 50 }, { 50, -50 } };
  capra_line_clamp (&line, &extent);
  g_assert_true (capra_line_equal (&line, &(CapraLine){ { -2, 7 }, { 7, 3 } }));
}

/* What a profile is read from. */
typedef struct {
  GeglBuffer *buffer;
  guint parts, stop; /* after that number of parts; 0 for never */
} Source;

static GeglBuffer *
read_part (const GeglRectangle *rect, gpointer data)
{
  Source *source = data;

  g_assert_true (gegl_rectangle_contains (gegl_buffer_get_extent (source->buffer), rect));
  g_assert_cmpint (rect->width * rect->height, <=, 256 * 256);
  return ++source->parts == source->stop ? NULL : g_object_ref (source->buffer);
}

static CapraProfile *
make_profile (Source *source, const CapraLine *line)
{
  return capra_profile_new (line, gegl_buffer_get_extent (source->buffer), gegl_buffer_get_format (source->buffer),
                            read_part, source);
}

/* The value of a pixel as stored. */
static double
get_value (GeglBuffer *buffer, int x, int y, guint channel)
{
  CapraProbe probe;

  capra_probe_buffer (buffer, x, y, &probe);
  return probe.count ? probe.values[channel] : NAN;
}

/* By areas: a square of one pixel around the point, of which each pixel covers a part. */
static double
interpolate (GeglBuffer *buffer, double x, double y, guint channel)
{
  double sum = 0.0;

  for (int j = (int) floor (y); j <= (int) ceil (y); j++)
    for (int i = (int) floor (x); i <= (int) ceil (x); i++)
      sum += (1.0 - fabs (x - i)) * (1.0 - fabs (y - j)) * get_value (buffer, i, j, channel);
  return sum;
}

static GeglBuffer *
make_noise (const GeglRectangle *extent, const char *format)
{
  GeglBuffer *buffer = gegl_buffer_new (extent, babl_format (format));
  int bytes = babl_format_get_bytes_per_pixel (babl_format (format)) * extent->width * extent->height;
  gboolean floats = strstr (format, "float") != NULL, doubles = strstr (format, "double") != NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree guint8 *data = g_malloc ((gsize) bytes);

  for (int i = 0; i < bytes; i++)
    data[i] = (guint8) g_rand_int (random);
  for (int i = 0; i < bytes / 4 && floats; i++)
    ((float *) (gpointer) data)[i] = (float) g_rand_double_range (random, -2, 1000);
  for (int i = 0; i < bytes / 8 && doubles; i++)
    ((double *) (gpointer) data)[i] = g_rand_double_range (random, -2, 1e9);
  gegl_buffer_set (buffer, extent, 0, babl_format (format), data, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static void
check_profile (GeglBuffer *buffer, const CapraLine *line, guint channels)
{
  Source source = { .buffer = buffer };
  g_autoptr (CapraProfile) profile = make_profile (&source, line);

  g_assert_cmpuint (profile->count, ==, capra_line_get_count (line));
  g_assert_cmpuint (profile->pixel.count, ==, channels);
  for (gsize i = 0; i < profile->count; i++)
    for (guint c = 0; c < channels; c++)
      {
        double x, y, expected, got = profile->values[i * channels + c];

        capra_line_get_point (line, i, &x, &y);
        expected = profile->pixel.label ? get_value (buffer, (int) floor (x + 0.5), (int) floor (y + 0.5), c)
                                        : interpolate (buffer, x, y, c);
        g_assert_true (isnan (expected) == isnan (got));
        if (!isnan (expected))
          g_assert_cmpfloat (fabs (got - expected), <=, 1e-12 * MAX (fabs (expected), 1.0));
      }
}

static void
test_values (void)
{
  static const struct {
    const char *format;
    guint channels;
  } formats[] = { { "Y float", 1 },  { "R'G'B'A u8", 4 }, { "Y' u16", 1 },   { "RGB double", 3 },
                  { "YA float", 2 }, { "Y' u32", 1 },     { "R'G'B' u8", 3 } };
  const GeglRectangle extents[] = { { -5, 7, 37, 23 }, { 0, 0, 1, 1 }, { 0, 0, 700, 501 }, { 3, 4, 1, 19 } };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint e = 0; e < G_N_ELEMENTS (extents); e++)
      {
        const GeglRectangle *extent = &extents[e];
        g_autoptr (GeglBuffer) buffer = make_noise (extent, formats[f].format);
        int left = extent->x, top = extent->y, right = left + extent->width - 1, bottom = top + extent->height - 1;
        const CapraLine lines[] = {
          { { left, right }, { top, bottom } },
          { { left, right }, { bottom, top } },
          { { right, left }, { top + extent->height / 2, top + extent->height / 2 } },
          { { left + extent->width / 3, left + extent->width / 3 }, { top, bottom } },
          { { left + extent->width / 4, right }, { top, top + extent->height / 3 } },
          { { left - 9, right + 4 }, { top - 3, bottom + 5 } }, /* partly outside */
          { { left - 9, left - 4 }, { top - 3, top - 8 } },
        };

        for (guint l = 0; l < G_N_ELEMENTS (lines); l++)
          check_profile (buffer, &lines[l], formats[f].channels);
      }
}

/* A missing value spoils only the points between it and its neighbors. */
static void
test_missing (void)
{
  const GeglRectangle extent = { 0, 0, 9, 9 };
  g_autoptr (GeglBuffer) buffer = make_noise (&extent, "Y float");
  const float missing = NAN;
  Source source = { .buffer = buffer };
  const CapraLine row = { { 0, 8 }, { 3, 3 } }, beside = { { 0, 8 }, { 4, 4 } };
  g_autoptr (CapraProfile) on = NULL, off = NULL;

  gegl_buffer_set (buffer, GEGL_RECTANGLE (5, 3, 1, 1), 0, babl_format ("Y float"), &missing, GEGL_AUTO_ROWSTRIDE);
  on = make_profile (&source, &row);
  off = make_profile (&source, &beside);
  for (guint i = 0; i < 9; i++)
    {
      g_assert_true (isnan (on->values[i]) == (i == 5));
      g_assert_false (isnan (off->values[i]));
    }
  check_profile (buffer, &(CapraLine){ { 0, 8 }, { 1, 6 } }, 1);
}

/* A long diagonal is read in parts; it can be stopped between them. */
static void
test_parts (void)
{
  const GeglRectangle extent = { 0, 0, 1000, 900 };
  const CapraLine line = { { 0, 999 }, { 899, 0 } };
  g_autoptr (GeglBuffer) buffer = make_noise (&extent, "Y' u8");
  Source source = { .buffer = buffer }, stopped = { .buffer = buffer, .stop = 3 };
  g_autoptr (CapraProfile) profile = make_profile (&source, &line);

  g_assert_nonnull (profile);
  g_assert_cmpuint (source.parts, >=, 4);
  g_assert_cmpuint (source.parts, <=, 5);
  g_assert_null (make_profile (&stopped, &line));
}

static void
test_table (void)
{
  const GeglRectangle extent = { 0, 0, 5, 5 };
  g_autoptr (GeglBuffer) buffer = make_noise (&extent, "R'G'B'A u8");
  Source source = { .buffer = buffer };
  const CapraLine line = { { 4, 0 }, { 2, 2 } };
  g_autoptr (CapraProfile) profile = make_profile (&source, &line);
  const double distances[] = { 0, 0.5, 1, 1.5, 2 };
  g_autoptr (CapraTable) table = capra_profile_get_table (profile, "mm", distances);
  g_autoptr (CapraTable) plain = capra_profile_get_table (profile, NULL, NULL);
  g_autofree char *csv = capra_table_to_csv (plain);

  g_assert_cmpuint (capra_table_get_rows (table), ==, 5);
  g_assert_cmpuint (capra_table_get_columns (table), ==, 8);
  g_assert_cmpstr (capra_table_get_name (table, 1), ==, "distance_mm");
  g_assert_true (g_str_has_prefix (csv, "distance_px,x,y,red,green,blue,alpha\r\n0,4,2,"));
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpfloat (capra_table_get (table, i, 0), ==, i);
      g_assert_cmpfloat (capra_table_get (table, i, 1), ==, distances[i]);
      g_assert_cmpfloat (capra_table_get (table, i, 2), ==, 4.0 - i);
      for (guint c = 0; c < 4; c++)
        g_assert_cmpfloat (capra_table_get (table, i, 4 + c), ==, get_value (buffer, 4 - (int) i, 2, c));
    }
}

/* 10 pixels to the right and 20 down, in millimeters; negative without a resolution. */
static double
measure_file (const char *path)
{
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 30, 30), babl_format ("Y' u8"));
  const double from[2] = { 3, 4 }, to[2] = { 13, 24 };
  CapraDistance distance;

  capra_resolution_attach (buffer, path, 0);
  if (!capra_ruler_measure (buffer, from, to, &distance))
    return -1.0;
  g_assert_cmpstr (distance.unit, ==, "m");
  return distance.value * 1e3;
}

static void
save_pixbuf (const char *path, const char *type, const char *dpi_x, const char *dpi_y)
{
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 30, 30);
  g_autoptr (GError) error = NULL;

  gdk_pixbuf_fill (pixbuf, 0x336699ff);
  if (dpi_x)
    gdk_pixbuf_save (pixbuf, path, type, &error, "x-dpi", dpi_x, "y-dpi", dpi_y, NULL);
  else
    gdk_pixbuf_save (pixbuf, path, type, &error, NULL);
  g_assert_no_error (error);
}

static void
save_tiff (const char *path, int unit, float resolution, const char *description)
{
  TIFF *tiff = TIFFOpen (path, "w");
  guint8 row[30] = { 0 };

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 30);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, unit);
  TIFFSetField (tiff, TIFFTAG_XRESOLUTION, (double) resolution);
  TIFFSetField (tiff, TIFFTAG_YRESOLUTION, (double) resolution);
  if (description)
    TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, description);
  TIFFWriteScanline (tiff, row, 0, 0);
  TIFFClose (tiff);
}

static void
test_files (void)
{
  g_autofree char *path = collect_path ("image");
  double inches = hypot (10 / 300.0, 20 / 150.0), pixels = hypot (10, 20);

  save_pixbuf (path, "png", "300", "150");
  g_assert_cmpfloat_with_epsilon (measure_file (path), inches * 25.4, 1e-3); /* PNG rounds to pixels per meter */
  save_pixbuf (path, "png", NULL, NULL);
  g_assert_cmpfloat (measure_file (path), <, 0);
  save_pixbuf (path, "jpeg", "300", "150");
  g_assert_cmpfloat_with_epsilon (measure_file (path), inches * 25.4, 1e-9);
  save_tiff (path, RESUNIT_CENTIMETER, 50, NULL);
  g_assert_cmpfloat_with_epsilon (measure_file (path), pixels / 5, 1e-6);
  save_tiff (path, RESUNIT_INCH, 254, "ImageJ=1.53\nunit=pixel\n");
  g_assert_cmpfloat_with_epsilon (measure_file (path), pixels / 10, 1e-6);
  save_tiff (path, RESUNIT_NONE, 4, "ImageJ=1.53\nunit=micron\nloop=false\n");
  g_assert_cmpfloat_with_epsilon (measure_file (path), pixels / 4e3, 1e-9);
  save_tiff (path, RESUNIT_NONE, 4, NULL);
  g_assert_cmpfloat (measure_file (path), <, 0);
  save_tiff (path, RESUNIT_INCH, 0, NULL);
  g_assert_cmpfloat (measure_file (path), <, 0);
  g_assert_true (g_file_set_contents (path, "\x89PNGgarbage", -1, NULL));
  g_assert_cmpfloat (measure_file (path), <, 0);
  g_assert_true (g_file_set_contents (path, "MM", -1, NULL));
  g_assert_cmpfloat (measure_file (path), <, 0);
  g_unlink (path);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

/* An image that is opened carries the resolution. */
static void
test_load (void)
{
  g_autofree char *path = collect_path ("image.png");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  save_pixbuf (path, "png", "254", "254");
  for (guint raw = 0; raw < 2; raw++)
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (CapraImage) image = NULL;

      capra_frames_load_async (file, NULL, 0, raw, NULL, on_loaded, &result);
      while (!result)
        g_main_context_iteration (NULL, TRUE);
      image = capra_frames_load_finish (result, NULL);
      g_assert_cmpfloat_with_epsilon (capra_resolution_get (image->buffer)->per_meter[0], 10000.0, 1e-9);
    }
  g_unlink (path);
}

/* On the sky: near a pole, where a degree of longitude is short. */
static void
test_sky (void)
{
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 100, 100), babl_format ("Y float"));
  static const char *const cards[] = { "NAXIS   =                    2", "NAXIS1  =                  100",
                                       "NAXIS2  =                  100", "CTYPE1  = 'RA---TAN'",
                                       "CTYPE2  = 'DEC--TAN'",           "CRVAL1  =                 10.0",
                                       "CRVAL2  =                 89.0", "CRPIX1  =                 50.0",
                                       "CRPIX2  =                 50.0", "CDELT1  =               -0.001",
                                       "CDELT2  =                0.001" };
  g_autoptr (GString) records = g_string_new (NULL);
  g_autoptr (CapraFitsHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  CapraWorldCoordinates *world = NULL;
  const double from[2] = { 49, 50 }, to[2] = { 89, 20 };
  CapraDistance distance;
  CapraRulerUnit unit;

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (records, "%-80s", cards[i]);
  g_string_append (records, "END");
  header = capra_fits_header_new (records->str, -1);
  world = capra_world_coordinates_new (header, 1, 2, 100, &error);
  g_assert_no_error (error);
  g_object_set_data_full (G_OBJECT (buffer), CAPRA_FITS_COORDINATES_KEY, world,
                          (GDestroyNotify) capra_world_coordinates_unref);
  g_assert_true (capra_ruler_measure (buffer, from, to, &distance));
  g_assert_cmpfloat_with_epsilon (distance.value, atan (0.05 * G_PI / 180) * 180 / G_PI, 1e-7);
  unit = capra_ruler_choose_unit (&distance);
  g_assert_cmpstr (unit.name, ==, "arcmin");
  g_assert_cmpfloat_with_epsilon (distance.value / unit.size, 3.0, 1e-3);
}

static void
test_units (void)
{
  static const struct {
    double value;
    const char *unit, *name;
  } cases[] = { { 0, "m", "nm" },          { 2e-7, "m", "nm" }, { 5e-6, "m", "um" },
                { 0.02, "m", "mm" },       { 3, "m", "m" },     { 0.001, "deg", "arcsec" },
                { 0.02, "deg", "arcmin" }, { 2, "deg", "deg" }, { 1e9, "Hz", "Hz" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (capra_ruler_choose_unit (&(CapraDistance){ cases[i].value, cases[i].unit }).name, ==,
                     cases[i].name);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/profile/points", test_points);
  g_test_add_func ("/profile/constrain", test_constrain);
  g_test_add_func ("/profile/move", test_move);
  g_test_add_func ("/profile/values", test_values);
  g_test_add_func ("/profile/missing", test_missing);
  g_test_add_func ("/profile/parts", test_parts);
  g_test_add_func ("/profile/table", test_table);
  g_test_add_func ("/profile/files", test_files);
  g_test_add_func ("/profile/load", test_load);
  g_test_add_func ("/profile/sky", test_sky);
  g_test_add_func ("/profile/units", test_units);
  return collect_run ();
}
