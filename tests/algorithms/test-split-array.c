/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images whose rows are split over devices: filters and labels give the same bytes as on one device, with every margin,
 * border and number of parts. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

#define SIGMA 1.5
#define RADIUS 2

typedef struct {
  CapraBorder border;
  int calls; /* of filters on parts; atomic */
} Filters;

typedef struct {
  guint reach;
  CapraSplitFunc func;
} Filter;

static CapraArray *
blur (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  Filters *filters = data;

  g_atomic_int_inc (&filters->calls);
  return capra_gaussian_blur (input, (const double[]){ SIGMA, SIGMA, 0 }, CAPRA_GAUSSIAN_SAMPLED,
                              CAPRA_GAUSSIAN_TRUNCATE, filters->border, window, error);
}

static CapraArray *
box (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  const Filters *filters = data;

  return capra_box_blur (input, (const int[]){ 1, RADIUS, 0 }, filters->border, window, error);
}

static CapraArray *
fail (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  if (window->result.y == 0)
    return box (input, window, data, error);
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "expected");
  return NULL;
}

/* Ignores the window. */
static CapraArray *
copy_all (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  return capra_array_ref (input);
}

static void
get_filters (Filter filters[3])
{
  guint reach = (guint) capra_gaussian_source_radius (SIGMA, CAPRA_GAUSSIAN_SAMPLED, CAPRA_GAUSSIAN_TRUNCATE);

  filters[0] = (Filter){ reach, blur };
  filters[1] = (Filter){ RADIUS, box };
  filters[2] = (Filter){ reach, blur };
}

/* The whole image on one device. */
static float *
filter_whole (const CapraShape *shape, const float *values, Filters *data)
{
  g_autoptr (CapraArray) array = support_array (support_device (0), shape->width, shape->height, shape->depth,
                                                shape->channels, values);
  const CapraRect all = { 0, 0, (int) shape->width, (int) shape->height };
  const CapraWindow window = { all, all, all };
  Filter filters[3];

  get_filters (filters);
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      g_autoptr (GError) error = NULL;
      CapraArray *result = filters[i].func (array, &window, data, &error);

      g_assert_no_error (error);
      capra_array_unref (array);
      array = result;
    }
  return support_download (array);
}

static void
check_parts (const CapraSplitArray *split, gsize height)
{
  gsize row = 0;

  for (guint i = 0; i < capra_split_array_get_n_parts (split); i++)
    {
      gsize own[2], held[2];
      CapraArray *array = capra_split_array_get_part (split, i, own, held);

      g_assert_cmpuint (own[0], ==, row);
      g_assert_cmpuint (own[1], >=, 1);
      g_assert_cmpuint (held[0], <=, own[0]);
      g_assert_cmpuint (held[0] + held[1], >=, own[0] + own[1]);
      g_assert_cmpuint (held[0] + held[1], <=, height);
      g_assert_cmpuint (capra_array_get_shape (array)->height, ==, held[1]);
      row += own[1];
    }
  g_assert_cmpuint (row, ==, height);
}

/* Different devices may round sums differently. */
static void
assert_same (const float *got, const float *expected, gsize count)
{
  const CapraDeviceInfo *one = capra_device_get_info (support_device (0));
  const CapraDeviceInfo *other = capra_device_get_info (support_device (1));

  if (g_str_equal (one->name, other->name))
    g_assert_cmpmem (got, count * sizeof *got, expected, count * sizeof *expected);
  for (gsize i = 0; i < count; i++)
    if (!(isnan (got[i]) && isnan (expected[i])))
      g_assert_cmpfloat_with_epsilon (got[i], expected[i], 1e-6f);
}

static void
check_split (const CapraShape *shape, guint n, gboolean equal, guint margin, CapraBorder border)
{
  gsize count = capra_shape_count (shape);
  g_autofree float *values = support_noise (count, 0.0, 1.0, 4), *expected = NULL, *got = g_new (float, count);
  const double weights[4] = { 1.0, 3.0, 0.5, 2.0 };
  CapraSplitShare shares[4];
  Filters data = { border, 0 };
  Filter filters[3];
  g_autoptr (CapraSplitArray) split = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    shares[i] = (CapraSplitShare){ support_device (i % 2), equal ? 1.0 : weights[i] };
  values[count / 2] = NAN;
  expected = filter_whole (shape, values, &data);
  split = capra_split_array_new_from_data (shares, n, margin, shape, values, &error);
  g_assert_no_error (error);
  get_filters (filters);
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      CapraSplitArray *result = capra_split_array_filter (split, filters[i].reach, border, filters[i].func, &data,
                                                          &error);

      g_assert_no_error (error);
      check_parts (result, shape->height);
      g_assert_cmpuint (capra_split_array_get_n_parts (result), ==, capra_split_array_get_n_parts (split));
      capra_split_array_free (split);
      split = result;
    }
  g_assert_true (capra_split_array_wait (split, &error));
  g_assert_true (capra_split_array_download (split, got, &error));
  assert_same (got, expected, count);
}

