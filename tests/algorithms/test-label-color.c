/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colors of labels: the same on devices and on the host, and in all versions. */
#include <stdlib.h>

#include "tests/support/support.h"

/* The pixel R'G'B'A as capra_label_color() returns it. */
static guint32
get_color (const guint8 *pixel)
{
  return (guint32) pixel[3] << 24 | (guint32) pixel[0] << 16 | (guint32) pixel[1] << 8 | pixel[2];
}

/* The colors of labels, computed on a device. Free with g_free(). */
static guint32 *
get_colors (const guint32 *numbers, gsize n)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = g_malloc (4 * n);
  g_autoptr (CapraArray) labels = NULL, colors = NULL;
  guint32 *values = g_new (guint32, n);

  labels = capra_array_new_from_data (support_device (1), &CAPRA_SHAPE_2D (n, 1, CAPRA_U32), numbers, &error);
  g_assert_no_error (error);
  colors = capra_label_colors (labels, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (capra_array_get_shape (colors)->channels, ==, 4);
  g_assert_cmpint (capra_array_get_shape (colors)->type, ==, CAPRA_U8);
  capra_array_download (colors, bytes, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    values[i] = get_color (bytes + 4 * i);
  return values;
}

/* The sum of the differences of the three channels. */
static int
compare_colors (guint32 a, guint32 b)
{
  int sum = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    sum += abs ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff));
  return sum;
}

/* Each color differs clearly from those of the four labels before it. */
static void
test_distinct (void)
{
  g_autofree guint32 *numbers = g_new (guint32, 1000), *colors = NULL;

  for (guint i = 0; i < 1000; i++)
    numbers[i] = i;
  colors = get_colors (numbers, 1000);
  for (guint i = 0; i < 1000; i++)
    {
      g_assert_cmphex (colors[i], ==, capra_label_color (i));
      g_assert_cmphex (colors[i] >> 24, ==, i > 0 ? 0xff : 0);
      for (guint k = MAX (i, 5) - 4; k < i; k++)
        if (compare_colors (colors[i], colors[k]) < 76)
          g_error ("colors %u and %u differ by only %d", k, i, compare_colors (colors[i], colors[k]));
    }
}

/* The same labels have the same colors in all versions. One channel of the last three is within 1e-5 of the middle
 * between two bytes. */
static void
test_known (void)
{
  static const guint32 numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 6994, 338165, 395320 };
  static const guint32 known[] = { 0,          0xff2156d9, 0xff8ab350, 0xffff26e4, 0xff62d9c5, 0xffb36d1b,
                                   0xff9673ff, 0xff28d921, 0xff62c4d9, 0xff1bb392, 0xffc4d962 };
  g_autofree guint32 *colors = get_colors (numbers, G_N_ELEMENTS (numbers));

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_assert_cmphex (colors[i], ==, known[i]);
      g_assert_cmphex (capra_label_color (numbers[i]), ==, known[i]);
    }
}

static void
test_floats (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) labels = NULL, colors = NULL;

  labels = capra_array_new (support_device (0), &CAPRA_SHAPE_2D (4, 4, CAPRA_F32), NULL);
  colors = capra_label_colors (labels, &error);
  g_assert_null (colors);
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label-color/distinct", test_distinct);
  g_test_add_func ("/label-color/known", test_known);
  g_test_add_func ("/label-color/floats", test_floats);
  return g_test_run ();
}
