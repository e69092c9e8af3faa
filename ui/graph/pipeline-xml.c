/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-xml: steps as GEGL's XML, and back. GEGL writes the last node first; nodes that feed a
 * second input stand inside their node, which a list of steps cannot hold. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "pipeline-text-private.h"

#define OFF "capra-off"

static void
write_step (GString *text, CapraStep *step)
{
  const char *operation = capra_step_get_operation (step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  g_string_append_printf (text, "  <node operation='%s'>\n    <params>\n", operation);
  for (guint i = 0; i < count; i++)
    {
      g_auto(GValue) value = G_VALUE_INIT;
      g_autofree char *plain = NULL;
      g_autofree char *escaped = NULL;

      capra_step_get (step, list[i], &value);
      plain = capra_value_to_text (&value);
      if (!plain)
        continue;
      escaped = g_markup_escape_text (plain, -1);
      g_string_append_printf (text, "      <param name='%s'>%s</param>\n", list[i]->name, escaped);
    }
  g_string_append (text, "    </params>\n  </node>\n");
}

/* "?>" would end the instruction; in a value it becomes an escape that means the same to a shell. */
static void
write_off (GString *text, CapraStep *step)
{
  g_autofree char *command = capra_step_to_command (step);
  g_autoptr(GString) safe = g_string_new (command);

  g_string_replace (safe, "?>", "?'\\>'", 0);
  g_string_append_printf (text, "  <?" OFF " %s?>\n", safe->str);
}

char *
capra_steps_to_xml (GPtrArray *steps)
{
  GString *text = g_string_new ("<?xml version='1.0' encoding='UTF-8'?>\n<gegl>\n");

  for (guint i = steps->len; i-- > 0;)
    if (capra_step_get_enabled (steps->pdata[i]))
      write_step (text, steps->pdata[i]);
    else
      write_off (text, steps->pdata[i]);
  g_string_append (text, "</gegl>\n");
  return g_string_free (text, FALSE);
}

typedef struct {
  GPtrArray *steps; /* the last one first */
  CapraStep *step;  /* the open node, owned by steps */
  guint depth;      /* of open nodes */
  gboolean inside_gegl;
  char *name; /* of the open parameter */
  GString *value;
} Reader;

static const char *
find_attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i]; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

static void
open_node (Reader *reader, const char *operation, GError **error)
{
  if (reader->depth++ > 0)
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
                   _("This graph has branches; only a chain can be shown as a list of steps"));
      return;
    }
  if (!operation)
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
                   _("A node without the name of its operation"));
      return;
    }
  reader->step = capra_step_new_checked (operation, error);
  if (reader->step)
    g_ptr_array_add (reader->steps, reader->step);
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer data, GError **error)
{
  Reader *reader = data;

  if (strcmp (element, "gegl") == 0)
    reader->inside_gegl = TRUE;
  else if (!reader->inside_gegl)
    g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
                 _("This is not a GEGL graph: it starts with <%s>"), element);
  else if (strcmp (element, "node") == 0)
    open_node (reader, find_attribute (names, values, "operation"), error);
  else if (strchr (element, ':'))
    open_node (reader, element, error);
  else if (strcmp (element, "param") == 0)
    {
      g_free (reader->name);
      reader->name = g_strdup (find_attribute (names, values, "name"));
      g_string_truncate (reader->value, 0);
    }
  else if (strcmp (element, "clone") == 0)
    g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
                 _("This graph has branches; only a chain can be shown as a list of steps"));
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Reader *reader = data;

  if (strcmp (element, "node") == 0 || strchr (element, ':'))
    {
      reader->depth--;
      reader->step = NULL;
    }
  else if (strcmp (element, "param") == 0 && reader->step && reader->name)
    {
      capra_step_set_text (reader->step, reader->name, reader->value->str, error);
      g_clear_pointer (&reader->name, g_free);
    }
}

static void
text (GMarkupParseContext *context, const char *bytes, gsize length, gpointer data, GError **error)
{
  Reader *reader = data;

  if (reader->name)
    g_string_append_len (reader->value, bytes, (gssize) length);
}

static void
passthrough (GMarkupParseContext *context, const char *bytes, gsize length, gpointer data,
             GError **error)
{
  Reader *reader = data;
  g_autofree char *copy = g_strndup (bytes, length);
  g_autofree char *command = NULL;
  g_autoptr(GPtrArray) off = NULL;

  if (!g_str_has_prefix (copy, "<?" OFF " ") || !g_str_has_suffix (copy, "?>"))
    return;
  command = g_strndup (copy + strlen ("<?" OFF " "), length - strlen ("<?" OFF " ?>"));
  off = capra_steps_from_command (command, error);
  for (guint i = off ? off->len : 0; i-- > 0;)
    {
      capra_step_set_enabled (off->pdata[i], FALSE);
      g_ptr_array_add (reader->steps, g_object_ref (off->pdata[i]));
    }
}

GPtrArray *
capra_steps_from_xml (const char *xml, GError **error)
{
  static const GMarkupParser parser = { start_element, end_element, text, passthrough, NULL };
  g_autoptr(GPtrArray) reversed = g_ptr_array_new_with_free_func (g_object_unref);
  Reader reader = { reversed, NULL, 0, FALSE, NULL, g_string_new (NULL) };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, G_MARKUP_PREFIX_ERROR_POSITION,
                                                             &reader, NULL);
  gboolean good = g_markup_parse_context_parse (context, xml, -1, error)
                  && g_markup_parse_context_end_parse (context, error);
  GPtrArray *steps = NULL;

  g_markup_parse_context_free (context);
  g_string_free (reader.value, TRUE);
  g_free (reader.name);
  if (!good)
    return NULL;
  steps = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = reversed->len; i-- > 0;)
    g_ptr_array_add (steps, g_object_ref (reversed->pdata[i]));
  return steps;
}
