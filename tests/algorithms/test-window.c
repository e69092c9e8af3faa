/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of windows: source rectangles against a search of all positions, and invalid windows. */
#include "tests/support/support.h"
#include "ui/cli/check/reference.h"

static void
needed (int n, int first, int last, CapraBorder border, int *begin, int *end)
{
  *begin = G_MAXINT;
  *end = G_MININT;
  for (int i = first; i <= last; i++)
    {
      gint64 at = reference_border (i, n, border);

      if (at >= 0)
        {
          *begin = MIN (*begin, (int) at);
          *end = MAX (*end, (int) at + 1);
        }
    }
}

static void
test_source (void)
{
  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
    for (int n = 1; n < 6; n++)
      for (int first = -20; first < 20; first++)
        for (int length = 1; length < 15; length++)
          {
            /* The same range of columns and, displaced by one, of rows. */
            CapraRect extent = { 7, -3, n, n }, result = { first + 7 + 2, first - 3 + 1, length, length };
            CapraRect source = capra_window_source (&extent, &result, 2, 1, 1, 0, border);
            int x0 = 0, x1 = 0, y0 = 0, y1 = 0;

            needed (n, first, first + 2 + length, border, &x0, &x1);
            needed (n, first, first + length, border, &y0, &y1);
            if (x1 < x0 || y1 < y0)
              {
                g_assert_true (source.width == 0 && source.height == 0);
                continue;
              }
            g_assert_cmpint (source.x, ==, x0 + 7);
            g_assert_cmpint (source.width, ==, x1 - x0);
            g_assert_cmpint (source.y, ==, y0 - 3);
            g_assert_cmpint (source.height, ==, y1 - y0);
          }
}

static void
test_far (void)
{
  CapraRect extent = { G_MININT, G_MININT, G_MAXINT, G_MAXINT };
  CapraRect result = { G_MAXINT - 1, 0, 1, 1 };

  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
    {
      CapraRect source = capra_window_source (&extent, &result, G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT, border);

      g_assert_cmpint (source.x, >=, extent.x);
      g_assert_cmpint (source.width, <=, extent.width);
    }
}

static void
test_resolve (void)
{
  const float values[12] = { 0 };
  g_autoptr (CapraArray) array = support_array (support_device (0), 4, 3, 1, 1, values);
  CapraRect extent = { 10, 20, 8, 6 }, source = { 11, 21, 4, 3 };
  const CapraWindow good = { extent, source, { 12, 22, 2, 1 } };
  const CapraWindow bad[] = {
    { extent, source, { 12, 22, 3, 1 } },           /* a column is missing */
    { extent, source, { 12, 22, 0, 1 } },           /* empty */
    { extent, { 11, 21, 5, 3 }, { 12, 22, 2, 1 } }, /* not the array's size */
    { extent, { 15, 21, 4, 3 }, { 16, 22, 2, 1 } }, /* outside */
    { { 10, 20, 0, 6 }, source, { 12, 22, 2, 1 } }, { extent, source, { G_MININT, 22, 2, 1 } },
  };
  CapraWindow resolved;
  g_autoptr (GError) none = NULL;

  g_assert_true (capra_window_resolve (array, &good, 1, 1, 1, 1, CAPRA_BORDER_CLAMP, &resolved, &none));
  g_assert_no_error (none);
  g_assert_cmpint (resolved.result.x, ==, 12);
  g_assert_true (capra_window_resolve (array, NULL, 9, 9, 9, 9, CAPRA_BORDER_WRAP, &resolved, &none));
  g_assert_no_error (none);
  g_assert_cmpint (resolved.extent.width, ==, 4);
  g_assert_cmpint (resolved.result.height, ==, 3);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (capra_window_resolve (array, &bad[i], 1, 1, 1, 1, CAPRA_BORDER_CLAMP, &resolved, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/source", test_source);
  g_test_add_func ("/window/far", test_far);
  g_test_add_func ("/window/resolve", test_resolve);
  return g_test_run ();
}
