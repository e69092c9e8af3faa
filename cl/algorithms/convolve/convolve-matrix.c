/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The matrix of a convolution, and its text format. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "algorithms/convolve/convolve.h"
#include "runtime/base/error.h"

CapraMatrix *
capra_matrix_new (int width, int height)
{
  CapraMatrix *matrix = NULL;

  if (width < 1 || height < 1 || width > CAPRA_MATRIX_MAX || height > CAPRA_MATRIX_MAX)
    return NULL;
  matrix = g_new (CapraMatrix, 1);
  *matrix = (CapraMatrix){ width, height, g_new0 (double, (gsize) width *(gsize) height) };
  return matrix;
}

CapraMatrix *
capra_matrix_copy (const CapraMatrix *matrix)
{
  CapraMatrix *copy = capra_matrix_new (matrix->width, matrix->height);

  memcpy (copy->values, matrix->values, sizeof (double) * (gsize) matrix->width * (gsize) matrix->height);
  return copy;
}

void
capra_matrix_free (CapraMatrix *matrix)
{
  if (matrix)
    g_free (matrix->values);
  g_free (matrix);
}

static gboolean parse_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
parse_error (GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
               _ ("cannot read the matrix: %s; the format is \"1 2 1; 2 4 2; 1 2 1\""), text);
  return FALSE;
}

static gboolean
size_error (GError **error)
{
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
               _ ("the matrix is too large; the limit is %d rows of %d numbers"), CAPRA_MATRIX_MAX, CAPRA_MATRIX_MAX);
  return FALSE;
}

/* One number, which begins at @at, into @values; @row and @number count from 1. */
static gboolean
parse_number (const char *at, GArray *values, guint row, guint number, const char **end, GError **error)
{
  gsize length = strcspn (at, " \t\r\f\v,");
  char *stop = NULL;
  double value = g_ascii_strtod (at, &stop);

  *end = at + length;
  if (stop == at || stop != *end)
    return parse_error (error, _ ("row %u, number %u: \"%.*s\" is not a number"), row, number, (int) MIN (length, 40),
                        at);
  if (!isfinite (value))
    return parse_error (error, _ ("row %u, number %u: \"%.*s\" is not finite"), row, number, (int) MIN (length, 40),
                        at);
  if (number > CAPRA_MATRIX_MAX)
    return size_error (error);
  g_array_append_val (values, value);
  return TRUE;
}

/* Numbers are separated by blanks with at most one comma. A comma before the first number or after the last one means
 * that a number is missing. */
static gboolean
parse_row (const char *at, GArray *values, guint row, guint *n_numbers, GError **error)
{
  gboolean comma = FALSE;

  for (*n_numbers = 0; TRUE; (*n_numbers)++)
    {
      guint commas = 0;

      for (; *at && strchr (" \t\r\f\v,", *at); at++)
        commas += *at == ',';
      comma = commas > 0;
      if (commas > 1 || (comma && *n_numbers == 0))
        return parse_error (error, _ ("row %u: number %u is missing"), row, *n_numbers + 1);
      if (!*at)
        break;
      if (!parse_number (at, values, row, *n_numbers + 1, &at, error))
        return FALSE;
    }
  if (comma)
    return parse_error (error, _ ("row %u: number %u is missing"), row, *n_numbers + 1);
  return TRUE;
}

/* Removes comments from @text and splits it into rows. */
static char **
split_rows (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  while (*text)
    {
      if (*text == '#')
        text += strcspn (text, "\n\r");
      else
        g_string_append_c (plain, *text++);
    }
  return g_strsplit_set (plain->str, ";\n", -1);
}

CapraMatrix *
capra_matrix_parse (const char *text, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) rows = split_rows (text ? text : "");
  CapraMatrix *matrix = NULL;
  guint width = 0, height = 0;

  for (char **row = rows; *row; row++)
    {
      guint n = 0;

      if (!parse_row (*row, values, height + 1, &n, error))
        return NULL;
      if (n == 0)
        continue;
      height++;
      if (height > 1 && n != width)
        parse_error (error, _ ("row %u has %u numbers, the previous rows have %u"), height, n, width);
      else if (height > CAPRA_MATRIX_MAX)
        size_error (error);
      else
        {
          width = n;
          continue;
        }
      return NULL;
    }
  if (height == 0)
    {
      parse_error (error, _ ("it has no numbers"));
      return NULL;
    }

  matrix = capra_matrix_new ((int) width, (int) height);
  memcpy (matrix->values, values->data, sizeof (double) * width * height);
  return matrix;
}
