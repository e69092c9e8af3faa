/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of matrices as text. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "algorithms/convolve/convolve.h"
#include "tests/support/support.h"

static void
test_parse (void)
{
  static const struct {
    const char *text;
    int width, height;
    double sum;
  } good[] = {
    { "1 2 1; 2 4 2; 1 2 1", 3, 3, 16 },
    { "1,2,1\n2,4,2\r\n1, 2 ,1\n", 3, 3, 16 },
    { "# a comment; with 3 4 5\n\n -1.5e0 # and 7\n;\n", 1, 1, -1.5 },
    { "  .5\t.25;;", 2, 1, 0.75 },
  };
  static const struct {
    const char *text, *message;
  } bad[] = {
    { "", "no numbers" },
    { " ; \n # 1\n", "no numbers" },
    { "1 2; 3", "row 2 has 1 numbers" },
    { "1 2; 3 4 5", "row 2 has 3 numbers" },
    { "1 2\n3 x", "row 2, number 2: \"x\"" },
    { "1 2.5.1", "row 1, number 2" },
    { "1 nan", "row 1, number 2" },
    { "inf", "row 1, number 1" },
    { "1 1e999", "row 1, number 2" },
    { "1,,2", "row 1: number 2 is missing" },
    { ",1", "row 1: number 1 is missing" },
    { "1 2,; 3 4", "row 1: number 3 is missing" },
    { "1;0,5 2", "row 2 has 3 numbers" },
  };

  /* Numbers have a decimal point in every locale. */
  setlocale (LC_ALL, "de_DE.UTF-8");
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraMatrix) matrix = capra_matrix_parse (good[i].text, &error);
      double sum = 0.0;

      g_assert_no_error (error);
      g_assert_cmpint (matrix->width, ==, good[i].width);
      g_assert_cmpint (matrix->height, ==, good[i].height);
      for (int k = 0; k < matrix->width * matrix->height; k++)
        sum += matrix->values[k];
      g_assert_cmpfloat (sum, ==, good[i].sum);
    }
  setlocale (LC_ALL, "C");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_matrix_parse (bad[i].text, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
      if (!strstr (error->message, bad[i].message))
        g_error ("\"%s\" gives: %s", bad[i].text, error->message);
    }
}

static void
test_parse_size (void)
{
  g_autoptr (GString) wide = g_string_new (NULL);
  g_autoptr (GString) high = g_string_new (NULL);
  g_autoptr (CapraMatrix) largest = NULL;

  for (int i = 0; i < CAPRA_MATRIX_MAX; i++)
    g_string_append (high, "1;");
  largest = capra_matrix_parse (high->str, NULL);
  g_assert_cmpint (largest->height, ==, CAPRA_MATRIX_MAX);
  g_string_append (high, "1;");
  for (int i = 0; i <= CAPRA_MATRIX_MAX; i++)
    g_string_append (wide, "1 ");
  g_assert_null (capra_matrix_parse (high->str, NULL));
  g_assert_null (capra_matrix_parse (wide->str, NULL));
  g_assert_null (capra_matrix_new (0, 1));
  g_assert_null (capra_matrix_new (1, CAPRA_MATRIX_MAX + 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/convolve-matrix/parse", test_parse);
  g_test_add_func ("/convolve-matrix/parse-size", test_parse_size);
  return g_test_run ();
}
