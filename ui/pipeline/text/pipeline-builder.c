/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-builder: the steps of a text while it is parsed, and the references between them. */
#include "ui/pipeline/text/pipeline-builder.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/steps/unknown-operation.h"
#include "ui/pipeline/text/step-references.h"
#include "ui/pipeline/text/value-text.h"

struct _CapraPipelineBuilder {
  GPtrArray *steps;
  CapraStep *last;        /* the last one added */
  GHashTable *names;      /* name -> step, NULL for the input */
  GHashTable *references; /* step -> name */
};

CapraPipelineBuilder *
capra_pipeline_builder_new (void)
{
  CapraPipelineBuilder *builder = g_new0 (CapraPipelineBuilder, 1);

  builder->steps = g_ptr_array_new_with_free_func (g_object_unref);
  builder->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  builder->references = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return builder;
}

void
capra_pipeline_builder_free (CapraPipelineBuilder *builder)
{
  g_ptr_array_unref (builder->steps);
  g_hash_table_unref (builder->names);
  g_hash_table_unref (builder->references);
  g_free (builder);
}

void
capra_pipeline_builder_add (CapraPipelineBuilder *builder, CapraStep *step, gboolean first)
{
  g_ptr_array_insert (builder->steps, first ? 0 : -1, step);
  builder->last = step;
}

CapraStep *
capra_pipeline_builder_get_last (CapraPipelineBuilder *builder)
{
  return builder->last;
}

void
capra_pipeline_builder_name (CapraPipelineBuilder *builder, CapraStep *step, const char *name)
{
  g_hash_table_insert (builder->names, g_strdup (name), step);
}

void
capra_pipeline_builder_refer (CapraPipelineBuilder *builder, CapraStep *step, const char *name)
{
  g_hash_table_insert (builder->references, step, g_strdup (name));
}

void
capra_pipeline_builder_add_disabled (CapraPipelineBuilder *builder, CapraPipelineBuilder *disabled)
{
  for (guint i = disabled->steps->len; i-- > 0;)
    {
      CapraStep *step = disabled->steps->pdata[i];
      const char *reference = g_hash_table_lookup (disabled->references, step);

      capra_step_set_enabled (step, FALSE);
      capra_pipeline_builder_add (builder, g_object_ref (step), TRUE);
      if (reference)
        capra_pipeline_builder_refer (builder, step, reference);
    }
}

gboolean
capra_fail_branch (CapraStep *step, GError **error)
{
  g_set_error (
    error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH,
    _ ("Unsupported branch at \"%s\": its second input must be a file, the pipeline's input, or the result of an "
       "earlier step"),
    step ? capra_step_get_operation (step) : "clone");
  return FALSE;
}

gboolean
capra_pipeline_builder_load (CapraPipelineBuilder *builder, CapraStep *step, const char *operation, const char *path,
                             GError **error)
{
  g_autoptr (CapraAuxSource) source = NULL;

  if (!operation || !path || !g_str_has_suffix (operation, "load"))
    return capra_fail_branch (step, error);
  source = capra_aux_source_new_file (path);
  capra_step_set_aux (step, source);
  return TRUE;
}

/* Removes a first step that does nothing but has a name: its name refers to the input. */
static void
drop_input (CapraPipelineBuilder *builder)
{
  CapraStep *first = builder->steps->len ? builder->steps->pdata[0] : NULL;
  GHashTableIter iter;
  gpointer step;
  gboolean named = FALSE;

  if (!first || strcmp (capra_step_get_operation (first), CAPRA_INPUT_OPERATION) != 0)
    return;
  g_hash_table_iter_init (&iter, builder->names);
  while (g_hash_table_iter_next (&iter, NULL, &step))
    if (step == first)
      {
        g_hash_table_iter_replace (&iter, NULL);
        named = TRUE;
      }
  if (named)
    g_ptr_array_remove_index (builder->steps, 0);
}

/* The source that @text, a reference in @step, names. */
static CapraAuxSource *
resolve (CapraPipelineBuilder *builder, CapraStep *step, const char *text, GError **error)
{
  gpointer target;
  guint from, to;

  if (!g_hash_table_lookup_extended (builder->names, text, NULL, &target))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, _ ("Unknown reference \"%s\""), text);
      return NULL;
    }
  if (!target)
    return capra_aux_source_new_input ();
  if (!g_ptr_array_find (builder->steps, target, &to) || !g_ptr_array_find (builder->steps, step, &from) || to >= from)
    {
      capra_fail_branch (step, error);
      return NULL;
    }
  return capra_aux_source_new_step (capra_step_get_id (target));
}

GPtrArray *
capra_pipeline_builder_finish (CapraPipelineBuilder *builder, GError **error)
{
  GHashTableIter iter;
  gpointer step, name;

  drop_input (builder);
  g_hash_table_iter_init (&iter, builder->references);
  while (g_hash_table_iter_next (&iter, &step, &name))
    {
      g_autoptr (CapraAuxSource) source = resolve (builder, step, name, error);

      if (!source)
        return NULL;
      capra_step_set_aux (step, source);
    }
  return g_ptr_array_ref (builder->steps);
}

CapraStep *
capra_step_new_checked (const char *operation, GError **error)
{
  if (!capra_operation_is_known (operation))
    {
      g_autofree char *message = capra_operation_describe_unknown (operation);

      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_UNKNOWN, message);
      return NULL;
    }
  return capra_step_new (operation);
}

gboolean
capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error)
{
  const char *operation = capra_step_get_operation (step);
  GParamSpec *property = capra_operation_find_property (operation, name);
  g_auto (GValue) value = G_VALUE_INIT;

  if (!property)
    {
      g_autofree char *names = capra_operation_list_properties (operation);

      /* Files may contain read-only properties, such as an operation's results: ignored. */
      if (gegl_operation_find_property (operation, name))
        return TRUE;
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_OPERATION,
                   *names ? _ ("Operation \"%s\" has no property \"%s\"; it has %s")
                          : _ ("Operation \"%s\" has no property \"%s\""),
                   operation, name, names);
      return FALSE;
    }
  if (!capra_value_from_text (property, text, &value, error))
    {
      g_prefix_error (error, "%s: %s: ", operation, name);
      return FALSE;
    }
  capra_step_set (step, property, &value);
  return TRUE;
}
