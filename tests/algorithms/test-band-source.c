/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithms that read an image in bands compute the same as from the whole image, which other tests compare with
 * references. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

enum { WIDTH = 67, HEIGHT = 43, COUNT = WIDTH * HEIGHT };

/* Rows of a band: one, a few with one left over, and with many left over. */
static const gsize band_rows[] = { 1, 7, 29 };

static const CapraType types[] = { CAPRA_U8, CAPRA_I32, CAPRA_F32 };

/* An image on the host. */
typedef struct {
  CapraDevice *device;
  CapraShape shape;
  guint8 data[COUNT * sizeof (float)];
  guint reads; /* atomic */
  CapraBandPart parts[3];
  guint n_parts;
} Image;

static CapraArray *
read_rows (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  Image *image = data;
  CapraShape shape = image->shape;

  g_assert_cmpuint (rows, >, 0);
  g_assert_cmpuint (first + rows, <=, shape.height);
  g_atomic_int_inc (&image->reads);
  shape.height = rows;
  return capra_array_new_from_data (device, &shape, image->data + first * WIDTH * capra_type_size (shape.type), error);
}

/* Noise; floats have NaN and infinities if they are not @whole numbers. */
static void
image_init (Image *image, CapraType type, gboolean whole, guint device)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 100.0, 3 + type);

  *image = (Image){ support_device (device), CAPRA_SHAPE_2D (WIDTH, HEIGHT, type) };
  for (gsize i = 0; i < COUNT; i++)
    switch (type)
      {
      case CAPRA_U8: image->data[i] = (guint8) noise[i]; break;
      case CAPRA_I32: ((gint32 *) image->data)[i] = (gint32) ((noise[i] - 50) * 1e5); break;
      default:
        ((float *) image->data)[i] = whole            ? floorf (noise[i])
                                     : i % 331 == 5   ? NAN
                                     : i % 443 == 100 ? INFINITY
                                                      : noise[i] - 20;
      }
}

static CapraBandSource
get_source (Image *image, gsize rows)
{
  return (CapraBandSource){ image->device, image->shape, rows, read_rows, image, 0, image->parts, image->n_parts };
}

static void
assert_near (double value, double wanted, double tolerance, const char *what)
{
  if (!(value == wanted || (isnan (value) && isnan (wanted)) || fabs (value - wanted) <= tolerance * fabs (wanted)))
    g_error ("%s: %.17g in bands, %.17g at once", what, value, wanted);
}

