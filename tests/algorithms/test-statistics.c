/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of statistics and of descriptions of arrays, against loops in double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-statistics.h"

/* Set one after the other: both variants with their defaults, and with other parameters. */
#define VARIANTS(variant) "extremes.variant=" variant ",statistics.variant=" variant
#define VECTOR VARIANTS ("vector") ",median.variant=vector"
#define GROUP VARIANTS ("group") ",median.variant=bracket"
static const char *const variants[] = {
  VECTOR,
  GROUP,
  VECTOR ",reduction.vector=4,reduction.groups=2,statistics.block=32",
  VECTOR ",reduction.vector=8,reduction.groups=16,statistics.block=128",
  GROUP ",reduction.groups=2,statistics.block=2,median.groups=1",
  VARIANTS ("group") ",reduction.groups=8,statistics.block=8,median.variant=group",
};

static void
force_variant (const char *variant)
{
  support_force_tuning (variant);
}

static void
assert_near (double value, double wanted, double scale, const char *what, const char *field)
{
  gboolean near = isfinite (wanted) ? fabs (value - wanted) <= 1e-5 * scale
                  : isnan (wanted)  ? isnan (value)
                                    : value == wanted;

  if (!near)
    g_error ("%s: %s is %.12g, not %.12g", what, field, value, wanted);
}

/* Whether a type is tested with a variant. Building every program for every type would take minutes. */
static gboolean
type_takes (CapraType type, guint variant, gboolean describe)
{
  if (variant > 1)
    return type == CAPRA_F32 && !describe && g_test_slow ();
  switch (type)
    {
    case CAPRA_F32: return TRUE;
    case CAPRA_U8:
    case CAPRA_I32: return !describe || variant == 0;
    case CAPRA_I8:
    case CAPRA_U32: return !describe && variant == 0;
    default: return !describe && variant == 1;
    }
}

static void
check (CapraDevice *device, CapraShape shape, gconstpointer data, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_from_data (device, &shape, data, &error);
  CapraStatistics wanted = reference_statistics (shape.type, data, capra_shape_count (&shape)), s;
  CapraDescription description;

  g_assert_no_error (error);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      g_autofree char *name = g_strdup_printf ("%s, %s", what, variants[v]);

      if (!type_takes (shape.type, v, FALSE))
        continue;
      force_variant (variants[v]);
      g_assert_true (capra_statistics (array, CAPRA_STATISTICS_ALL, &s, &error));
      g_assert_no_error (error);
      if (s.count != wanted.count)
        g_error ("%s: count is %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, name, s.count, wanted.count);
      g_assert_cmpuint (s.nan_count, ==, wanted.nan_count);
      g_assert_cmpuint (s.inf_count, ==, wanted.inf_count);
      assert_near (s.min, wanted.min, 0, name, "min");
      assert_near (s.max, wanted.max, 0, name, "max");
      assert_near (s.median, wanted.median, 0, name, "median");
      assert_near (s.mean, wanted.mean, fabs (wanted.mean), name, "mean");
      assert_near (s.sum, wanted.sum, fabs (wanted.sum), name, "sum");
      assert_near (s.std, wanted.std, wanted.std, name, "std");

      if (!type_takes (shape.type, v, TRUE))
        continue;
      g_assert_true (capra_array_describe (array, &description, &error));
      g_assert_no_error (error);
      assert_near (description.min, wanted.min, 0, name, "described min");
      assert_near (description.max, wanted.max, 0, name, "described max");
      g_assert_cmpuint (description.bytes, ==, capra_shape_bytes (&shape));
    }
}

static void
test_sizes (void)
{
  for (guint d = 0; d < 2; d++)
    for (guint i = 0; i < support_n_sizes; i++)
      for (guint channels = 1; channels <= 4; channels += 3)
        {
          CapraShape shape = { support_sizes[i].width, support_sizes[i].height, 1 + d, channels, CAPRA_F32 };
          g_autofree char *what = g_strdup_printf ("%zux%zu", shape.width, shape.height);
          g_autofree float *values = support_noise (capra_shape_count (&shape), -1, 3, i);

          check (support_device (d), shape, values, what);
        }
}

/* Random bits: the whole range of every integer type. */
static void
test_types (void)
{
  static const gsize counts[] = { 1, 2, 37, 4099, 70001 };

  for (CapraType type = CAPRA_U8; type <= CAPRA_I32; type += support_step (3))
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (counts[i], 1, type);
        g_autofree guint32 *bits = g_new (guint32, counts[i]);
        g_autoptr (GRand) random = g_rand_new_with_seed (i);

        for (gsize j = 0; j < counts[i]; j++)
          bits[j] = g_rand_int (random);
        check (support_device (0), shape, bits, capra_type_name (type));
      }
}

