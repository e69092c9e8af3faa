/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-reading: steps while they are read from a text, and what feeds their second inputs. */
#include <gegl-paramspecs.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/text/pipeline-text-private.h"

struct _CapraPipelineBuilder {
  GPtrArray *steps;
  CapraStep *last;        /* added last */
  GHashTable *names;      /* name -> step, NULL for the input */
  GHashTable *references; /* step -> name */
};

CapraPipelineBuilder *
capra_pipeline_builder_new (void)
{
  CapraPipelineBuilder *reading = g_new0 (CapraPipelineBuilder, 1);

  reading->steps = g_ptr_array_new_with_free_func (g_object_unref);
  reading->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reading->references = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return reading;
}

void
capra_pipeline_builder_free (CapraPipelineBuilder *reading)
{
  g_ptr_array_unref (reading->steps);
  g_hash_table_unref (reading->names);
  g_hash_table_unref (reading->references);
  g_free (reading);
}

void
capra_pipeline_builder_add (CapraPipelineBuilder *reading, CapraStep *step, gboolean first)
{
  g_ptr_array_insert (reading->steps, first ? 0 : -1, step);
  reading->last = step;
}

CapraStep *
capra_pipeline_builder_get_last (CapraPipelineBuilder *reading)
{
  return reading->last;
}

void
capra_pipeline_builder_name (CapraPipelineBuilder *reading, CapraStep *step, const char *name)
{
  g_hash_table_insert (reading->names, g_strdup (name), step);
}

void
capra_pipeline_builder_refer (CapraPipelineBuilder *reading, CapraStep *step, const char *name)
{
  g_hash_table_insert (reading->references, step, g_strdup (name));
}

void
capra_pipeline_builder_take_off (CapraPipelineBuilder *reading, CapraPipelineBuilder *off)
{
  for (guint i = off->steps->len; i-- > 0;)
    {
      CapraStep *step = off->steps->pdata[i];
      const char *reference = g_hash_table_lookup (off->references, step);

      capra_step_set_enabled (step, FALSE);
      capra_pipeline_builder_add (reading, g_object_ref (step), TRUE);
      if (reference)
        capra_pipeline_builder_refer (reading, step, reference);
    }
}

gboolean
capra_fail_branch (CapraStep *step, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH,
               _ ("The graph has a branch that a list of steps cannot hold, at \"%s\": its second input can be "
                  "fed by a file, by the input, or by the result of an earlier step"),
               step ? capra_step_get_operation (step) : "clone");
  return FALSE;
}

gboolean
capra_pipeline_builder_load (CapraPipelineBuilder *reading, CapraStep *step, const char *operation, const char *path,
                             GError **error)
{
  g_autoptr (CapraAuxSource) source = NULL;

  if (!operation || !path || !g_str_has_suffix (operation, "load"))
    return capra_fail_branch (step, error);
  source = capra_aux_source_new_file (path);
  capra_step_set_aux (step, source);
  return TRUE;
}

/* A first step that does nothing is there for its name: it is the input. */
static void
drop_input (CapraPipelineBuilder *reading)
{
  CapraStep *first = reading->steps->len ? reading->steps->pdata[0] : NULL;
  GHashTableIter iter;
  gpointer step;
  gboolean named = FALSE;

  if (!first || strcmp (capra_step_get_operation (first), "gegl:nop") != 0)
    return;
  g_hash_table_iter_init (&iter, reading->names);
  while (g_hash_table_iter_next (&iter, NULL, &step))
    if (step == first)
      {
        g_hash_table_iter_replace (&iter, NULL);
        named = TRUE;
      }
  if (named)
    g_ptr_array_remove_index (reading->steps, 0);
}

/* What the name @text stands for, seen from @step. */
static CapraAuxSource *
resolve (CapraPipelineBuilder *reading, CapraStep *step, const char *text, GError **error)
{
  gpointer target;
  guint from, to;

  if (!g_hash_table_lookup_extended (reading->names, text, NULL, &target))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX,
                   _ ("Nothing in the graph has the name \"%s\""), text);
      return NULL;
    }
  if (!target)
    return capra_aux_source_new_input ();
  if (!g_ptr_array_find (reading->steps, target, &to) || !g_ptr_array_find (reading->steps, step, &from) || to >= from)
    {
      capra_fail_branch (step, error);
      return NULL;
    }
  return capra_aux_source_new_step (capra_step_get_id (target));
}

GPtrArray *
capra_pipeline_builder_finish (CapraPipelineBuilder *reading, GError **error)
{
  GHashTableIter iter;
  gpointer step, name;

  drop_input (reading);
  g_hash_table_iter_init (&iter, reading->references);
  while (g_hash_table_iter_next (&iter, &step, &name))
    {
      g_autoptr (CapraAuxSource) source = resolve (reading, step, name, error);

      if (!source)
        return NULL;
      capra_step_set_aux (step, source);
    }
  return g_ptr_array_ref (reading->steps);
}

static char *
join_path (const char *folder, const char *path)
{
  return !path || !*path || g_path_is_absolute (path) ? NULL : g_build_filename (folder, path, NULL);
}

void
capra_steps_resolve_paths (GPtrArray *steps, const char *folder)
{
  for (guint i = 0; i < steps->len; i++)
    {
      CapraStep *step = steps->pdata[i];
      CapraAuxSource *aux = capra_step_get_aux (step);
      g_autofree char *file = aux ? join_path (folder, capra_aux_source_get_path (aux)) : NULL;
      g_autoptr (CapraAuxSource) whole = file ? capra_aux_source_new_file (file) : NULL;
      guint count;
      g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (step), &count);

      if (whole)
        capra_step_set_aux (step, whole);
      for (guint j = 0; j < count; j++)
        {
          g_auto (GValue) value = G_VALUE_INIT;
          g_autofree char *path = NULL;

          if (!GEGL_IS_PARAM_SPEC_FILE_PATH (list[j]))
            continue;
          capra_step_get (step, list[j], &value);
          path = join_path (folder, g_value_get_string (&value));
          if (path)
            {
              g_value_set_string (&value, path);
              capra_step_set (step, list[j], &value);
            }
        }
    }
}