static void
test_same_bytes (void)
{
  static const CapraShape shapes[] = {
    { 37, 61, 1, 1, CAPRA_F32 }, { 9, 23, 4, 1, CAPRA_F32 },  { 8, 5, 1, 4, CAPRA_F32 },
    { 1, 1, 1, 1, CAPRA_F32 },   { 130, 2, 1, 2, CAPRA_F32 },
  };
  static const guint margins[] = { 0, 3, 14, 1000 };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint m = 0; m < G_N_ELEMENTS (margins); m++)
      for (guint n = 1; n <= 4; n++)
        for (guint equal = 0; equal < 2; equal++)
          check_split (&shapes[s], n, equal, margins[m], (CapraBorder) ((s + m + n) % 4));
}

/* Masks whose regions meet in every way at the borders of parts: noise, combs that are joined below or above, and a
 * spiral. */
static float
mask_at (guint kind, gsize x, gsize y, const CapraShape *shape, float noise)
{
  gsize side = MIN (MIN (x, shape->width - 1 - x), MIN (y, shape->height - 1 - y));

  switch (kind)
    {
    case 0: return noise < 0.5f;
    case 1: return x % 2 == 0 || y == shape->height - 1;
    case 2: return x % 3 != 1 || y == 0;
    default: return side % 2 == 0 && !(x == side && y == side + 1);
    }
}

static void
check_labels (const CapraShape *shape, guint kind, guint n, guint margin, const CapraLabelOptions *options)
{
  gsize count = capra_shape_count (shape);
  g_autofree float *values = support_noise (count, 0.0, 1.0, 4);
  g_autofree guint32 *wanted = g_new (guint32, count), *got = g_new (guint32, count);
  const double weights[4] = { 1.0, 3.0, 0.5, 2.0 };
  CapraSplitShare shares[4];
  guint32 wanted_count = 0, got_count = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) image = NULL, all = NULL;
  g_autoptr (CapraSplitArray) split = NULL, labels = NULL;

  for (guint i = 0; i < n; i++)
    shares[i] = (CapraSplitShare){ support_device (i % 2), weights[i] };
  for (gsize i = 0; i < count; i++)
    values[i] = mask_at (kind, i % shape->width, i / shape->width, shape, values[i]);
  image = support_array (support_device (0), shape->width, shape->height, 1, 1, values);
  all = capra_label (image, options, &wanted_count, &error);
  g_assert_no_error (error);
  g_assert_true (capra_array_download (all, wanted, &error));

  split = capra_split_array_new_from_data (shares, n, margin, shape, values, &error);
  g_assert_no_error (error);
  labels = capra_split_array_label (split, options, &got_count, &error);
  g_assert_no_error (error);
  check_parts (labels, shape->height);
  g_assert_cmpuint (got_count, ==, wanted_count);
  g_assert_true (capra_split_array_wait (labels, &error));
  g_assert_true (capra_split_array_download (labels, got, &error));
  g_assert_cmpmem (got, count * sizeof *got, wanted, count * sizeof *wanted);
}

static void
test_labels (void)
{
  static const CapraShape shapes[] = {
    { 37, 61, 1, 1, CAPRA_F32 }, { 1, 1, 1, 1, CAPRA_F32 },     { 150, 2, 1, 1, CAPRA_F32 },
    { 1, 23, 1, 1, CAPRA_F32 },  { 301, 275, 1, 1, CAPRA_F32 },
  };
  static const CapraLabelOptions options[] = {
    { 8, 0, 0, FALSE, FALSE }, { 4, 0, 0, FALSE, FALSE },  { 8, 0, 0, FALSE, TRUE },
    { 4, 3, 0, TRUE, TRUE },   { 8, 2, 40, FALSE, FALSE },
  };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint kind = 0; kind < 4; kind++)
      for (guint n = 1; n <= 4; n++)
        for (guint o = 0; o < G_N_ELEMENTS (options); o++)
          check_labels (&shapes[s], kind, n, (s + n + o) % 2 * 3, &options[o]);
}

/* As on a GPU, whose variant numbers regions while it writes the labels. */
static void
test_labels_blocks (void)
{
  capra_tuning_try ("label.variant", "blocks");
  test_labels ();
  capra_tuning_try ("label.variant", NULL);
}