static void
check_statistics (Image *image, CapraArray *whole, gsize rows)
{
  CapraBandSource source = get_source (image, rows);
  CapraStatistics wanted, got;
  g_autoptr (GError) error = NULL;

  g_assert_true (capra_statistics (whole, CAPRA_STATISTICS_ALL, &wanted, &error));
  g_assert_true (capra_statistics_bands (&source, CAPRA_STATISTICS_ALL, &got, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (got.count, ==, wanted.count);
  g_assert_cmpuint (got.nan_count, ==, wanted.nan_count);
  g_assert_cmpuint (got.inf_count, ==, wanted.inf_count);
  assert_near (got.min, wanted.min, 0, "min");
  assert_near (got.max, wanted.max, 0, "max");
  assert_near (got.median, wanted.median, 0, "median");
  assert_near (got.sum, wanted.sum, 1e-12, "sum");
  assert_near (got.mean, wanted.mean, 1e-12, "mean");
  assert_near (got.std, wanted.std, 1e-6, "std");
}

static void
check_threshold (Image *image, CapraArray *whole, gsize rows)
{
  CapraBandSource source = get_source (image, rows);
  g_autoptr (GError) error = NULL;

  for (guint method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
    {
      double tolerance = method == CAPRA_THRESHOLD_MEAN || method == CAPRA_THRESHOLD_LI ? 1e-12 : 0;
      double wanted = NAN, got = NAN;

      g_assert_true (capra_threshold_find (whole, (CapraThresholdMethod) method, &wanted, &error));
      g_assert_true (capra_threshold_find_bands (&source, (CapraThresholdMethod) method, &got, &error));
      g_assert_no_error (error);
      assert_near (got, wanted, tolerance, "threshold");
      g_assert_true (capra_threshold_find_whole (whole, (CapraThresholdMethod) method, &wanted, &error));
      g_assert_true (capra_threshold_find_whole_bands (&source, (CapraThresholdMethod) method, &got, &error));
      g_assert_no_error (error);
      assert_near (got, wanted, tolerance, "threshold of whole numbers");
    }
}

static void
check_clip (Image *image, CapraArray *whole, gsize rows)
{
  CapraBandSource source = get_source (image, rows);
  g_autoptr (GError) error = NULL;

  for (double kappa = 0.8; kappa < 4; kappa *= 3)
    {
      CapraClipOptions options = { kappa, 5, CAPRA_CLIP_BASE_MEDIAN };
      CapraClip wanted, got;

      g_assert_true (capra_clip (whole, &options, &wanted, &error));
      g_assert_true (capra_clip_bands (&source, &options, &got, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (got.pixels, ==, wanted.pixels);
      g_assert_cmpuint (got.iterations, ==, wanted.iterations);
      assert_near (got.median, wanted.median, 0, "median");
      assert_near (got.sigma, wanted.sigma, 1e-9, "sigma");
      assert_near (got.threshold, wanted.threshold, 1e-9, "threshold");
    }
}

/* A CapraBandStoreFunc: into an image of labels. */
static gboolean
store_rows (CapraArray *band, gsize first, gpointer data, GError **error)
{
  gboolean done = capra_array_download (band, (guint32 *) data + first * WIDTH, error);

  capra_array_unref (band);
  return done;
}

static CapraArray *
read_labels (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  return capra_array_new_from_data (device, &CAPRA_SHAPE_2D (WIDTH, rows, CAPRA_U32), (guint32 *) data + first * WIDTH,
                                    error);
}

static void
assert_regions (const GArray *got, const GArray *wanted)
{
  g_autoptr (CapraTable) one = capra_measure_table (got, TRUE), other = capra_measure_table (wanted, TRUE);
  g_autofree char *a = capra_table_to_text (one), *b = capra_table_to_text (other);

  g_assert_cmpstr (a, ==, b);
}

/* The same labels, and tables to the byte. */
static void
check_regions (Image *image, CapraArray *whole, gsize rows)
{
  const CapraLabelOptions options[] = { CAPRA_LABEL_DEFAULTS, { 4, 2, 40, TRUE } };
  CapraBandSource source = get_source (image, rows), labels = source;
  g_autofree guint32 *wanted = g_new (guint32, COUNT), *got = g_new (guint32, COUNT);
  g_autoptr (GError) error = NULL;

  labels.shape.type = CAPRA_U32;
  labels.read = read_labels;
  labels.data = wanted;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      guint32 count = 0, got_count = 0;
      g_autoptr (CapraArray) all = capra_label (whole, &options[i], &count, &error);
      g_autoptr (GArray) regions = NULL, got_regions = NULL, shapes = NULL, got_shapes = NULL;

      g_assert_true (all && capra_array_download (all, wanted, &error));
      g_assert_true (capra_label_bands (&source, &options[i], store_rows, got, &got_count, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (got_count, ==, count);
      g_assert_cmpmem (got, COUNT * sizeof *got, wanted, COUNT * sizeof *wanted);
      if (i == 0)
        for (gsize k = 0; k < COUNT; k++)
          wanted[k] = wanted[k] ? 3000000000u + wanted[k] : 0; /* renumbered on the host */
      g_clear_pointer (&all, capra_array_unref);
      all = read_labels (image->device, 0, HEIGHT, wanted, &error);
      regions = capra_measure (all, whole, 3, -7, &error);
      got_regions = capra_measure_bands (&labels, &source, 3, -7, &error);
      shapes = capra_measure (all, NULL, 0, 0, &error);
      got_shapes = capra_measure_bands (&labels, NULL, 0, 0, &error);
      g_assert_no_error (error);
      assert_regions (got_regions, regions);
      assert_regions (got_shapes, shapes);
    }
}

/* The rows of an image are read by one device, or by two in three parts, of one row and of several bands. */
static void
set_parts (Image *image, guint n)
{
  image->n_parts = n;
  image->parts[0] = (CapraBandPart){ support_device (1), 11 };
  image->parts[1] = (CapraBandPart){ support_device (0), 1 };
  image->parts[2] = (CapraBandPart){ support_device (1), HEIGHT - 12 };
}

static void
test_same (gconstpointer data)
{
  void (*check) (Image * image, CapraArray * whole, gsize rows) = data;
  gboolean regions = check == check_regions; /* of one type, which suffices for their kernels */

  for (guint t = regions ? G_N_ELEMENTS (types) - 1 : 0; t <= G_N_ELEMENTS (types) - regions; t++)
    {
      CapraType type = types[MIN (t, G_N_ELEMENTS (types) - 1)];
      g_autofree Image *image = g_new (Image, 1);
      g_autoptr (CapraArray) whole = NULL;
      g_autoptr (GError) error = NULL;

      image_init (image, type, t < G_N_ELEMENTS (types), t % 2);
      whole = capra_array_new_from_data (image->device, &image->shape, image->data, &error);
      g_assert_no_error (error);
      for (guint r = 0; r < 2 * G_N_ELEMENTS (band_rows); r += support_step (3))
        {
          gsize rows = band_rows[r / 2];

          g_test_message ("%s, %zu rows, %s", capra_type_name (type), rows, r % 2 ? "three parts" : "one device");
          set_parts (image, r % 2 ? 3 : 0);
          image->reads = 0;
          check (image, whole, rows);
          g_assert_cmpuint (image->reads, >=, (HEIGHT + rows - 1) / rows);
          g_assert_true (r % 2 == 0 || image->parts[2].time > 0);
        }
    }
}

static CapraArray *
fail_in_second_band (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  if (first == 0)
    return read_rows (device, first, rows, data, error);
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY, "no memory");
  return NULL;
}

/* A band that cannot be read fails the algorithm. */
static void
test_failing (gconstpointer data)
{
  g_autofree Image *image = g_new (Image, 1);
  CapraBandSource source;
  CapraClipOptions options = CAPRA_CLIP_DEFAULTS;
  CapraStatistics statistics;
  CapraClip clip;
  double value = 0;
  GError *error = NULL;

  image_init (image, CAPRA_F32, FALSE, 0);
  set_parts (image, GPOINTER_TO_UINT (data));
  source = get_source (image, 7);
  source.read = fail_in_second_band;
  g_assert_false (capra_statistics_bands (&source, CAPRA_STATISTICS_MEDIAN, &statistics, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_false (capra_statistics_bands (&source, CAPRA_STATISTICS_MOMENTS, &statistics, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_false (capra_clip_bands (&source, &options, &clip, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_clear_error (&error);
  for (guint method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
    {
      g_assert_false (capra_threshold_find_bands (&source, (CapraThresholdMethod) method, &value, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
      g_clear_error (&error);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/band-source/statistics", check_statistics, test_same);
  g_test_add_data_func ("/band-source/threshold", check_threshold, test_same);
  g_test_add_data_func ("/band-source/regions", check_regions, test_same);
  g_test_add_data_func ("/band-source/clip", check_clip, test_same);
  g_test_add_data_func ("/band-source/failing", GUINT_TO_POINTER (0), test_failing);
  g_test_add_data_func ("/band-source/failing-parts", GUINT_TO_POINTER (3), test_failing);
  return g_test_run ();
}
