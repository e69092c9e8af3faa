/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sparse matrix of the azimuthal integration: built on the device as on the host, in any order of threads, and
 * evicted while memory is short. */
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-private.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/memory.h"
#include "ui/cli/check/reference-azimuthal.h"
#include "tests/support/support-builtins.h"
#include "tests/support/support.h"

static CapraAzimuthalSettings
make_settings (guint width, guint height)
{
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  s.poni = (CapraPoni){ .pixel1 = 1e-4, .pixel2 = 1.1e-4, .orientation = 3, .distance = 0.05, .wavelength = 1e-10 };
  s.poni.poni1 = 0.4 * height * 1e-4;
  s.poni.poni2 = 0.3 * width * 1.1e-4;
  s.width = width;
  s.height = height;
  s.bins = 23;
  s.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
  return s;
}

static CapraAzimuthal *
make (guint device, const CapraAzimuthalSettings *s, const char *variant)
{
  g_autoptr (GError) error = NULL;
  CapraAzimuthal *azimuthal = NULL;

  capra_tuning_try ("azimuthal.build", variant);
  azimuthal = capra_azimuthal_new (support_device (device), s, &error);
  capra_tuning_try ("azimuthal.build", NULL);
  g_assert_no_error (error);
  return azimuthal;
}

static CapraSparse
get_matrix (CapraAzimuthal *azimuthal)
{
  g_autoptr (GError) error = NULL;
  CapraSparse matrix;

  capra_azimuthal_matrix_download (&azimuthal->matrix, &matrix, &error);
  g_assert_no_error (error);
  return matrix;
}

static float
coefficient (const CapraSparse *matrix, guint32 entry)
{
  return matrix->coefficients ? matrix->coefficients[entry] : 1;
}

/* Entries that one matrix lacks count as 0: a corner that is rounded to another float may add one. */
static void
compare_row (const CapraSparse *a, const CapraSparse *b, guint32 row, double tolerance)
{
  guint32 i = a->starts[row], j = b->starts[row], i_end = a->starts[row + 1], j_end = b->starts[row + 1];

  while (i < i_end || j < j_end)
    {
      guint32 p = i < i_end ? a->pixels[i] : G_MAXUINT32, q = j < j_end ? b->pixels[j] : G_MAXUINT32;
      double x = p <= q ? coefficient (a, i) : 0, y = q <= p ? coefficient (b, j) : 0;

      g_assert_cmpfloat_with_epsilon (x, y, tolerance);
      g_assert_true (p > q || i == a->starts[row] || a->pixels[i - 1] < p);
      i += p <= q;
      j += q <= p;
    }
}

static void
assert_close (const CapraSparse *a, const CapraSparse *b, double tolerance)
{
  g_assert_cmpuint (a->n_rows, ==, b->n_rows);
  g_assert_cmpuint (a->starts[0], ==, 0);
  g_assert_cmpuint (a->starts[a->n_rows], ==, a->n_entries);
  g_assert_cmpfloat_with_epsilon (a->radial.min, b->radial.min, 1e-12 * a->radial.max + 1e-300);
  g_assert_cmpfloat_with_epsilon (a->radial.delta, b->radial.delta, 1e-6 * a->radial.delta + 1e-300);
  g_assert_cmpfloat_with_epsilon (a->azimuthal.delta, b->azimuthal.delta, 1e-6 * a->azimuthal.delta + 1e-300);
  for (guint32 row = 0; row < a->n_rows; row++)
    compare_row (a, b, row, tolerance);
}

static void
assert_equal (const CapraSparse *a, const CapraSparse *b)
{
  gsize n = a->n_entries;

  g_assert_cmpmem (a->starts, ((gsize) a->n_rows + 1) * 4, b->starts, ((gsize) b->n_rows + 1) * 4);
  g_assert_cmpmem (a->pixels, n * 4, b->pixels, (gsize) b->n_entries * 4);
  if (a->coefficients)
    g_assert_cmpmem (a->coefficients, n * sizeof (float), b->coefficients, n * sizeof (float));
}

