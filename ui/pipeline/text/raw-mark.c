/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-mark: marks the text of a pipeline that works on raw values. */
#include "ui/pipeline/text/raw-mark.h"

#include <string.h>

#define RAW_VALUES "<?capra-data?>"
#define COMMAND "capra run " /* before the mark in a whole command line */

char *
capra_text_mark_raw_values (char *text)
{
  g_autofree char *plain = text;
  GString *marked = g_string_new (plain);

  if (capra_text_has_raw_values (plain))
    return g_string_free (marked, FALSE);
  if (*plain == '<')
    g_string_replace (marked, "<gegl>\n", "<gegl>\n  " RAW_VALUES "\n", 1);
  else
    g_string_prepend (marked, CAPRA_RAW_OPTION " -- ");
  return g_string_free (marked, FALSE);
}

static void
find_raw_values (GMarkupParseContext *context, const char *bytes, gsize length, gpointer data, GError **error)
{
  gboolean *found = data;

  *found |= length == strlen (RAW_VALUES) && memcmp (bytes, RAW_VALUES, length) == 0;
}

gboolean
capra_text_has_raw_values (const char *text)
{
  static const GMarkupParser parser = { .passthrough = find_raw_values };
  gboolean found = FALSE;
  const char *start = text + strspn (text, " \t\r\n");
  g_autoptr (GMarkupParseContext) context = NULL;

  if (g_str_has_prefix (start, COMMAND))
    start += strlen (COMMAND);
  if (*start != '<')
    return g_str_has_prefix (start, CAPRA_RAW_OPTION) && strchr (" \t\n", start[strlen (CAPRA_RAW_OPTION)]) != NULL;
  context = g_markup_parse_context_new (&parser, 0, &found, NULL);
  g_markup_parse_context_parse (context, start, -1, NULL);
  return found;
}

gboolean
capra_steps_have_raw_values (GPtrArray *steps)
{
  return steps->len > 0 && capra_step_get_raw_values (steps->pdata[0]);
}

GPtrArray *
capra_steps_set_raw_values (GPtrArray *steps, gboolean raw)
{
  for (guint i = 0; steps && i < steps->len; i++)
    capra_step_set_raw_values (steps->pdata[i], raw);
  return steps;
}
