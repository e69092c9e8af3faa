/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns: tables of numbers in text files. */
#include "ui/figure/columns.h"

#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/regular-file.h"

#define MAX_BYTES ((gsize) 256 << 20)
#define LIST "columns:"
#define SEPARATORS " \t,;\r"

/* The words of a line, without empty ones. */
static GStrv
split (const char *line)
{
  g_auto (GStrv) parts = g_strsplit_set (line, SEPARATORS, -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; parts[i]; i++)
    if (*parts[i])
      g_ptr_array_add (words, g_strdup (parts[i]));
  g_ptr_array_add (words, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

static gboolean
parse_number (const char *word, double *value)
{
  char *end;

  *value = g_ascii_strtod (word, &end);
  return end != word && !*end;
}

/* What has been read. */
typedef struct {
  guint block; /* the wanted one */
  guint found; /* blocks that have begun */
  guint empty; /* lines since the last numbers; a comment counts as two */
  guint n_columns;
  GArray *rows; /* of doubles, row after row */
  GStrv names, comment;
} Reading;

/* The names in a comment: after "columns:", or all words. */
static void
read_comment (Reading *reading, const char *line)
{
  const char *list = strstr (line, LIST);
  GStrv *names = list ? &reading->names : &reading->comment;

  reading->empty += 2;
  if (reading->found > 0)
    return;
  g_strfreev (*names);
  *names = list ? g_strsplit (list + strlen (LIST), ",", -1) : split (line + strspn (line, "# "));
  for (guint i = 0; (*names)[i]; i++)
    g_strstrip ((*names)[i]);
}

static gboolean
read_numbers (Reading *reading, char **words, guint number, GError **error)
{
  guint count = g_strv_length (words);
  double value;

  if (reading->found == 0 || reading->empty >= 2)
    {
      reading->found++;
      if (reading->found - 1 == reading->block)
        reading->n_columns = count;
    }
  reading->empty = 0;
  if (reading->found - 1 != reading->block)
    return TRUE;
  for (guint i = 0; i < count; i++)
    if (count != reading->n_columns || !parse_number (words[i], &value))
      {
        g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                     "line %u has not %u numbers as the lines before it", number, reading->n_columns);
        return FALSE;
      }
    else
      g_array_append_val (reading->rows, value);
  return TRUE;
}

static gboolean
read_line (Reading *reading, char *line, guint number, GError **error)
{
  g_auto (GStrv) words = NULL;
  double value;

  g_strstrip (line);
  if (*line == '#')
    read_comment (reading, line);
  if (!*line)
    reading->empty++;
  if (!*line || *line == '#')
    return TRUE;
  words = split (line);
  if (words[0] && reading->found == 0 && !reading->names && !parse_number (words[0], &value))
    {
      reading->names = g_steal_pointer (&words);
      return TRUE;
    }
  return !words[0] || read_numbers (reading, words, number, error);
}

/* By columns; with the names that fit. */
static CapraColumns *
finish (Reading *reading)
{
  CapraColumns *columns = g_new0 (CapraColumns, 1);
  guint n = columns->n_columns = reading->n_columns;

  columns->n_rows = reading->rows->len / n;
  columns->values = g_new (double, reading->rows->len);
  for (gsize i = 0; i < columns->n_rows; i++)
    for (guint c = 0; c < n; c++)
      columns->values[c * columns->n_rows + i] = g_array_index (reading->rows, double, i *n + c);
  if (reading->names && g_strv_length (reading->names) == n)
    columns->names = g_steal_pointer (&reading->names);
  else if (reading->comment && g_strv_length (reading->comment) == n)
    columns->names = g_steal_pointer (&reading->comment);
  return columns;
}

CapraColumns *
capra_columns_parse (const char *text, guint block, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (double));
  Reading reading = { .block = block, .rows = rows };
  CapraColumns *columns = NULL;
  gboolean good = TRUE;
  guint number = 0;

  while (good && *text && reading.found <= block + 1)
    {
      const char *end = text + strcspn (text, "\n");
      g_autofree char *line = g_strndup (text, (gsize) (end - text));

      good = read_line (&reading, line, ++number, error);
      text = *end ? end + 1 : end;
    }
  if (good && rows->len == 0 && reading.found > 0)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                 "it has no block of numbers %u: its blocks are 0 to %u, see --frame", block, reading.found - 1);
  else if (good && rows->len == 0)
    g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, "it contains no numbers");
  else if (good)
    columns = finish (&reading);
  g_strfreev (reading.names);
  g_strfreev (reading.comment);
  return columns;
}

CapraColumns *
capra_columns_read (const char *path, guint block, GError **error)
{
  g_autofree char *text = capra_read_file (path, MAX_BYTES, NULL, error);
  CapraColumns *columns = text ? capra_columns_parse (text, block, error) : NULL;

  if (text && !columns)
    g_prefix_error (error, "cannot read \"%s\": ", path);
  return columns;
}

void
capra_columns_free (CapraColumns *columns)
{
  g_strfreev (columns->names);
  g_free (columns->values);
  g_free (columns);
}

int
capra_columns_find (const CapraColumns *columns, const char *name)
{
  for (guint i = 0; columns->names && columns->names[i]; i++)
    if (g_ascii_strcasecmp (columns->names[i], name) == 0)
      return (int) i;
  return -1;
}

const double *
capra_columns_get (const CapraColumns *columns, guint column)
{
  return columns->values + column * columns->n_rows;
}