static void
check (guint device, const CapraAzimuthalSettings *s)
{
  g_autoptr (CapraAzimuthal) host = make (device, s, "host"), first = make (device, s, "device");
  g_autoptr (CapraAzimuthal) second = make (device, s, "device");
  CapraSparse expected = get_matrix (host), got = get_matrix (first), again = get_matrix (second);

  assert_close (&got, &expected, s->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL ? 1e-4 : 1e-5);
  assert_equal (&got, &again);
  g_assert_cmpuint (capra_azimuthal_get_entries (first), ==, got.n_entries);
  capra_sparse_clear (&expected);
  capra_sparse_clear (&got);
  capra_sparse_clear (&again);
}

static void
test_variants (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 31, 23 }, { 1, 70 }, { 129, 5 } };

  for (int splitting = 0; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      for (guint azimuths = 1; azimuths < 40; azimuths += 13)
        {
          CapraAzimuthalSettings s = make_settings (sizes[k][0], sizes[k][1]);
          g_autofree guint8 *mask = g_malloc0 ((gsize) s.width * s.height);

          s.splitting = (CapraAzimuthalSplitting) splitting;
          s.azimuthal_bins = azimuths;
          s.poni.rot1 = 0.1 * (azimuths % 3);
          s.poni.rot2 = -0.03 * k;
          s.poni.orientation = 1 + (azimuths + k) % 4;
          s.unit = (CapraAzimuthalUnit) (k % 3);
          for (guint i = 3; i < s.width * s.height; i += 7)
            mask[i] = 1;
          s.mask = k == 1 ? mask : NULL;
          check (azimuths % 2, &s);
        }
}

/* Without a pixel, and with pixels that are rejected for their dark values. */
static void
test_empty (void)
{
  CapraAzimuthalSettings s = make_settings (9, 7);
  guint8 mask[63];
  float dark[63];

  memset (mask, 1, sizeof mask);
  s.mask = mask;
  check (0, &s);
  s.mask = NULL;
  for (guint k = 0; k < 63; k++)
    dark[k] = k % 2 ? NAN : 1;
  s.dark = dark;
  check (1, &s);
}

/* Entries of rows in any order are sorted, and those of a row stay in theirs. */
static void
test_sort (void)
{
  static const struct {
    guint32 n, n_rows;
  } cases[] = { { 0, 5 },     { 1, 1 },     { 1, 3 },         { 1000, 1 },
                { 5000, 64 }, { 5001, 65 }, { 100003, 1000 }, { 70000, 300000 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      guint32 n = cases[c].n, n_rows = cases[c].n_rows, at = 0;
      CapraDevice *device = support_device (c % 2);
      CapraShape shape = CAPRA_SHAPE_2D (MAX (n, 1), 1, CAPRA_U32);
      g_autofree float *noise = support_noise (MAX (n, 1), 0, n_rows, c);
      g_autofree guint32 *rows = g_new (guint32, MAX (n, 1)), *pixels = g_new (guint32, MAX (n, 1));
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) array = NULL;
      CapraAzimuthalMatrix matrix = { .n_rows = n_rows, .n_entries = n };
      CapraSparse got;

      for (guint32 e = 0; e < n; e++)
        {
          rows[e] = MIN ((guint32) noise[e], n_rows - 1);
          pixels[e] = e;
        }
      array = capra_array_new_from_data (device, &shape, rows, &error);
      matrix.pixels = capra_array_new_from_data (device, &shape, pixels, &error);
      shape.type = CAPRA_F32;
      matrix.coefficients = capra_array_new_from_data (device, &shape, noise, &error);
      g_assert_no_error (error);
      capra_azimuthal_matrix_sort (&matrix, &array, &error);
      g_assert_no_error (error);
      capra_azimuthal_matrix_download (&matrix, &got, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (got.starts[n_rows], ==, n);
      for (guint32 row = 0; row < n_rows; row++)
        {
          g_assert_cmpuint (got.starts[row], ==, at);
          for (; at < got.starts[row + 1]; at++)
            {
              g_assert_cmpuint (rows[got.pixels[at]], ==, row);
              g_assert_cmpfloat (got.coefficients[at], ==, noise[got.pixels[at]]);
              g_assert_true (at == got.starts[row] || got.pixels[at - 1] < got.pixels[at]);
            }
        }
      capra_sparse_clear (&got);
      capra_array_unref (matrix.starts);
      capra_array_unref (matrix.pixels);
      capra_array_unref (matrix.coefficients);
    }
}

static float *
integrate (CapraAzimuthal *azimuthal, CapraArray *frame)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) results = capra_azimuthal_new_results (azimuthal, 1, &error);

  g_assert_no_error (error);
  capra_azimuthal_integrate (azimuthal, frame, 1, NULL, results, &error);
  g_assert_no_error (error);
  return support_download (results);
}

