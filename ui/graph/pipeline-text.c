/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text: steps as the arguments of GEGL's command line, and back. */
#include "pipeline-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pipeline-text-private.h"

char *
capra_step_to_command (CapraStep *step)
{
  GString *text = g_string_new (capra_step_get_operation (step));
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (text->str, &count);

  for (guint i = 0; i < count; i++)
    if (!capra_step_is_default (step, list[i]))
      {
        g_auto(GValue) value = G_VALUE_INIT;
        g_autofree char *plain = NULL;
        g_autofree char *pair = NULL;
        g_autofree char *quoted = NULL;

        capra_step_get (step, list[i], &value);
        plain = capra_value_to_text (&value);
        if (!plain)
          continue;
        pair = g_strdup_printf ("%s=%s", list[i]->name, plain);
        quoted = strpbrk (plain, " \t\n'\"\\$`*?[]()<>|&;#~!") || !*plain ? g_shell_quote (pair)
                                                                       : g_strdup (pair);
        g_string_append_printf (text, " %s", quoted);
      }
  return g_string_free (text, FALSE);
}

char *
capra_steps_to_command (GPtrArray *steps)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      {
        g_autofree char *one = capra_step_to_command (steps->pdata[i]);

        g_string_append_printf (text, "%s%s", text->len ? " " : "", one);
      }
  return g_string_free (text, FALSE);
}

CapraStep *
capra_step_new_checked (const char *operation, GError **error)
{
  if (!gegl_has_operation (operation))
    {
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_OPERATION,
                   _("There is no operation “%s” here"), operation);
      return NULL;
    }
  return capra_step_new (operation);
}

gboolean
capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error)
{
  const char *operation = capra_step_get_operation (step);
  GParamSpec *property = capra_operation_find_property (operation, name);
  g_auto(GValue) value = G_VALUE_INIT;

  if (!property)
    {
      /* What an operation tells (its results, its failure) may stand in a file, and is no setting. */
      if (gegl_operation_find_property (operation, name))
        return TRUE;
      g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_OPERATION,
                   _("“%s” has no property “%s”"), operation, name);
      return FALSE;
    }
  if (!capra_value_from_text (property, text, &value, error))
    {
      g_prefix_error (error, "%s: ", operation);
      return FALSE;
    }
  capra_step_set (step, property, &value);
  return TRUE;
}

/* A word with "=" after a property's name sets it; any other with ":" is an operation. */
static gboolean
read_word (GPtrArray *steps, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  const char *colon = strchr (word, ':');

  if (equals && equals > word && (!colon || colon > equals))
    {
      g_autofree char *name = g_strndup (word, equals - word);

      if (steps->len == 0)
        {
          g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
                       _("“%s” stands before the first operation"), word);
          return FALSE;
        }
      return capra_step_set_text (steps->pdata[steps->len - 1], name, equals + 1, error);
    }
  if (colon && !strpbrk (word, "[]"))
    {
      CapraStep *step = capra_step_new_checked (word, error);

      if (step)
        g_ptr_array_add (steps, step);
      return step != NULL;
    }
  g_set_error (error, CAPRA_PANEL_ERROR, CAPRA_PANEL_ERROR_SYNTAX,
               _("“%s” is neither an operation nor a property with a value. "
                 "Graphs with branches cannot be shown as a list of steps"), word);
  return FALSE;
}

GPtrArray *
capra_steps_from_command (const char *text, GError **error)
{
  g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto(GStrv) words = NULL;
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  if (!*stripped)
    return g_steal_pointer (&steps);
  if (!g_shell_parse_argv (stripped, NULL, &words, error))
    return NULL;
  for (guint i = 0; words[i]; i++)
    if (strcmp (words[i], "--") != 0 && !read_word (steps, words[i], error))
      return NULL;
  return g_steal_pointer (&steps);
}