static void
test_label_errors (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (3, 8, CAPRA_F32);
  float values[24] = { 0 };
  CapraSplitShare shares[2] = { { support_device (0), 1 }, { support_device (1), 1 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraSplitArray) split = capra_split_array_new_from_data (shares, 2, 0, &shape, values, &error);

  g_assert_no_error (error);
  g_assert_null (capra_split_array_label (split, &(CapraLabelOptions){ .connectivity = 6 }, NULL, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

/* With a margin as large as the reaches of all filters, nothing is copied between the devices. */
static void
test_margin (void)
{
  const CapraSplitShare shares[2] = { { support_device (0), 1.0 }, { support_device (1), 1.0 } };
  CapraShape shape = CAPRA_SHAPE_2D (64, 100, CAPRA_F32);
  g_autofree float *values = support_noise (6400, 0.0, 1.0, 5);
  Filters data = { CAPRA_BORDER_CLAMP, 0 };
  Filter filters[3];
  gsize held[2];

  get_filters (filters);
  for (guint enough = 0; enough < 2; enough++)
    {
      guint reach = filters[0].reach, margin = 2 * reach - !enough;
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraSplitArray) split = capra_split_array_new_from_data (shares, 2, margin, &shape, values, &error);
      g_autoptr (CapraSplitArray) once = capra_split_array_filter (split, reach, data.border, blur, &data, &error);
      g_autoptr (CapraSplitArray) twice = capra_split_array_filter (once, reach, data.border, blur, &data, &error);

      g_assert_no_error (error);
      capra_split_array_get_part (split, 0, NULL, held);
      g_assert_cmpuint (held[1], ==, 50 + margin);
      capra_split_array_get_part (once, 0, NULL, held);
      g_assert_cmpuint (held[1], ==, 50 + margin - reach);
      capra_split_array_get_part (twice, 1, NULL, held);
      g_assert_cmpuint (held[1], ==, enough ? 50 : 50 + margin - reach); /* the margin was copied again */
    }
}

/* The rows of each part, for weights and a margin. */
static void
check_rows (const double *weights, guint n, guint margin, const gsize *rows, guint n_rows)
{
  CapraShape shape = CAPRA_SHAPE_2D (3, 80, CAPRA_U8);
  guint8 values[240], got[240] = { 0 };
  CapraSplitShare shares[3];
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraSplitArray) split = NULL;

  for (guint i = 0; i < sizeof values; i++)
    values[i] = (guint8) (i * 11);
  for (guint i = 0; i < n; i++)
    shares[i] = (CapraSplitShare){ support_device (i % 2), weights[i] };
  split = capra_split_array_new_from_data (shares, n, margin, &shape, values, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (capra_split_array_get_n_parts (split), ==, n_rows);
  for (guint i = 0; i < n_rows; i++)
    {
      gsize own[2];

      capra_split_array_get_part (split, i, own, NULL);
      g_assert_cmpuint (own[1], ==, rows[i]);
    }
  g_assert_true (capra_split_array_download (split, got, &error));
  g_assert_cmpmem (got, sizeof got, values, sizeof values);
}

static void
test_shares (void)
{
  check_rows ((const double[]){ 1, 3 }, 2, 0, (const gsize[]){ 20, 60 }, 2);
  check_rows ((const double[]){ 1, 3 }, 2, 10, (const gsize[]){ 15, 65 }, 2);
  check_rows ((const double[]){ 1, 1, 1 }, 3, 10, (const gsize[]){ 30, 20, 30 }, 3);
  check_rows ((const double[]){ 1e-6, 3, 1 }, 3, 0, (const gsize[]){ 60, 20 }, 2);
  check_rows ((const double[]){ 1, 9 }, 2, 30, (const gsize[]){ 80 }, 1); /* 14 rows with the margin of 30 */
}

static void
test_errors (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (3, 8, CAPRA_F32);
  float values[24] = { 0 };
  CapraSplitShare shares[2] = { { support_device (0), 1 }, { support_device (1), 1 } };
  Filters data = { CAPRA_BORDER_CLAMP, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraSplitArray) split = capra_split_array_new_from_data (shares, 2, 0, &shape, values, &error);

  g_assert_no_error (error);
  g_assert_null (capra_split_array_filter (split, RADIUS, CAPRA_BORDER_CLAMP, fail, &data, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "expected");
  g_clear_error (&error);
  g_assert_null (capra_split_array_filter (split, RADIUS, CAPRA_BORDER_CLAMP, copy_all, &data, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  shares[1].weight = 0;
  g_assert_null (capra_split_array_new_from_data (shares, 2, 0, &shape, values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (capra_split_array_new_from_data (shares, 0, 0, &shape, values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/split-array/same-bytes", test_same_bytes);
  g_test_add_func ("/split-array/margin", test_margin);
  g_test_add_func ("/split-array/shares", test_shares);
  g_test_add_func ("/split-array/errors", test_errors);
  g_test_add_func ("/split-array/labels", test_labels);
  g_test_add_func ("/split-array/labels-blocks", test_labels_blocks);
  g_test_add_func ("/split-array/label-errors", test_label_errors);
  return g_test_run ();
}
