/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-xml: converts steps to and from GEGL's XML.
 *
 * The last node is first. The source of a second input is inside its node: a clone of another node, or nodes, of which
 * a list of steps can represent a single loader of a file. */
#include "ui/pipeline/text/pipeline-xml.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/text/pipeline-builder.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/step-paths.h"
#include "ui/pipeline/text/step-references.h"
#include "ui/pipeline/text/value-text.h"

#define DISABLED "capra-off"
#define NAME "capra-name" /* of the step that follows */

static void
write_aux (GString *text, CapraStep *step, GPtrArray *steps)
{
  g_autofree char *reference = capra_steps_get_reference (steps, step);
  CapraAuxSource *aux = capra_step_get_aux (step);

  if (reference)
    g_string_append_printf (text, "    <clone ref='%s'/>\n", reference);
  else if (aux && capra_aux_source_get_path (aux))
    {
      g_autofree char *path = g_markup_escape_text (capra_aux_source_get_path (aux), -1);

      g_string_append_printf (text,
                              "    <node operation='gegl:load'>\n      <params>\n"
                              "        <param name='path'>%s</param>\n"
                              "      </params>\n    </node>\n",
                              path);
    }
}

/* GEGL has elements for the points of curves. */
static void
write_curve (GString *text, GeglCurve *curve)
{
  double low, high;
  char number[4][G_ASCII_DTOSTR_BUF_SIZE];

  gegl_curve_get_y_bounds (curve, &low, &high);
  g_string_append_printf (text, "<curve ymin='%s' ymax='%s'>", g_ascii_dtostr (number[0], sizeof number[0], low),
                          g_ascii_dtostr (number[1], sizeof number[1], high));
  for (guint i = 0; i < gegl_curve_num_points (curve); i++)
    {
      double x, y;

      gegl_curve_get_point (curve, i, &x, &y);
      g_string_append_printf (text, "<curve-point x='%s' y='%s'/>", g_ascii_dtostr (number[2], sizeof number[2], x),
                              g_ascii_dtostr (number[3], sizeof number[3], y));
    }
  g_string_append (text, "</curve>");
}

static void
write_value (GString *text, const char *name, const GValue *value)
{
  g_autofree char *plain = capra_value_to_text (value);
  g_autofree char *escaped = plain ? g_markup_escape_text (plain, -1) : NULL;

  if (!plain)
    return;
  g_string_append_printf (text, "      <param name='%s'>", name);
  if (G_VALUE_HOLDS (value, GEGL_TYPE_CURVE))
    write_curve (text, g_value_get_object (value));
  else
    g_string_append (text, escaped);
  g_string_append (text, "</param>\n");
}

/* As an instruction, which GEGL ignores, for enabled and disabled steps. */
static void
write_name (GString *text, CapraStep *step)
{
  g_autoptr (GString) safe = g_string_new (capra_step_get_name (step));

  if (safe->len == 0)
    return;
  g_string_replace (safe, "?>", "? >", 0);
  g_string_append_printf (text, "  <?" NAME " %s?>\n", safe->str);
}

static void
write_step (GString *text, CapraStep *step, GPtrArray *steps)
{
  const char *operation = capra_step_get_operation (step);
  g_autofree char *name = capra_steps_get_name (steps, step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  g_string_append_printf (text, "  <node operation='%s'", operation);
  if (name)
    g_string_append_printf (text, " id='%s'", name);
  g_string_append (text, ">\n    <params>\n");
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      capra_step_get (step, list[i], &value);
      write_value (text, list[i]->name, &value);
    }
  g_string_append (text, "    </params>\n");
  write_aux (text, step, steps);
  g_string_append (text, "  </node>\n");
}

/* "?>" would end the instruction: it is escaped in a form that the parser of shell words reads back. */
static void
write_disabled (GString *text, CapraStep *step, GPtrArray *steps)
{
  g_autofree char *command = capra_step_to_command (step, steps, NULL);
  g_autoptr (GString) safe = g_string_new (command);

  g_string_replace (safe, "?>", "?'\\>'", 0);
  g_string_append_printf (text, "  <?" DISABLED " %s?>\n", safe->str);
}

