/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Table: rows of numbers with named columns, written as text, CSV, JSON or an array of NumPy. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/common/table.h"
#include "runtime/trace/write-json.h"
#include "runtime/base/write-text.h"

#define MAX_INTEGER 9007199254740992.0 /* 2^53: doubles represent all integers up to this one */
#define NUMBER_SIZE 40                 /* longer than any number */
#define NPY_START 12                   /* bytes before the header of an array */
#define NPY_ALIGNMENT 64

struct _CapraTable {
  gatomicrefcount refs;
  GStrv names;
  guint columns;
  GArray *values; /* of double, row by row */
};

CapraTable *
capra_table_new (const char *const *columns)
{
  CapraTable *table;

  g_return_val_if_fail (columns && columns[0], NULL);

  table = g_new0 (CapraTable, 1);
  g_atomic_ref_count_init (&table->refs);
  table->names = g_strdupv ((GStrv) columns);
  table->columns = g_strv_length (table->names);
  table->values = g_array_new (FALSE, FALSE, sizeof (double));
  return table;
}

CapraTable *
capra_table_ref (CapraTable *table)
{
  g_return_val_if_fail (table, NULL);

  g_atomic_ref_count_inc (&table->refs);
  return table;
}

void
capra_table_unref (CapraTable *table)
{
  g_return_if_fail (table);

  if (!g_atomic_ref_count_dec (&table->refs))
    return;
  g_strfreev (table->names);
  g_array_unref (table->values);
  g_free (table);
}

void
capra_table_add_row (CapraTable *table, const double *values)
{
  g_return_if_fail (table && values);

  g_array_append_vals (table->values, values, table->columns);
}

gsize
capra_table_get_rows (const CapraTable *table)
{
  g_return_val_if_fail (table, 0);

  return table->values->len / table->columns;
}

guint
capra_table_get_columns (const CapraTable *table)
{
  g_return_val_if_fail (table, 0);

  return table->columns;
}

const char *
capra_table_get_name (const CapraTable *table, guint column)
{
  g_return_val_if_fail (table && column < table->columns, NULL);

  return table->names[column];
}

double
capra_table_get (const CapraTable *table, gsize row, guint column)
{
  g_return_val_if_fail (table && column < table->columns, NAN);
  g_return_val_if_fail (row < capra_table_get_rows (table), NAN);

  return g_array_index (table->values, double, row * table->columns + column);
}

/* The shortest text that converts back to @value. Integers are written with all digits. The search for other numbers
 * starts with 15 digits, since any decimal number with 15 digits survives the conversion to double; %g removes trailing
 * zeros. Denormal numbers have less precision, so their search starts with 1 digit. */
