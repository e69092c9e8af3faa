/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of kappa-sigma clipping, against a plain loop over sorted values in double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/clip/clip-device.h"
#include "tests/support/support-builtins.h"
#include "tests/support/support.h"
#include "ui/cli/check/reference-statistics.h"

static const char *const variants[] = { "vector", "vector,reduction.vector=4", "group", "host" };

static void
check_close (const char *what, const char *variant, const char *field, double value, double wanted, double tolerance)
{
  if (!(fabs (value - wanted) <= tolerance))
    g_error ("%s, %s: %s is %.17g, not %.17g", what, variant, field, value, wanted);
}

static void
check_result (const CapraClip *clip, const ReferenceClip *r, const char *what, const char *variant)
{
  if (clip->pixels != r->pixels || clip->iterations != r->iterations)
    g_error ("%s, kappa %g, %s: %" G_GUINT64_FORMAT " pixels after %u iterations, not %" G_GUINT64_FORMAT " after %u",
             what, r->kappa, variant, clip->pixels, clip->iterations, r->pixels, r->iterations);
  g_assert_cmpfloat (clip->median, ==, r->median);
  check_close (what, variant, "sigma", clip->sigma, r->sigma, 1e-9 * r->sigma);
  check_close (what, variant, "mean", clip->mean, r->mean, 1e-9 * r->sigma + 1e-12 * fabs (r->mean));
}

/* The mask has the values strictly above the threshold. */
static void
check_mask (CapraArray *array, const double *data, const CapraClipOptions *options, const CapraClip *clip)
{
  gsize count = capra_shape_count (capra_array_get_shape (array));
  g_autofree guint8 *mask = g_malloc (count);
  g_autoptr (GError) error = NULL;
  CapraClip found = { 0 };
  g_autoptr (CapraArray) result = capra_threshold_clip (array, options, CAPRA_U8, &found, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (found.threshold, ==, clip->threshold);
  g_assert_true (capra_array_download (result, mask, &error));
  for (gsize i = 0; i < count; i++)
    g_assert_cmpuint (mask[i], ==, data[i] > clip->threshold ? 255 : 0);
}

/* @values: of @type; @data: the same. */
static void
check_type (CapraDevice *device, CapraType type, gconstpointer values, const double *data, gsize width, gsize height,
            double kappa, const char *what)
{
  CapraClipOptions options = { kappa, 5, CAPRA_CLIP_BASE_MEDIAN };
  ReferenceClip r = reference_clip (data, width * height, kappa);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_from_data (device, &CAPRA_SHAPE_2D (width, height, type), values,
                                                            &error);

  g_assert_no_error (error);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      g_autofree char *tuning = g_strdup_printf ("clip.variant=%s", variants[v]);
      CapraClip clip = { 0 };

      support_force_tuning (tuning);
      options.base = v % 2 ? CAPRA_CLIP_BASE_ZERO : CAPRA_CLIP_BASE_MEDIAN;
      g_assert_true (capra_clip (array, &options, &clip, &error));
      g_assert_no_error (error);
      check_result (&clip, &r, what, variants[v]);
      check_close (what, variants[v], "threshold", clip.threshold, (v % 2 ? 0 : clip.median) + 5 * clip.sigma, 0);
      check_mask (array, data, &options, &clip);
    }
  g_unsetenv ("CAPRA_TUNING");
}

static void
check (const float *values, gsize width, gsize height, double kappa, const char *what)
{
  g_autofree double *data = g_new (double, width * height);

  for (gsize i = 0; i < width * height; i++)
    data[i] = values[i];
  check_type (support_device (height % 2), CAPRA_F32, values, data, width, height, kappa, what);
}

/* A normal distribution around @offset with brighter and a few dark values. */
static float *
sky (gsize count, double offset, double sigma, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    {
      double u = sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
      double bright = g_rand_double (random) < 0.02 ? pow (g_rand_double (random) + 0.01, -1.5) : 0;

      values[i] = (float) (offset + sigma * (u + bright - (g_rand_double (random) < 0.001 ? 20 : 0)));
    }
  return values;
}

static void
test_sizes (void)
{
  static const SupportSize sizes[] = {
    { 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 17 }, { 31, 33 }, { 255, 257 }, { 1031, 509 }
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint k = 0; k < 3; k++)
      {
        g_autofree float *values = sky (sizes[i].width * sizes[i].height, 0, 0.0133, i);

        g_autofree char *what = g_strdup_printf ("%zu x %zu, kappa %g", sizes[i].width, sizes[i].height, 1.5 + k);

        check (values, sizes[i].width, sizes[i].height, 1.5 + k, what);
      }
}

static void
test_offsets (void)
{
  enum { W = 511, H = 303 };
  static const double offsets[] = { 1, -1000, 1e6, 1e-30, 3e37 }, sigmas[] = { 0.01, 1, 40, 1e-32, 1e35 };

  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    {
      g_autofree float *values = sky (W * H, offsets[i], sigmas[i], i);
      g_autofree char *what = g_strdup_printf ("offset %g", offsets[i]);

      check (values, W, H, 3, what);
    }
}

