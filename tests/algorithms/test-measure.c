/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of region tables in every variant and on both devices, against sums in double and higher precision. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-measure.h"

static const char *const variants[] = {
  "measure.variant=strips,measure.cache=64,measure.strips=8",
  "measure.variant=strips,measure.cache=1,measure.strips=3,measure.carry=1",
  "measure.variant=blocks",
  "measure.variant=blocks,measure.carry=1,measure.group=64",
  "measure.variant=blocks,measure.group=256",
};

/* A set of variants, with a bit for each: those that are used by default, and all with `-m slow`. */
static guint
tested_variants (void)
{
  return g_test_slow () ? (1u << G_N_ELEMENTS (variants)) - 1 : 1 << 0 | 1 << 2;
}

static void
use_variant (guint i)
{
  support_force_tuning (variants[i]);
}

static void
assert_near (double value, double expected, const char *column, guint32 label)
{
  gboolean equal = isnan (expected)   ? isnan (value)
                   : isinf (expected) ? value == expected
                                      : fabs (value - expected) <= 1e-5 * fabs (expected);

  if (!equal)
    g_error ("%s of region %u is %.17g, not %.17g", column, label, value, expected);
}

static void
assert_region (const CapraRegion *r, const CapraRegion *e, gboolean values)
{
  const double nothing = NAN;

  g_assert_cmpuint (r->label, ==, e->label);
  g_assert_cmpuint (r->area, ==, e->area);
  g_assert_cmpint (r->min_x, ==, e->min_x);
  g_assert_cmpint (r->min_y, ==, e->min_y);
  g_assert_cmpint (r->max_x, ==, e->max_x);
  g_assert_cmpint (r->max_y, ==, e->max_y);
  assert_near (r->centroid_x, e->centroid_x, "centroid_x", e->label);
  assert_near (r->centroid_y, e->centroid_y, "centroid_y", e->label);
  assert_near (r->weighted_centroid_x, values ? e->weighted_centroid_x : nothing, "weighted_centroid_x", e->label);
  assert_near (r->weighted_centroid_y, values ? e->weighted_centroid_y : nothing, "weighted_centroid_y", e->label);
  assert_near (r->sum, values ? e->sum : nothing, "sum", e->label);
  assert_near (r->mean, values ? e->mean : nothing, "mean", e->label);
  assert_near (r->std, values ? e->std : nothing, "std", e->label);
  if (values && !isnan (e->min))
    {
      g_assert_cmpfloat (r->min, ==, e->min);
      g_assert_cmpfloat (r->max, ==, e->max);
    }
  else
    g_assert_true (isnan (r->min) && isnan (r->max));
}

static GArray *
measure (guint device, const guint32 *labels, gconstpointer values, CapraType type, gsize width, gsize height,
         int origin_x, int origin_y)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) a = capra_array_new_from_data (support_device (device),
                                                        &CAPRA_SHAPE_2D (width, height, CAPRA_U32), labels, &error);
  g_autoptr (CapraArray) b = values ? capra_array_new_from_data (support_device (device),
                                                                 &CAPRA_SHAPE_2D (width, height, type), values, &error)
                                    : NULL;
  GArray *regions = capra_measure (a, b, origin_x, origin_y, &error);

  g_assert_no_error (error);
  return regions;
}

/* Measures with the variants of @which on both devices, and checks that all rows are the same, byte by byte. */
static GArray *
measure_everywhere (guint which, const guint32 *labels, gconstpointer values, CapraType type, gsize width, gsize height,
                    int origin_x, int origin_y)
{
  GArray *regions = NULL;

  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    for (guint device = 0; device < 2; device++)
      {
        g_autoptr (GArray) again = NULL;

        if (!(which & 1 << v))
          continue;
        use_variant (v);
        again = measure (device, labels, values, type, width, height, origin_x, origin_y);
        if (!regions)
          regions = g_steal_pointer (&again);
        else if (regions->len != again->len
                 || (regions->len && memcmp (regions->data, again->data, regions->len * sizeof (CapraRegion))))
          g_error ("%s on device %u gives other rows", variants[v], device);
      }
  return regions;
}

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* Compares every region with the reference. */
static void
check (const guint32 *labels, const float *values, gsize width, gsize height, int origin_x, int origin_y)
{
  gsize n = width * height;
  g_autoptr (GArray) regions = measure_everywhere (tested_variants (), labels, values, CAPRA_F32, width, height,
                                                   origin_x, origin_y);
  g_autofree guint32 *sorted = g_memdup2 (labels, n * sizeof *labels);
  g_autofree double *doubles = g_new0 (double, n);
  guint row = 0;

  for (gsize i = 0; i < n && values; i++)
    doubles[i] = values[i];
  qsort (sorted, n, sizeof *sorted, compare_labels);
  for (gsize i = 0; i < n; i++)
    if (sorted[i] && (i == 0 || sorted[i] != sorted[i - 1]))
      {
        CapraRegion expected;

        g_assert_cmpuint (row, <, regions->len);
        reference_measure (&expected, labels, doubles, width, n, sorted[i], origin_x, origin_y);
        assert_region (&g_array_index (regions, CapraRegion, row++), &expected, values != NULL);
      }
  g_assert_cmpuint (row, ==, regions->len);
}