static const char *
table_number (double value, char text[NUMBER_SIZE])
{
  char format[8];

  if (isnan (value))
    return strcpy (text, "nan");
  if (isinf (value))
    return strcpy (text, value > 0 ? "inf" : "-inf");
  if (value == 0)
    return strcpy (text, signbit (value) ? "-0" : "0");
  if (fabs (value) <= MAX_INTEGER && value == floor (value))
    {
      g_snprintf (text, NUMBER_SIZE, "%" G_GINT64_FORMAT, (gint64) value);
      return text;
    }

  for (int digits = fabs (value) < G_MINDOUBLE ? 1 : 15; digits <= 17; digits++)
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (text, NUMBER_SIZE, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  return text;
}

/* The width of @name on a terminal. */
static int
table_width (const char *name)
{
  return g_utf8_validate (name, -1, NULL) ? (int) g_utf8_strlen (name, -1) : (int) strlen (name);
}

char *
capra_table_to_text (const CapraTable *table)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree int *widths = NULL;
  char number[NUMBER_SIZE];

  g_return_val_if_fail (table, NULL);

  widths = g_new (int, table->columns);
  for (guint column = 0; column < table->columns; column++)
    widths[column] = table_width (table->names[column]);
  for (guint i = 0; i < table->values->len; i++)
    {
      int width = (int) strlen (table_number (g_array_index (table->values, double, i), number));

      widths[i % table->columns] = MAX (widths[i % table->columns], width);
    }

  for (guint column = 0; column < table->columns; column++)
    g_string_append_printf (text, "%s%*s%s", column ? "  " : "", widths[column] - table_width (table->names[column]),
                            "", table->names[column]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < table->values->len; i++)
    {
      guint column = i % table->columns;

      g_string_append_printf (text, "%s%*s%s", column ? "  " : "", widths[column],
                              table_number (g_array_index (table->values, double, i), number),
                              column + 1 == table->columns ? "\n" : "");
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* RFC 4180: a name with a separator, a quote or a line end is quoted, and quotes in it are doubled. */
static void
table_append_name (GString *csv, const char *name)
{
  if (!strpbrk (name, ",\t\"\r\n"))
    {
      g_string_append (csv, name);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *name; name++)
    {
      if (*name == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *name);
    }
  g_string_append_c (csv, '"');
}

static char *
table_to_separated (const CapraTable *table, const char *separator, const char *end)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char number[NUMBER_SIZE];

  for (guint column = 0; column < table->columns; column++)
    {
      if (column)
        g_string_append (text, separator);
      table_append_name (text, table->names[column]);
    }
  g_string_append (text, end);
  for (guint i = 0; i < table->values->len; i++)
    {
      g_string_append (text, table_number (g_array_index (table->values, double, i), number));
      g_string_append (text, (i + 1) % table->columns ? separator : end);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
capra_table_to_csv (const CapraTable *table)
{
  g_return_val_if_fail (table, NULL);

  return table_to_separated (table, ",", "\r\n");
}

char *
capra_table_to_tsv (const CapraTable *table)
{
  g_return_val_if_fail (table, NULL);

  return table_to_separated (table, "\t", "\n");
}

/* One line per row. Rows are converted one by one: JSON nodes for the whole table would take many times the memory of
 * its text. */
char *
capra_table_to_json (const CapraTable *table)
{
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (JsonNode) row = capra_json_object_node ();
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (table, NULL);

  names = g_new0 (char *, table->columns + 1);
  for (guint column = 0; column < table->columns; column++)
    names[column] = g_utf8_make_valid (table->names[column], -1);
  for (guint i = 0; i < table->values->len; i += table->columns)
    {
      g_autofree char *text = NULL;

      for (guint column = 0; column < table->columns; column++)
        capra_json_set_number (json_node_get_object (row), names[column],
                               g_array_index (table->values, double, i + column));
      text = json_to_string (row, FALSE);
      g_string_append_printf (json, "%s\n  %s", i ? "," : "", text);
    }
  g_string_append (json, table->values->len ? "\n]\n" : "]\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

/* A name as a literal of Python, which the header of an array consists of. */
static void
table_append_literal (GString *header, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  g_string_append_c (header, '\'');
  for (const char *c = valid; *c; c++)
    if (g_ascii_iscntrl (*c))
      g_string_append_printf (header, "\\x%02x", (guint) *c);
    else
      g_string_append_printf (header, "%s%c", strchr ("\\'", *c) ? "\\" : "", *c);
  g_string_append_c (header, '\'');
}

/* Version 3.0 of NumPy's format: magic, version, length of the header in four bytes, header, values. The header is
 * padded with spaces, so that the values start at a multiple of 64 bytes. */
static GString *
table_to_npy (const CapraTable *table)
{
  GString *npy = g_string_new_len ("\x93NUMPY\x03\0\0\0\0\0", NPY_START);
  char order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>';
  gsize length;

  g_string_append (npy, "{'descr': [");
  for (guint column = 0; column < table->columns; column++)
    {
      g_string_append (npy, column ? ", (" : "(");
      table_append_literal (npy, table->names[column]);
      g_string_append_printf (npy, ", '%cf8')", order);
    }
  g_string_append_printf (npy, "], 'fortran_order': False, 'shape': (%" G_GSIZE_FORMAT ",), }",
                          capra_table_get_rows (table));
  while ((npy->len + 1) % NPY_ALIGNMENT != 0)
    g_string_append_c (npy, ' ');
  g_string_append_c (npy, '\n');
  length = npy->len - NPY_START;
  for (guint i = 0; i < 4; i++)
    npy->str[NPY_START - 4 + i] = (char) (length >> (8 * i));
  g_string_append_len (npy, table->values->data, (gssize) (table->values->len * sizeof (double)));
  return npy;
}

static gboolean
table_write (const CapraTable *table, const char *path, GError **error)
{
  g_autofree char *text = NULL, *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".npy"))
    {
      g_autoptr (GString) npy = table_to_npy (table);

      return capra_write_data (path, npy->str, npy->len, error);
    }
  if (g_str_equal (path, "-"))
    text = capra_table_to_text (table);
  else if (g_str_has_suffix (lower, ".json"))
    text = capra_table_to_json (table);
  else
    text = capra_table_to_csv (table);
  return capra_write_text (path, text, error);
}

gboolean
capra_table_save (const CapraTable *table, const char *path, GError **error)
{
  g_return_val_if_fail (table && path, FALSE);

  if (table_write (table, path, error))
    return TRUE;
  if (g_str_equal (path, "-"))
    g_prefix_error (error, _ ("cannot write the table to standard output: "));
  else
    g_prefix_error (error, _ ("cannot write the table to \"%s\": "), path);
  return FALSE;
}