/* Small differences on a large offset, which must not be lost by cancellation. */
static void
test_offset (void)
{
  enum { N = 300007 };
  g_autofree float *values = support_noise (N, 1e6 - 1, 1e6 + 1, 1);
  g_autofree guint32 *words = g_new (guint32, N);

  check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, "1e6 ± 1");
  for (gsize i = 0; i < N; i++)
    words[i] = 4294967290u + g_test_rand_int_range (0, 6);
  check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_U32), words, "u32 near its limit");
  for (gsize i = 0; i < N; i++)
    words[i] = -2147483647 - 1 + g_test_rand_int_range (0, 3);
  check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_I32), words, "i32 near its limit");

  /* Outliers at the start of each row, where the part of a work-item starts. */
  for (gsize i = 0; i < N; i++)
    values[i] = i % 1024 < 16 ? 1e6f : values[i] - 1e6f;
  check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, "bright columns");
  for (gsize i = 0; i < N; i++)
    values[i] = i % 3 == 0 ? 0.1f : i % 3 == 1 ? 1e8f : -1e8f;
  check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, "a canceling sum");
}

static void
test_extreme_values (void)
{
  static const double sizes[] = { 3e38, 1e30, 1e13, 1e-13, 1e-30, 1e-40 };
  enum { N = 5003 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree float *values = support_noise (N, 0.1 * sizes[i], sizes[i], 7);
      g_autofree char *what = g_strdup_printf ("values of about %g", sizes[i]);

      check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, what);
    }
}

static void
test_equal (void)
{
  static const float levels[] = { 0, 1, -0.1f, 16777217, 1e30f };
  enum { N = 40009 };

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_autofree float *values = g_new (float, N);

      for (gsize j = 0; j < N; j++)
        values[j] = levels[i];
      check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, "a constant");
    }
}

/* NaN is ignored. Infinities are included, as in IEEE arithmetic. */
static void
test_not_finite (void)
{
  enum { N = 20011 };
  static const float specials[][2] = {
    { NAN, -NAN }, { INFINITY, NAN }, { -INFINITY, -INFINITY }, { INFINITY, -INFINITY }
  };

  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    for (guint share = 1; share <= 1000; share *= 10)
      {
        g_autofree float *values = support_noise (N, -5, 1, i);
        g_autofree char *what = g_strdup_printf ("%g and %g, each %u", specials[i][0], specials[i][1], share);

        for (gsize j = 0; j < N; j += share)
          values[j] = specials[i][j / share % 2];
        check (support_device (1), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, what);
      }
}

/* Two middle values that differ in various digits of their keys. */
static void
test_split_median (void)
{
  static const float pairs[][2] = { { -1, 1 }, { 1, 1.0000001f }, { 1, 2 }, { -1e30f, 1e-30f } };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (gsize n = 2; n < 5000; n = 3 * n - 2)
      {
        g_autofree float *values = g_new (float, n);

        for (gsize j = 0; j < n; j++)
          values[j] = pairs[i][j < n / 2 ? 0 : 1];
        check (support_device (0), CAPRA_SHAPE_2D (n, 1, CAPRA_F32), values, "two values");
      }
}

/* Few middle values between many values of two levels. The bracket of the sample contains all values, and one of its
 * bins too many. */
static void
test_crowded_median (void)
{
  static const float middles[][2] = { { 1e-7f, 1.1e-7f }, { 0, 0 }, { -0.5f, 0.5f }, { -INFINITY, INFINITY } };
  enum { N = 200003 };

  for (guint i = 0; i < G_N_ELEMENTS (middles); i++)
    for (guint share = 17; share <= 1000; share *= 7)
      {
        g_autofree float *values = g_new (float, N);

        for (gsize j = 0; j < N; j++)
          values[j] = j % share == 0 ? middles[i][j / share % 2] : j % 2 ? 1 : -1;
        check (support_device (0), CAPRA_SHAPE_2D (N, 1, CAPRA_F32), values, "crowded");
      }
}

enum {
  UNIFORM,
  LEVELS,
  FINE_LEVELS,
  RISING,
  FALLING,
  COLUMNS,
  CONSTANT,
  HALF_ZERO,
  MORE_ZERO,
  ABOUT_ZERO,
  ZEROS,
  OFFSET,
  TAILS,
  INFINITE,
  SOME_NAN,
  N_KINDS
};