/* Random patches of about 9 x 5 pixels with a few labels, many of them background. */
static guint32 *
make_patches (gsize width, gsize height, guint32 n_labels)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (width * 777 + height);
  guint32 *labels = g_new0 (guint32, width * height);

  for (gsize i = 0; i < width * height; i++)
    {
      guint32 own = g_rand_int (random);

      if (i % width % 9 && own % 8 && i >= width && i / width % 5)
        labels[i] = labels[i - width];
      if (own % 3 == 0 && i % width && !labels[i])
        labels[i] = labels[i - 1];
      if (own % 16 == 1)
        labels[i] = own / 16 % n_labels;
    }
  return labels;
}

static void
test_sizes (void)
{
  for (guint s = 0; s < support_n_sizes; s++)
    {
      gsize width = support_sizes[s].width, height = support_sizes[s].height;
      g_autofree guint32 *labels = make_patches (width, height, 20);
      g_autofree float *values = support_noise (width * height, -1.0, 3.0, s);

      labels[0] = 3;
      check (labels, values, width, height, 0, 0);
      check (labels, NULL, width, height, 0, 0);
      check (labels, values, width, height, -1000, 77);
    }
}

/* No region, one region, one region per pixel, large labels, and a checkerboard of two regions. */
static void
test_labels (void)
{
  const gsize width = 300, height = 140, n = width * height;
  g_autofree guint32 *labels = g_new0 (guint32, n);
  g_autofree float *values = support_noise (n, 0.0, 1.0, 5);
  g_autoptr (GArray) regions = NULL;

  check (labels, values, width, height, 0, 0);
  for (gsize i = 0; i < n; i++)
    labels[i] = 1;
  check (labels, values, width, height, 5, 5);
  for (gsize i = 0; i < n; i++)
    labels[i] = 1 + (i + i / width) % 2;
  check (labels, values, width, height, 0, 0);
  for (gsize i = 0; i < n; i++)
    labels[i] = 0xffffffffu - (guint32) (i / 997 * 7919 % 11 * 123456789);
  check (labels, values, width, height, 0, 0);

  for (gsize i = 0; i < n; i++)
    labels[i] = n - i;
  regions = measure_everywhere (tested_variants (), labels, values, CAPRA_F32, width, height, 0, 0);
  g_assert_cmpuint (regions->len, ==, n);
  for (gsize i = 0; i < n; i++)
    {
      const CapraRegion *r = &g_array_index (regions, CapraRegion, n - 1 - i);

      g_assert_cmpuint (r->label, ==, n - i);
      g_assert_cmpuint (r->area, ==, 1);
      g_assert_cmpint (r->min_x, ==, i % width);
      g_assert_cmpint (r->max_y, ==, i / width);
      g_assert_cmpfloat (r->sum, ==, values[i]);
      g_assert_cmpfloat (r->std, ==, 0.0);
    }
}

/* Blocks with more fragments than their lists hold (see measure-blocks.clh), beside one with few. */
static void
test_crowded (void)
{
  const gsize width = 331, height = 75, n = width * height;
  g_autofree guint32 *labels = g_new (guint32, n);
  g_autofree float *values = support_noise (n, -2.0, 5.0, 8);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (gsize i = 0; i < n; i++)
    labels[i] = i % width < 256 ? g_rand_int_range (random, 0, 12) : 3;
  check (labels, values, width, height, 0, 0);
  check (labels, NULL, width, height, 0, 0);
}

