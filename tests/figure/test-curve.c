/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of curves, and the columns of numbers that they show. */
#include <math.h>
#include <string.h>

#include "tests/figure/items.h"
#include "ui/figure/columns.h"
#include "ui/figure/curve-figure.h"
#include "ui/figure/units.h"

static void
test_curve (void)
{
  const double x[] = { 0.1, 1, 10, 100, 1000 }, y[] = { 1e-6, 1, -5, 1e3, 1e6 }, error[] = { 0, 0.5, 1, 1e4, 1e5 };
  CapraCurve curves[2] = { { x, y, error, 5, "first" }, { x, y, NULL, 5, "<second>" } };
  CapraCurveFigure figure = { curves, 2, FALSE, FALSE, "Title", "<i>q</i>", "I", 900, 600 };
  const double nothing[] = { -1, NAN };
  CapraCurve empty = { nothing, nothing, NULL, 2, NULL };
  CapraCurveFigure none = { &empty, 1, FALSE, TRUE, NULL, NULL, NULL, 900, 600 };
  g_autoptr (GError) failure = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (CapraPage) page = NULL;
      double left, top, width, height;

      figure.x_log = i & 1;
      figure.y_log = i & 2;
      page = capra_curve_figure_draw (&figure, &failure);
      g_assert_no_error (failure);
      capra_page_get_extents (page, &left, &top, &width, &height);
      g_assert_cmpfloat (width, <=, 900);
      g_assert_cmpfloat (height, <=, 600);
      g_assert_cmpfloat (width, >, 860);
      g_assert_nonnull (items_find (page, CAPRA_ITEM_LEGEND, "<second>"));
      g_assert_nonnull (items_find (page, CAPRA_ITEM_X_LABEL, "q"));
      if (figure.x_log)
        {
          const CapraItem *one = items_find (page, CAPRA_ITEM_X_TICK, "1"),
                          *ten = items_find (page, CAPRA_ITEM_X_TICK, "10");
          const CapraItem *hundred = items_find (page, CAPRA_ITEM_X_TICK, "100");

          g_assert_cmpfloat_with_epsilon (item_get_center (ten) - item_get_center (one),
                                          item_get_center (hundred) - item_get_center (ten), 1e-3);
        }
      items_assert_readable (page);
    }
  g_assert_null (capra_curve_figure_draw (&none, &failure));
  g_assert_nonnull (failure);
}

/* An axis has at least two numbers, also in a small figure. */
static void
test_few_labels (void)
{
  for (double high = 8; high < 5000; high *= 1.13)
    {
      const double x[] = { 0.1 * high, high }, y[] = { 0.3 * high, 1.1 * high };
      CapraCurve curve = { x, y, NULL, 2, NULL };
      CapraCurveFigure figure = { &curve, 1, FALSE, FALSE, NULL, "Area", "Rows", 240, 130 };
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraPage) page = capra_curve_figure_draw (&figure, &error);

      g_assert_no_error (error);
      g_test_message ("to %g: %u and %u", high, items_count (page, CAPRA_ITEM_X_TICK),
                      items_count (page, CAPRA_ITEM_Y_TICK));
      g_assert_cmpuint (items_count (page, CAPRA_ITEM_X_TICK), >=, 2);
      g_assert_cmpuint (items_count (page, CAPRA_ITEM_Y_TICK), >=, 2);
      items_assert_readable (page);
    }
}

static void
test_columns (void)
{
  static const char pyfai[]
    = "# == pyFAI calibration ==\n# Wavelength: 1e-10 m\n# --> x.dat\n"
      "#       q_nm^-1             I         sigma\n  1.0e-01   5.0 0.5\n\n  2.0e-01  nan  inf\n";
  static const char *const bad[] = { "", "# only a comment\n", "1 2\n3\n", "1 2\nx 3\n", "a,b\n" };
  g_autoptr (CapraColumns) columns = capra_columns_parse (pyfai, 0, NULL);
  g_autofree char *title = NULL, *unit = capra_units_to_markup ("counts s^-1 <x>");

  g_assert_cmpuint (columns->n_columns, ==, 3);
  g_assert_cmpuint (columns->n_rows, ==, 2);
  g_assert_cmpint (capra_columns_find (columns, "SIGMA"), ==, 2);
  g_assert_cmpfloat (capra_columns_get (columns, 0)[1], ==, 0.2);
  g_assert_true (isnan (capra_columns_get (columns, 1)[1]));
  title = capra_units_name_column (columns->names[0]);
  g_assert_cmpstr (title, ==, "<i>q</i> (nm<sup>\u22121</sup>)");
  g_assert_cmpstr (unit, ==, "counts s<sup>\u22121</sup> &lt;x&gt;");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_columns_parse (bad[i], 0, &error));
      g_assert_nonnull (error);
    }
}

/* Files of `capra integrate`. */
static void
test_blocks (void)
{
  static const char text[] = "# Azimuthal integration\n# A block for each frame; columns: q_nm^-1, intensity, standard "
                             "deviation, standard error of the mean\n\n\n# frame 0\n1 2 3 4\n2 3 4 5\n\n\n"
                             "# frame 1, which is damaged\n1 nan nan nan\n2 nan nan nan\n\n\n# frame 2\n1 5 6 7\n"
                             "2 8 9 10\n";
  g_autoptr (GError) error = NULL;

  for (guint block = 0; block < 3; block++)
    {
      g_autoptr (CapraColumns) columns = capra_columns_parse (text, block, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (columns->n_columns, ==, 4);
      g_assert_cmpuint (columns->n_rows, ==, 2);
      g_assert_cmpint (capra_columns_find (columns, "standard error of the mean"), ==, 3);
      g_assert_cmpfloat (capra_columns_get (columns, 0)[1], ==, 2.0);
      if (block == 2)
        g_assert_cmpfloat (capra_columns_get (columns, 1)[1], ==, 8.0);
    }
  g_assert_null (capra_columns_parse (text, 3, &error));
  g_assert_nonnull (strstr (error->message, "0 to 2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/curve", test_curve);
  g_test_add_func ("/figure/few-labels", test_few_labels);
  g_test_add_func ("/figure/columns", test_columns);
  g_test_add_func ("/figure/blocks", test_blocks);
  return g_test_run ();
}