static void
test_not_finite (void)
{
  enum { W = 211, H = 103 };
  static const float specials[] = { NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-42f, 0, -0.0f };
  g_autofree float *values = sky (W * H, 0.001, 1, 3);

  for (gsize i = 0; i < W * H; i += 13)
    values[i] = specials[i / 13 % G_N_ELEMENTS (specials)];
  check (values, W, H, 3, "not finite");
  for (gsize i = 0; i < W * H; i++)
    values[i] = i % 7 ? NAN : values[i];
  check (values, W, H, 2, "mostly NaN");
}

/* Few distinct values, a constant, values at the bounds, denormal numbers, a huge range. */
static void
test_distributions (void)
{
  enum { W = 307, H = 201, N = W * H };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree float *values = g_new (float, N);

  for (gsize i = 0; i < N; i++)
    values[i] = 2.5f;
  check (values, W, H, 3, "constant");
  values[100] = 1e30f;
  check (values, W, H, 3, "constant but for one");
  for (gsize i = 0; i < N; i++)
    values[i] = i % 2 ? -1 : 1;
  check (values, W, H - 1, 1, "two values at the bounds");
  check (values, W, H - 1, 3, "two values");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) (i % 10 ? 0 : i % 256);
  check (values, W, H, 3, "mostly zero");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) g_rand_int_range (random, 100, 104);
  check (values, W, H, 3, "four values");
  check (values, W, H, 1, "four values");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) (g_rand_double (random) * 1e-40);
  check (values, W, H, 1.2, "denormal");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) (pow (10, g_rand_double_range (random, -44, 38)) * (g_rand_boolean (random) ? 1 : -1));
  check (values, W, H, 3, "huge range");
  check (values, W, H, 0.5, "huge range");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) g_rand_double (random);
  check (values, W, H, 3, "already clipped");
  check (values, W, H, 1, "uniform");
  for (gsize i = 0; i < N; i++)
    values[i] = (float) (g_rand_double (random) < 0.6 ? g_rand_double (random) : 1000 + g_rand_double (random));
  check (values, W, H, 1.1, "two clusters");
}

static void
test_types (void)
{
  enum { W = 203, H = 101, N = W * H };
  static const double scales[] = { 12, 9, 900, 800, 1e8, 1e8 }, offsets[] = { 60, -20, 9000, -5000, 1e9, -1e9 };
  g_autofree float *values = sky (N, 0, 1, 11);
  g_autofree double *data = g_new (double, N);
  g_autofree guint32 *bytes = g_new (guint32, N);

  for (guint type = CAPRA_U8; type <= CAPRA_I32; type += support_step (3))
    {
      gsize size = capra_type_size (type);
      double least = type % 2 ? -ldexp (1, 8 * (int) size - 1) : 0, most = least + ldexp (1, 8 * (int) size) - 1;

      for (gsize i = 0; i < N; i++)
        {
          gint64 whole = 0;

          data[i] = CLAMP (rint (offsets[type] + scales[type] * values[i]), least, most);
          whole = (gint64) data[i];
          memcpy ((guint8 *) bytes + i * size, &whole, size);
        }
      check_type (support_device (type % 2), type, bytes, data, W, H, 3, capra_type_name (type));
      check_type (support_device (type % 2), type, bytes, data, W, H, 0.7, capra_type_name (type));
    }
}

/* An image whose lists overflow, so that a round more or the host is required: half of all values are in few bins. */
static void
test_many (void)
{
  enum { W = 1501, H = 1403 };
  g_autofree float *values = sky ((gsize) W * H, 4, 0.5, 5);

  check (values, W, H, 3, "many");
  for (gsize i = 0; i < (gsize) W * H; i++)
    values[i] = (float) (i % 5 < 3 ? values[i] : 1e4 + 1e-2 * (double) (i % 1000));
  check (values, W, H, 1.0201, "crowded bins");
}

/* The device's result, which must be right; returns the number of its rounds. */
static guint
count_rounds (const float *values, gsize width, gsize height, double kappa, const char *what)
{
  gsize count = width * height;
  CapraClipOptions options = { kappa, 5, CAPRA_CLIP_BASE_MEDIAN };
  g_autoptr (CapraArray) array = support_array (support_device (height % 2), width, height, 1, 1, values);
  g_autoptr (CapraArray) words = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *data = g_new (double, count);
  CapraClip clip = { 0 };
  ReferenceClip r;
  guint rounds = 0;

  for (gsize i = 0; i < count; i++)
    data[i] = values[i];
  r = reference_clip (data, count, kappa);
  g_assert_true (capra_clip_device_fits (array));
  words = capra_clip_device_start (array, &options, &error);
  g_assert_no_error (error);
  g_assert_true (capra_clip_device_finish (words, array, &options, &clip, &rounds, &error));
  if (rounds == 0)
    g_error ("%s, kappa %g: not found on the device", what, kappa);
  check_result (&clip, &r, what, "device");
  return rounds;
}