char *
capra_steps_to_xml (GPtrArray *steps)
{
  GString *text = g_string_new ("<?xml version='1.0' encoding='UTF-8'?>\n<gegl>\n");

  for (guint i = steps->len; i-- > 0;)
    {
      write_name (text, steps->pdata[i]);
      if (capra_step_get_enabled (steps->pdata[i]))
        write_step (text, steps->pdata[i], steps);
      else
        write_disabled (text, steps->pdata[i], steps);
    }
  if (capra_steps_refer_to_input (steps))
    g_string_append (text, "  <node operation='" CAPRA_INPUT_OPERATION "' id='" CAPRA_INPUT_NAME "'/>\n");
  g_string_append (text, "</gegl>\n");
  return capra_steps_have_raw_values (steps) ? capra_text_mark_raw_values (g_string_free (text, FALSE))
                                             : g_string_free (text, FALSE);
}

typedef struct {
  CapraPipelineBuilder *builder;
  CapraStep *step; /* the open node */
  guint depth;     /* of open nodes */
  gboolean inside_gegl, branched;
  char *operation, *path; /* of the node within the open one */
  char *name;             /* of the open parameter */
  char *step_name;        /* of the next step */
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

/* A value of the open node, or of the loader in it. */
static gboolean
take_value (Reader *reader, const char *name, const char *value, GError **error)
{
  if (reader->depth == 1)
    return capra_step_set_text (reader->step, name, value, error);
  if (strcmp (name, "path") != 0 || reader->path)
    return capra_fail_branch (reader->step, error);
  reader->path = g_strdup (value);
  return TRUE;
}

static gboolean
take_attributes (Reader *reader, const char **names, const char **values, GError **error)
{
  static const char *const others[] = { "operation", "type", "name", "opi", "ref", "id", NULL };

  for (guint i = 0; names[i]; i++)
    if (!g_strv_contains (others, names[i]) && !take_value (reader, names[i], values[i], error))
      return FALSE;
  return TRUE;
}

/* A node within another is the source of its second input. */
static void
open_branch (Reader *reader, const char *operation, const char *reference, GError **error)
{
  if (reader->depth > 2 || reader->branched || (!operation && !reference))
    {
      capra_fail_branch (reader->step, error);
      return;
    }
  reader->branched = TRUE;
  if (reference)
    capra_pipeline_builder_refer (reader->builder, reader->step, reference);
  else
    reader->operation = g_strdup (operation);
}

static void
take_step_name (Reader *reader, CapraStep *step)
{
  if (reader->step_name)
    capra_step_set_name (step, reader->step_name);
  g_clear_pointer (&reader->step_name, g_free);
}

static void
open_node (Reader *reader, const char *operation, const char **names, const char **values, GError **error)
{
  const char *id = find_attribute (names, values, "id");

  if (++reader->depth > 1)
    {
      open_branch (reader, operation, NULL, error);
      if (!*error)
        take_attributes (reader, names, values, error);
      return;
    }
  if (!operation)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, _ ("A node has no operation"));
      return;
    }
  reader->branched = FALSE;
  reader->step = capra_step_new_checked (operation, error);
  if (!reader->step)
    return;
  capra_pipeline_builder_add (reader->builder, reader->step, TRUE);
  take_step_name (reader, reader->step);
  if (id)
    capra_pipeline_builder_name (reader->builder, reader->step, id);
  take_attributes (reader, names, values, error);
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names, const char **values,
               gpointer data, GError **error)
{
  Reader *reader = data;

  if (strcmp (element, "gegl") == 0)
    reader->inside_gegl = TRUE;
  else if (!reader->inside_gegl)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX,
                 _ ("Not a GEGL graph: the root element is <%s>"), element);
  else if (strcmp (element, "node") == 0)
    open_node (reader, find_attribute (names, values, "operation"), names, values, error);
  else if (strchr (element, ':'))
    open_node (reader, element, names, values, error);
  else if (strcmp (element, "clone") == 0)
    {
      reader->depth++;
      if (reader->depth == 1)
        capra_fail_branch (NULL, error);
      else
        open_branch (reader, NULL, find_attribute (names, values, "ref"), error);
    }
  else if (strcmp (element, "param") == 0)
    {
      g_free (reader->name);
      reader->name = g_strdup (find_attribute (names, values, "name"));
      g_string_truncate (reader->value, 0);
    }
  else if (strcmp (element, "curve") == 0)
    g_string_truncate (reader->value, 0); /* drops whitespace */
  else if (strcmp (element, "curve-point") == 0)
    {
      const char *x = find_attribute (names, values, "x"), *y = find_attribute (names, values, "y");

      g_string_append_printf (reader->value, "%s,%s ", x ? x : "", y ? y : "");
    }
}