/* Values whose sums need more precision than that of floats. */
static void
test_values (void)
{
  const gsize width = 257, height = 200, n = width * height;
  g_autofree guint32 *labels = g_new (guint32, n);
  g_autofree float *values = g_new (float, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gsize i = 0; i < n; i++)
    {
      double r = g_rand_double (random);

      labels[i] = 1 + i / width / 13;
      switch (labels[i])
        {
        case 1: values[i] = i % 1000 == 17 ? 1e6 : 1e-3; break; /* outliers in some rows */
        case 2: values[i] = 1e6 + (i % 2 ? 1 : -1); break;      /* a small spread */
        case 3: values[i] = 16777216 + 2 * (i % 3); break;
        case 4: values[i] = -5 - r; break;
        case 5: values[i] = (r - 0.2) * 1e-42; break; /* denormal */
        case 6: values[i] = (r - 0.3) * 1e38; break;
        case 7: values[i] = i % 3 ? 0.1f : 1e30f; break;
        case 8: values[i] = -0.0f; break;
        case 9: values[i] = 7.7f; break; /* no spread */
        case 10: values[i] = i % 2 ? 3.5f : -3.5f; break;
        case 11: values[i] = ldexp (r, (int) (i % 200) - 100); break;
        case 12: values[i] = i % 12345 == 0 ? 1.0000001f : 1.0f; break;
        default: values[i] = r > 0.5 ? -1e-30 : 1e-8; break;
        }
    }
  /* The sum of region 10 would cancel, so that only an exact sum could be compared. One row prevents that. */
  for (gsize i = 0; i < n; i++)
    if (labels[i] == 10 && i / width == 129)
      values[i] = 1.0f;
  check (labels, values, width, height, 0, 0);
}

static void
test_nan (void)
{
  const gsize width = 64, height = 10, n = width * height;
  g_autofree guint32 *labels = g_new (guint32, n);
  g_autofree float *values = support_noise (n, 1.0, 2.0, 3);

  for (gsize i = 0; i < n; i++)
    labels[i] = 1 + i / width;
  values[0 * width + 5] = NAN;
  values[1 * width + 5] = INFINITY;
  values[2 * width + 5] = -INFINITY;
  values[3 * width + 5] = INFINITY;
  values[3 * width + 6] = -INFINITY;
  values[4 * width + 5] = INFINITY;
  values[4 * width + 9] = NAN;
  for (gsize i = 0; i < width; i++)
    {
      values[5 * width + i] = NAN;
      values[6 * width + i] = INFINITY;
      values[7 * width + i] = -0.0f;
      values[8 * width + i] = i % 2 ? 0.0f : -0.0f;
    }
  check (labels, values, width, height, 0, 0);
}

/* One region of 2^24 pixels with an outlier among small values. */
static void
test_large (void)
{
  const gsize width = 4096, height = 4096, n = width * height;
  g_autofree guint32 *labels = g_new (guint32, n);
  g_autofree float *values = g_new (float, n);
  g_autoptr (GArray) regions = NULL;
  const CapraRegion *r = NULL;
  double v = 1e-3f, sum = 0.0, mean = 0.0;

  for (gsize i = 0; i < n; i++)
    {
      labels[i] = 1;
      values[i] = 1e-3f;
    }
  values[4096 * 100 + 9] = 1e6f;
  sum = 1e6 + v * (n - 1);
  mean = sum / n;

  regions = measure_everywhere (1 << 0 | 1 << 2, labels, values, CAPRA_F32, width, height, 0, 0);
  g_assert_cmpuint (regions->len, ==, 1);
  r = &g_array_index (regions, CapraRegion, 0);
  g_assert_cmpuint (r->area, ==, n);
  assert_near (r->sum, sum, "sum", 1);
  assert_near (r->mean, mean, "mean", 1);
  assert_near (r->std, sqrt (((1e6 - mean) * (1e6 - mean) + (v - mean) * (v - mean) * (n - 1)) / n), "std", 1);
  assert_near (r->weighted_centroid_x, (v * (4096.0 * 4095 / 2 * 4096 - 9) + 9e6) / sum, "weighted_centroid_x", 1);
  assert_near (r->weighted_centroid_y, (v * (4096.0 * 4095 / 2 * 4096 - 100) + 100e6) / sum, "weighted_centroid_y", 1);
}

