/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of the Results page as texts: those of a column line up; why numbers are missing. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panel/results/number-format.h"
#include "ui/panel/results/results-reason.h"

#define MAX_VALUES 4

static CapraTable *
make_column (const double *values, guint count)
{
  CapraTable *table = capra_table_new ((const char *const[]){ "value", NULL });

  for (guint i = 0; i < count; i++)
    capra_table_add_row (table, &values[i]);
  return table;
}

static void
test_columns (void)
{
  static const struct {
    double values[MAX_VALUES];
    const char *texts[MAX_VALUES];
  } cases[] = {
    { { 1, 20, 300, 100000 }, { "1", "20", "300", "100000" } },
    { { 85.3358, 418.871, 4.22772, 178 }, { "85.336", "418.871", "4.228", "178.000" } },
    { { 785.5, 267, 0.5, NAN }, { "785.5", "267.0", "0.5", "–" } },
    { { 0.660912, 0.56065, 0.5, 0.001 }, { "0.660912", "0.560650", "0.500000", "0.001000" } },
    { { 0.1, 0.25, -0.5, 0 }, { "0.10", "0.25", "-0.50", "0.00" } },
    { { 1234567.5, -2.25, 3, INFINITY }, { "1234568", "-2", "3", "∞" } },
    { { 1e-12, 2.5e-12, 0, -INFINITY }, { "1.00000e-12", "2.50000e-12", "0.00000e+00", "-∞" } },
    { { 1.5e20, 1, 2, 3 }, { "1.50000e+20", "1.00000e+00", "2.00000e+00", "3.00000e+00" } },
    { { 1e6, 1.1e-5, 1.2e-5, 1.3e-5 }, { "1.00000e+06", "1.10000e-05", "1.20000e-05", "1.30000e-05" } },
    { { NAN, NAN, NAN, NAN }, { "–", "–", "–", "–" } },
    { { 0.1f, 0.2f, 0.3f, 100 }, { "0.100", "0.200", "0.300", "100.000" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CapraTable) table = make_column (cases[i].values, MAX_VALUES);
      CapraNumberFormat format = capra_number_format_find (table, 0);

      for (guint k = 0; k < MAX_VALUES; k++)
        {
          g_autofree char *text = capra_number_format_print (&format, cases[i].values[k]);

          g_assert_cmpstr (text, ==, cases[i].texts[k]);
        }
    }
}

/* All numbers of a column have the same number of decimals, and the largest one has its first six digits. */
static void
test_random (void)
{
  for (int round = 0; round < 300; round++)
    {
      double values[20], largest = 0, scale = pow (10, g_test_rand_double_range (-12, 18));
      g_autoptr (CapraTable) table = NULL;
      CapraNumberFormat format;
      gsize decimals = 0;

      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          values[i] = g_test_rand_double_range (-1, 1) * scale;
          largest = fabs (values[i]) > fabs (largest) ? values[i] : largest;
        }
      table = make_column (values, G_N_ELEMENTS (values));
      format = capra_number_format_find (table, 0);
      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        {
          g_autofree char *text = capra_number_format_print (&format, values[i]);
          const char *point = strchr (text, '.');
          gsize now = point ? strlen (point) : 0;

          g_assert_true (i == 0 || now == decimals);
          decimals = now;
          if (values[i] == largest)
            g_assert_cmpfloat (fabs (strtod (text, NULL) - largest), <=, 1e-5 * fabs (largest));
        }
    }
}

static void
test_single (void)
{
  static const double values[] = { 3, -0.00044108, 1.0 / 3, NAN, INFINITY, -INFINITY, 1e300, DBL_MAX };
  static const char *const texts[] = { "3", "-0.00044108", "0.333333", "–", "∞", "-∞", "1e+300", "1.79769e+308" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *text = capra_number_format_print_single (values[i]);

      g_assert_cmpstr (text, ==, texts[i]);
    }
}

/* @reason: contained in the reason of the number; NULL if it has none */
static void
check_reason (const CapraTable *table, gsize row, guint column, const char *reason)
{
  g_autofree char *text = capra_results_dup_reason (table, row, column);

  if (!reason)
    g_assert_cmpstr (text, ==, NULL);
  else if (!text || !strstr (text, reason))
    g_error ("row %zu, column %u: \"%s\" does not contain \"%s\"", row, column, text, reason);
}

static void
test_reasons (void)
{
  g_autoptr (CapraTable) values = capra_table_new (
    (const char *const[]){ "count", "min", "max", "mean", "nan_count", "inf_count", NULL });
  g_autoptr (CapraTable) regions = capra_table_new (
    (const char *const[]){ "label", "centroid_x", "min", "max", "sum", "weighted_centroid_x", NULL });

  capra_table_add_row (values, (double[]){ 9, 1, 2, 1.5, 0, 0 });
  capra_table_add_row (values, (double[]){ 9, 1, INFINITY, NAN, 0, 3 });
  capra_table_add_row (values, (double[]){ 0, NAN, NAN, NAN, 12, 0 });
  capra_table_add_row (values, (double[]){ 9, 1, INFINITY, NAN, 4, 3 });
  check_reason (values, 0, 3, NULL);
  check_reason (values, 1, 1, NULL);
  check_reason (values, 1, 3, "3 of 9 values are infinite");
  check_reason (values, 1, 2, "3 of 9 values are infinite");
  check_reason (values, 2, 3, "other than NaN (12)");
  check_reason (values, 3, 3, "3 of 9 values are infinite");
  check_reason (values, 3, 3, "4 more are NaN");
  capra_table_add_row (regions, (double[]){ 1, 5, 0, 0, 0, NAN });
  capra_table_add_row (regions, (double[]){ 2, 5, 0, 1, NAN, NAN });
  capra_table_add_row (regions, (double[]){ 3, 5, -INFINITY, 1, NAN, NAN });
  check_reason (regions, 0, 1, NULL);
  check_reason (regions, 0, 5, "sum 0");
  check_reason (regions, 1, 4, "are NaN");
  check_reason (regions, 2, 5, "infinite");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panel/number-format/columns", test_columns);
  g_test_add_func ("/panel/number-format/random", test_random);
  g_test_add_func ("/panel/number-format/single", test_single);
  g_test_add_func ("/panel/number-format/reasons", test_reasons);
  return g_test_run ();
}
