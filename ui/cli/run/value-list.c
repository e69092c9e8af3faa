/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-list: the values that one property takes in turn (--for). */
#include "ui/cli/run/value-list.h"

#include <string.h>

#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/text/value-text.h"

#define MAX_BYTES ((gsize) 64 << 20)
#define MAX_VALUES 1000000

void
run_values_free (RunValues *values)
{
  g_strfreev (values->texts);
  g_free (values);
}

/* FALSE with @error set if the line at @index (from 0) of @path cannot be a value of the property. */
static gboolean
check_line (RunValues *values, const char *line, const char *path, guint index, GError **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GError) local = NULL;

  if (!g_utf8_validate (line, -1, NULL))
    g_set_error_literal (&local, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "it is not valid UTF-8");
  else if (capra_value_from_text (values->property, line, &value, &local))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s, line %u: %s", path, index + 1, local->message);
  return FALSE;
}

static gboolean
read_values (RunValues *values, const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = capra_read_file (path, MAX_BYTES, &length, error);
  g_auto (GStrv) lines = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (!text)
    {
      g_prefix_error (error, "--for: %s: ", path);
      return FALSE;
    }
  if (strlen (text) != length)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--for: %s is not a text file", path);
      return FALSE;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      char *line = g_strstrip (lines[i]);

      if (*line == '\0' || *line == '#')
        continue;
      if (!check_line (values, line, path, i, error))
        return FALSE;
      g_strv_builder_add (builder, line);
      values->count++;
    }
  values->texts = g_strv_builder_end (builder);
  if (values->count > 0 && values->count <= MAX_VALUES)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--for: %s contains %u values; it must contain 1 to %d",
               path, values->count, MAX_VALUES);
  return FALSE;
}

RunValues *
run_values_new (const char *argument, RunGraph *graph, GError **error)
{
  const char *equals = strchr (argument, '=');
  g_autofree char *name = equals ? g_strndup (argument, (gsize) (equals - argument)) : NULL;
  g_autoptr (RunValues) values = g_new0 (RunValues, 1);

  if (!name || !*name || !equals[1])
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           "--for needs a property and a file, such as --for=matrix=list.txt");
      return NULL;
    }
  values->property = run_graph_find_property (graph, name, &values->step, error);
  if (!values->property || !read_values (values, equals + 1, error))
    return NULL;
  return g_steal_pointer (&values);
}

void
run_values_apply (const RunValues *values, guint index, RunGraph *graph)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (capra_value_from_text (values->property, values->texts[index], &value, NULL))
    run_graph_set_value (graph, values->step, values->property, &value);
}