/* The columns of every type of intensities equal those of the same values in double precision. */
static void
test_types (void)
{
  const gsize width = 97, height = 41, n = width * height;
  g_autofree guint32 *labels = make_patches (width, height, 9);

  for (guint type = CAPRA_U8; type <= CAPRA_I32; type += support_step (2))
    {
      g_autofree guint8 *raw = g_malloc (n * 4);
      g_autofree double *values = g_new (double, n);
      g_autoptr (GRand) random = g_rand_new_with_seed (type);
      g_autoptr (GArray) regions = NULL;

      for (gsize i = 0; i < n * 4; i++)
        raw[i] = g_rand_int_range (random, 0, 256);
      for (gsize i = 0; i < n; i++)
        switch (type)
          {
          case CAPRA_U8: values[i] = raw[i]; break;
          case CAPRA_I8: values[i] = ((gint8 *) raw)[i]; break;
          case CAPRA_U16: values[i] = ((guint16 *) raw)[i]; break;
          case CAPRA_I16: values[i] = ((gint16 *) raw)[i]; break;
          case CAPRA_U32: values[i] = ((guint32 *) raw)[i]; break;
          default: values[i] = ((gint32 *) raw)[i]; break;
          }
      regions = measure_everywhere (1 << type % 4, labels, raw, type, width, height, 0, 0);
      for (guint32 label = 1, row = 0; label < 9; label++)
        {
          CapraRegion expected;

          if (reference_measure (&expected, labels, values, width, n, label, 0, 0))
            assert_region (&g_array_index (regions, CapraRegion, row++), &expected, TRUE);
        }
    }
}

static void
test_arguments (void)
{
  const CapraShape u32 = CAPRA_SHAPE_2D (8, 8, CAPRA_U32), f32 = CAPRA_SHAPE_2D (8, 8, CAPRA_F32);
  const CapraShape other = CAPRA_SHAPE_2D (8, 7, CAPRA_F32), rgb = { 8, 8, 1, 3, CAPRA_F32 };
  const struct {
    const CapraShape *labels, *values;
    guint device;
  } wrong[] = { { &f32, NULL, 0 }, { &u32, &other, 0 }, { &u32, &rgb, 0 }, { &u32, &f32, 1 } };
  guint n = G_N_ELEMENTS (wrong) - (support_devices ()->len == 1); /* the last one needs two */

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) labels = capra_array_new (support_device (0), wrong[i].labels, NULL);
      g_autoptr (CapraArray) values = wrong[i].values
                                        ? capra_array_new (support_device (wrong[i].device), wrong[i].values, NULL)
                                        : NULL;

      g_assert_null (capra_measure (labels, values, 0, 0, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

static void
test_table (void)
{
  const guint32 labels[] = { 1, 1, 0, 7 };
  const float values[] = { 1, 3, 9, 4 };
  g_autoptr (GArray) regions = measure (0, labels, values, CAPRA_F32, 4, 1, 10, 20);
  g_autoptr (CapraTable) table = capra_measure_table (regions, TRUE);
  g_autoptr (CapraTable) plain = capra_measure_table (regions, FALSE);
  const guint left[] = { 0, 1, 2, 3, 6, 7, 8, 9 }; /* the columns without intensities */
  const double expected[2][15] = {
    { 1, 2, 10.5, 20, 10.75, 20, 10, 20, 11, 20, 4, 2, 1, 3, 1 },
    { 7, 1, 13, 20, 13, 20, 13, 20, 13, 20, 4, 4, 4, 4, 0 },
  };

  g_assert_cmpuint (capra_table_get_rows (table), ==, 2);
  g_assert_cmpuint (capra_table_get_columns (table), ==, 15);
  g_assert_cmpstr (capra_table_get_name (table, 4), ==, "weighted_centroid_x");
  for (guint r = 0; r < 2; r++)
    for (guint c = 0; c < 15; c++)
      g_assert_cmpfloat (capra_table_get (table, r, c), ==, expected[r][c]);
  g_assert_cmpuint (capra_table_get_columns (plain), ==, G_N_ELEMENTS (left));
  for (guint c = 0; c < G_N_ELEMENTS (left); c++)
    {
      g_assert_cmpstr (capra_table_get_name (plain, c), ==, capra_table_get_name (table, left[c]));
      for (guint r = 0; r < 2; r++)
        g_assert_cmpfloat (capra_table_get (plain, r, c), ==, expected[r][left[c]]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/sizes", test_sizes);
  g_test_add_func ("/measure/labels", test_labels);
  g_test_add_func ("/measure/crowded", test_crowded);
  g_test_add_func ("/measure/values", test_values);
  g_test_add_func ("/measure/nan", test_nan);
  g_test_add_func ("/measure/large", test_large);
  g_test_add_func ("/measure/types", test_types);
  g_test_add_func ("/measure/arguments", test_arguments);
  g_test_add_func ("/measure/table", test_table);
  return g_test_run ();
}