/* The matrix counts as resident memory, makes room for other arrays, and comes back. Both kinds of kernels read it:
 * floats are checked for NaN. */
static void
test_evicted (void)
{
  CapraAzimuthalSettings s = make_settings (200, 150);
  gsize bytes = s.bins * CAPRA_AZIMUTHAL_N_PLANES * sizeof (float);
  g_autofree float *noise = support_noise (30000, 0, 100, 3);
  g_autoptr (CapraArray) frame = support_array (support_device (0), 200, 150, 1, 1, noise);
  guint64 before = support_memory ().bytes[CAPRA_MEMORY_RESIDENT], evictions = 0;
  g_autoptr (CapraAzimuthal) azimuthal = make (0, &s, NULL);
  gsize matrix = capra_azimuthal_get_entries (azimuthal) * 8;
  g_autofree float *expected = integrate (azimuthal, frame);

  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_RESIDENT], >=, before + matrix);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_autofree float *got = NULL;

      evictions = support_memory ().evictions;
      capra_memory_free_unused (support_device (0));
      g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_RESIDENT], <, before + matrix);
      g_assert_cmpuint (support_memory ().evictions, >, evictions);
      got = integrate (azimuthal, frame);
      g_assert_cmpmem (got, bytes, expected, bytes);
    }
  g_clear_pointer (&azimuthal, capra_azimuthal_unref);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_RESIDENT], ==, before);
}

/* A budget that holds the matrix, but not what its construction takes: it is built on the host. Smaller ones are
 * errors, after which nothing is left. */
static void
test_budget (void)
{
  CapraAzimuthalSettings s = make_settings (400, 300);
  g_autoptr (CapraAzimuthal) usual = make (0, &s, "device");
  CapraSparse expected = get_matrix (usual), got;
  guint64 matrix = (guint64) expected.n_entries * 8, in_use = 0;
  g_autoptr (CapraAzimuthal) azimuthal = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&usual, capra_azimuthal_unref);
  capra_memory_free_unused (support_device (0));
  in_use = support_memory ().bytes[CAPRA_MEMORY_ARRAYS] + support_memory ().bytes[CAPRA_MEMORY_RESIDENT];
  capra_memory_set_budget (support_device (0), in_use + matrix + (1 << 20));
  azimuthal = make (0, &s, "device");
  got = get_matrix (azimuthal);
  assert_close (&got, &expected, 1e-4);
  g_clear_pointer (&azimuthal, capra_azimuthal_unref);
  capra_memory_free_unused (support_device (0));
  capra_memory_set_budget (support_device (0), in_use + matrix / 2);
  g_assert_null (capra_azimuthal_new (support_device (0), &s, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_ARRAYS] + support_memory ().bytes[CAPRA_MEMORY_RESIDENT], ==,
                    in_use);
  capra_memory_set_budget (support_device (0), 0);
  capra_sparse_clear (&expected);
  capra_sparse_clear (&got);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/azimuthal-matrix/variants", test_variants);
  g_test_add_func ("/azimuthal-matrix/empty", test_empty);
  g_test_add_func ("/azimuthal-matrix/sort", test_sort);
  g_test_add_func ("/azimuthal-matrix/evicted", test_evicted);
  g_test_add_func ("/azimuthal-matrix/budget", test_budget);
  g_test_add_func ("/azimuthal-matrix/builtins", support_check_builtins); /* after all others */
  return g_test_run ();
}