/* The host is never required, whatever the seed and kappa; and images of the sky rarely require a second round, unless
 * kappa is so small that the median of the few values that are left is far from that of all. */
static void
test_on_device (void)
{
  static const SupportSize sizes[] = { { 1, 1 }, { 5, 3 }, { 61, 64 }, { 301, 255 }, { 1024, 768 } };
  static const double kappas[] = { 1, 1.5, 2, 2.5, 3, 3.5, 5, 10 };
  guint runs = 0, again = 0;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraArray) array = support_array (support_device (i), 1, 1, 1, 1, (const float[]){ 0 });

      if (!capra_clip_device_fits (array))
        {
          g_test_skip ("the device has no doubles, or too little local memory: the host clips");
          return;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint seed = 0; seed < (i < 4 || g_test_slow () ? 6 : G_N_ELEMENTS (variants)); seed++)
      {
        gsize width = sizes[i].width, height = sizes[i].height;
        g_autofree float *values = sky (width * height, seed % 4 ? -1000 : 0, seed % 3 ? 0.0133 : 1, seed);
        g_autofree char *tuning = g_strdup_printf ("clip.variant=%s", variants[seed % 3]);
        g_autofree char *what = g_strdup_printf ("%s, %zu x %zu, seed %u", tuning, width, height, seed);

        support_force_tuning (tuning);
        /* The largest images with a third of the kappas each. */
        for (guint k = i == 4 ? seed / 2 : 0; k < G_N_ELEMENTS (kappas); k += i == 4 ? 3 : 1)
          {
            guint rounds = count_rounds (values, width, height, kappas[k], what);

            runs += kappas[k] >= 2;
            again += kappas[k] >= 2 && rounds > 1;
          }
      }
  g_unsetenv ("CAPRA_TUNING");
  g_test_message ("%u of %u runs took more than one round", again, runs);
  g_assert_cmpuint (again * 20, <=, runs);
}

/* Values whose distances from the pivot are much less than a bin's width. */
static void
test_tiny (void)
{
  static const float values[] = { -8338.8389f, 211.37927f, 3.6931284e-21f, -1.202139e-23f, 4.4021657e13f };
  double data[G_N_ELEMENTS (values)];

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    data[i] = values[i];
  for (double kappa = 0.5; kappa <= 2; kappa *= 2)
    check_type (support_device (0), CAPRA_F32, values, data, G_N_ELEMENTS (values), 1, kappa, "tiny distances");
}

/* Values whose distance is larger than any float. The image is too large to be listed as a whole. */
static void
test_huge (void)
{
  const gsize width = 257, height = 263, n = width * height;
  g_autofree float *values = g_new (float, n);
  g_autofree double *data = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    data[i] = values[i] = i * 7 % 11 < 5 ? -3e38f : 3e38f;
  for (double kappa = 1; kappa <= 3; kappa += 0.5)
    check_type (support_device (0), CAPRA_F32, values, data, width, height, kappa, "huge distances");
}

static void
test_errors (void)
{
  float values[] = { NAN, INFINITY, -INFINITY, NAN };
  g_autoptr (CapraArray) nothing = support_array (support_device (0), 4, 1, 1, 1, values);
  g_autoptr (CapraArray) colors = support_array (support_device (0), 2, 1, 1, 2, values);
  CapraClipOptions wrong = { 0, 5, CAPRA_CLIP_BASE_MEDIAN }, options = CAPRA_CLIP_DEFAULTS;
  CapraClip clip;

  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      GError *errors[3] = { NULL };
      g_autofree char *tuning = g_strdup_printf ("clip.variant=%s", variants[v]);

      support_force_tuning (tuning);
      g_assert_false (capra_clip (nothing, &options, &clip, &errors[0]));
      g_assert_error (errors[0], CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      g_assert_false (capra_clip (colors, &options, &clip, &errors[1]));
      g_assert_error (errors[1], CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      g_assert_null (capra_threshold_clip (nothing, &wrong, CAPRA_U8, &clip, &errors[2]));
      g_assert_error (errors[2], CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      g_clear_error (&errors[0]);
      g_clear_error (&errors[1]);
      g_clear_error (&errors[2]);
    }
  g_unsetenv ("CAPRA_TUNING");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clip/sizes", test_sizes);
  g_test_add_func ("/clip/offsets", test_offsets);
  g_test_add_func ("/clip/not-finite", test_not_finite);
  g_test_add_func ("/clip/types", test_types);
  if (g_test_slow ())
    {
      g_test_add_func ("/clip/distributions", test_distributions);
      g_test_add_func ("/clip/many", test_many);
      g_test_add_func ("/clip/on-device", test_on_device);
    }
  g_test_add_func ("/clip/tiny", test_tiny);
  g_test_add_func ("/clip/huge", test_huge);
  g_test_add_func ("/clip/errors", test_errors);
  g_test_add_func ("/clip/builtins", support_check_builtins); /* after all others */
  return g_test_run ();
}