static float
kind_value (guint kind, gsize i, gsize n, GRand *random)
{
  double u = g_rand_double (random), v = g_rand_double (random);

  switch (kind)
    {
    case LEVELS: return (float) floor (256 * u);
    case FINE_LEVELS: return (float) (floor (65536 * u * v) / 65535);
    case RISING: return (float) i / n - 0.5f;
    case FALLING: return -(float) i / n;
    case COLUMNS: return (float) (i % 640);
    case CONSTANT: return 0.3f;
    case HALF_ZERO: return u < 0.499 ? 0 : (float) u;
    case MORE_ZERO: return u < 0.503 ? 0 : (float) u;
    case ABOUT_ZERO: return (float) ((u - 0.5) * v * v * v);
    case ZEROS: return u < 0.5 ? -0.0f : 0.0f;
    case OFFSET: return (float) (1e6 + u);
    case TAILS: return (float) exp (160 * (u - 0.5));
    case INFINITE: return u < 0.4 ? -INFINITY : u > 0.6 ? INFINITY : (float) v;
    case SOME_NAN: return i % 7 ? (float) u : NAN;
    default: return (float) u;
    }
}

/* The bracket of the sample suffices for all of these. No pass of the radix selection runs. */
static void
test_bracketed_median (void)
{
  enum { N = 640 * 480 + 3 };
  static const CapraType types[] = { CAPRA_F32, CAPRA_I32, CAPRA_U16 };
  g_autofree float *values = g_new (float, N);

  force_variant (GROUP);
  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint kind = 0; kind < (types[t] == CAPRA_F32 ? N_KINDS : RISING); kind++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (N, 1, types[t]);
        g_autoptr (GRand) random = g_rand_new_with_seed (kind);
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) array = NULL;
        CapraStatistics wanted, s;
        guint64 passes;

        for (gsize i = 0; i < N; i++)
          {
            values[i] = kind_value (kind, i, N, random);
            if (types[t] == CAPRA_I32)
              ((gint32 *) values)[i] = (gint32) (1e9f * (values[i] - 0.5f));
            if (types[t] == CAPRA_U16)
              ((guint16 *) values)[i] = (guint16) (255 * values[i]);
          }
        array = capra_array_new_from_data (support_device (t % 2), &shape, values, &error);
        g_assert_no_error (error);
        wanted = reference_statistics (types[t], values, N);
        capra_timeline_reset ();
        g_assert_true (capra_statistics (array, CAPRA_STATISTICS_MEDIAN, &s, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (s.count, ==, wanted.count);
        if (s.median != wanted.median)
          g_error ("distribution %u: median is %.12g, not %.12g", kind, s.median, wanted.median);
        capra_timeline_total (NULL, "median_count", &passes, NULL);
        if (passes > 0)
          g_error ("distribution %u, type %u: the bracket does not suffice", kind, types[t]);
      }
}

/* More values than a float can count, with the same result in every run. */
static void
test_large (void)
{
  gsize count = (1 << 24) + 4099;
  CapraShape shape = CAPRA_SHAPE_2D (count, 1, CAPRA_F32);
  g_autofree float *values = support_noise (count, 0, 1, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_from_data (support_device (0), &shape, values, &error);
  CapraStatistics first, second;

  g_assert_no_error (error);
  check (support_device (0), shape, values, "2^24 + 4099");
  g_assert_true (capra_statistics (array, CAPRA_STATISTICS_ALL, &first, &error));
  g_assert_true (capra_statistics (array, CAPRA_STATISTICS_ALL, &second, &error));
  g_assert_cmpmem (&first, sizeof first, &second, sizeof second);
}

static void
test_flags_and_table (void)
{
  float values[] = { 1, 2, 4 };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = support_array (support_device (0), 3, 1, 1, 1, values);
  g_autoptr (CapraTable) table = NULL;
  g_autofree char *text = NULL;
  CapraStatistics s;

  g_assert_true (capra_statistics (array, CAPRA_STATISTICS_MOMENTS, &s, &error));
  g_assert_true (isnan (s.median));
  g_assert_cmpfloat (s.sum, ==, 7);
  g_assert_true (capra_statistics (array, CAPRA_STATISTICS_MEDIAN, &s, &error));
  g_assert_cmpuint (s.count, ==, 3);
  g_assert_cmpfloat (s.median, ==, 2);
  g_assert_true (isnan (s.sum) && isnan (s.mean));

  table = capra_statistics_table (&s);
  text = capra_table_to_csv (table);
  g_assert_cmpstr (text, ==,
                   "count,min,max,mean,std,median,sum,nan_count,inf_count\r\n3,nan,nan,nan,nan,2,nan,0,0\r\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/sizes", test_sizes);
  g_test_add_func ("/statistics/types", test_types);
  g_test_add_func ("/statistics/offset", test_offset);
  g_test_add_func ("/statistics/extreme-values", test_extreme_values);
  g_test_add_func ("/statistics/equal", test_equal);
  g_test_add_func ("/statistics/not-finite", test_not_finite);
  g_test_add_func ("/statistics/split-median", test_split_median);
  g_test_add_func ("/statistics/crowded-median", test_crowded_median);
  g_test_add_func ("/statistics/bracketed-median", test_bracketed_median);
  g_test_add_func ("/statistics/large", test_large);
  g_test_add_func ("/statistics/flags-and-table", test_flags_and_table);
  return g_test_run ();
}
