/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-command: converts steps to and from the arguments of the gegl program. */
#include "ui/pipeline/text/pipeline-command.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/shell-quote.h"
#include "ui/pipeline/text/step-references.h"
#include "ui/pipeline/text/value-text.h"

/* " name=value", quoted if necessary. */
static void
append_pair (GString *text, const char *name, const char *value)
{
  g_autofree char *pair = g_strdup_printf ("%s=%s", name, value);
  g_autofree char *quoted = capra_shell_quote (pair);

  g_string_append_printf (text, " %s", quoted);
}

char *
capra_step_to_command (CapraStep *step, GPtrArray *steps, const char *name)
{
  GString *text = g_string_new (capra_step_get_operation (step));
  CapraAuxSource *aux = capra_step_get_aux (step);
  g_autofree char *reference = capra_steps_get_reference (steps, step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (text->str, &count);

  if (name)
    append_pair (text, "id", name);
  for (guint i = 0; i < count; i++)
    if (!capra_step_is_default (step, list[i]))
      {
        g_auto (GValue) value = G_VALUE_INIT;
        g_autofree char *plain = NULL;

        capra_step_get (step, list[i], &value);
        plain = capra_value_to_text (&value);
        if (plain)
          append_pair (text, list[i]->name, plain);
      }
  if (reference)
    g_string_append_printf (text, " 'aux=[' ref=%s ']'", reference);
  else if (aux && capra_aux_source_get_path (aux))
    {
      g_string_append (text, " 'aux=[' gegl:load");
      append_pair (text, "path", capra_aux_source_get_path (aux));
      g_string_append (text, " ']'");
    }
  return g_string_free (text, FALSE);
}

char *
capra_steps_to_chain (GPtrArray *steps)
{
  GString *text = g_string_new (capra_steps_refer_to_input (steps) ? CAPRA_INPUT_OPERATION " id=" CAPRA_INPUT_NAME
                                                                   : "");

  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      {
        g_autofree char *name = capra_steps_get_name (steps, steps->pdata[i]);
        g_autofree char *one = capra_step_to_command (steps->pdata[i], steps, name);

        g_string_append_printf (text, "%s%s", text->len ? " " : "", one);
      }
  return g_string_free (text, FALSE);
}

char *
capra_steps_to_command (GPtrArray *steps)
{
  char *chain = capra_steps_to_chain (steps);

  return capra_steps_have_raw_values (steps) ? capra_text_mark_raw_values (chain) : chain;
}

typedef struct {
  CapraPipelineBuilder *builder;
  char *operation, *path; /* of the branch */
  gboolean in_branch;
} Parser;

/* A word in a branch: a reference, or a loader with its path. */
static gboolean
read_branch (Parser *parser, const char *word, GError **error)
{
  CapraStep *step = capra_pipeline_builder_get_last (parser->builder);

  if (strcmp (word, "]") == 0)
    {
      parser->in_branch = FALSE;
      return !parser->operation
             || capra_pipeline_builder_load (parser->builder, step, parser->operation, parser->path, error);
    }
  if (g_str_has_prefix (word, "ref=") && !parser->operation)
    capra_pipeline_builder_refer (parser->builder, step, word + strlen ("ref="));
  else if (g_str_has_prefix (word, "path=") && parser->operation && !parser->path)
    parser->path = g_strdup (word + strlen ("path="));
  else if (!strchr (word, '=') && !parser->operation)
    parser->operation = g_strdup (word);
  else
    return capra_fail_branch (step, error);
  return TRUE;
}

static gboolean
start_branch (Parser *parser, const char *pad, GError **error)
{
  CapraStep *step = capra_pipeline_builder_get_last (parser->builder);

  parser->in_branch = TRUE;
  g_clear_pointer (&parser->operation, g_free);
  g_clear_pointer (&parser->path, g_free);
  return strcmp (pad, "aux") == 0 ? TRUE : capra_fail_branch (step, error);
}

/* NAME=VALUE sets a property; a word with ":" is an operation. */
static gboolean
read_word (Parser *parser, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  const char *colon = strchr (word, ':');
  CapraStep *step = capra_pipeline_builder_get_last (parser->builder);

  if (parser->in_branch)
    return read_branch (parser, word, error);
  if (g_str_has_prefix (word, "id="))
    {
      capra_pipeline_builder_name (parser->builder, step, word + strlen ("id="));
      return TRUE;
    }
  if (equals && equals > word && (!colon || colon > equals))
    {
      g_autofree char *name = g_strndup (word, equals - word);

      if (!step)
        {
          g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, _ ("\"%s\" must follow an operation"),
                       word);
          return FALSE;
        }
      if (equals[1] == '[' && !capra_operation_find_property (capra_step_get_operation (step), name))
        return start_branch (parser, name, error) && (!equals[2] || read_branch (parser, equals + 2, error));
      return capra_step_set_text (step, name, equals + 1, error);
    }
  if (colon && !strpbrk (word, "[]"))
    {
      step = capra_step_new_checked (word, error);
      if (step)
        capra_pipeline_builder_add (parser->builder, step, FALSE);
      return step != NULL;
    }
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX,
               _ ("\"%s\" is neither an operation nor a property with a value (name=value)"), word);
  return FALSE;
}

/* The first word of the chain: what precedes "--" in a command line of a program is not part of it. */
static guint
find_chain (char **list)
{
  guint i = 0;

  if (!list[0] || (strcmp (list[0], "gegl") != 0 && strcmp (list[0], "capra") != 0))
    return 0;
  while (list[i] && strcmp (list[i], "--") != 0)
    i++;
  return i;
}

/* A closing bracket can be part of the word before it. */
static gboolean
read_words (Parser *parser, char **list, GError **error)
{
  for (guint i = find_chain (list); list[i]; i++)
    {
      gsize length = strlen (list[i]);
      gboolean closes = parser->in_branch && length > 1 && list[i][length - 1] == ']';
      g_autofree char *word = g_strndup (list[i], closes ? length - 1 : length);

      if (strcmp (word, "--") == 0 || strcmp (word, CAPRA_RAW_OPTION) == 0)
        continue;
      if (!read_word (parser, word, error) || (closes && !read_word (parser, "]", error)))
        return FALSE;
    }
  if (parser->in_branch)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, _ ("Missing \"]\""));
      return FALSE;
    }
  return TRUE;
}

gboolean
capra_pipeline_builder_add_command (CapraPipelineBuilder *builder, const char *text, GError **error)
{
  g_auto (GStrv) list = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  Parser parser = { builder, NULL, NULL, FALSE };
  gboolean good;

  if (!*stripped)
    return TRUE;
  if (!g_shell_parse_argv (stripped, NULL, &list, error))
    return FALSE;
  good = read_words (&parser, list, error);
  g_free (parser.operation);
  g_free (parser.path);
  return good;
}

GPtrArray *
capra_steps_from_command (const char *text, GError **error)
{
  g_autoptr (CapraPipelineBuilder) builder = capra_pipeline_builder_new ();

  if (!capra_pipeline_builder_add_command (builder, text, error))
    return NULL;
  return capra_steps_set_raw_values (capra_pipeline_builder_finish (builder, error), capra_text_has_raw_values (text));
}