static void
close_node (Reader *reader, GError **error)
{
  if (--reader->depth == 0)
    reader->step = NULL;
  else if (reader->operation)
    capra_pipeline_builder_load (reader->builder, reader->step, reader->operation, reader->path, error);
  g_clear_pointer (&reader->operation, g_free);
  g_clear_pointer (&reader->path, g_free);
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Reader *reader = data;

  if (strcmp (element, "node") == 0 || strcmp (element, "clone") == 0 || strchr (element, ':'))
    close_node (reader, error);
  else if (strcmp (element, "param") == 0 && reader->step && reader->name)
    {
      take_value (reader, reader->name, reader->value->str, error);
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

/* Returns: (transfer full) (nullable): the text of an instruction; %NULL if it is not @target */
static char *
read_instruction (const char *instruction, const char *target)
{
  g_autofree char *start = g_strdup_printf ("<?%s ", target);

  if (!g_str_has_prefix (instruction, start) || !g_str_has_suffix (instruction, "?>"))
    return NULL;
  return g_strndup (instruction + strlen (start), strlen (instruction) - strlen (start) - strlen ("?>"));
}

/* A disabled step, as arguments with its references, or a name. */
static void
passthrough (GMarkupParseContext *context, const char *bytes, gsize length, gpointer data, GError **error)
{
  Reader *reader = data;
  g_autofree char *copy = g_strndup (bytes, length);
  g_autofree char *command = read_instruction (copy, DISABLED), *name = read_instruction (copy, NAME);
  g_autoptr (CapraPipelineBuilder) disabled = NULL;

  if (name)
    {
      g_free (reader->step_name);
      reader->step_name = g_steal_pointer (&name);
    }
  if (!command)
    return;
  disabled = capra_pipeline_builder_new ();
  if (!capra_pipeline_builder_add_command (disabled, command, error))
    return;
  if (capra_pipeline_builder_get_last (disabled))
    take_step_name (reader, capra_pipeline_builder_get_last (disabled));
  capra_pipeline_builder_add_disabled (reader->builder, disabled);
}

GPtrArray *
capra_steps_from_xml (const char *xml, GError **error)
{
  static const GMarkupParser parser = { start_element, end_element, text, passthrough, NULL };
  g_autoptr (CapraPipelineBuilder) builder = capra_pipeline_builder_new ();
  g_autoptr (GString) value = g_string_new (NULL);
  Reader reader = { .builder = builder, .value = value };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, G_MARKUP_PREFIX_ERROR_POSITION,
                                                                        &reader, NULL);
  gboolean good = g_markup_parse_context_parse (context, xml, -1, error)
                  && g_markup_parse_context_end_parse (context, error);

  g_free (reader.name);
  g_free (reader.step_name);
  g_free (reader.operation);
  g_free (reader.path);
  return good ? capra_steps_set_raw_values (capra_pipeline_builder_finish (builder, error),
                                            capra_text_has_raw_values (xml))
              : NULL;
}

GPtrArray *
capra_steps_from_xml_file (GFile *file, GError **error)
{
  g_autofree char *path = g_file_get_path (file), *text = NULL, *folder = NULL;
  GPtrArray *steps;

  if (!path)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("Only files on this computer can be opened"));
      return NULL;
    }
  text = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, error);
  if (!text)
    return NULL;
  steps = capra_steps_from_xml (text, error);
  folder = g_path_get_dirname (path);
  if (steps)
    capra_steps_resolve_paths (steps, folder);
  return steps;
}
