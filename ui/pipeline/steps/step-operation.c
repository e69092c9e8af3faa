/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-operation: what the user interface needs to know of the operation of a step. */
#include <string.h>

#include "ui/pipeline/steps/step.h"

/* Excludes error messages, which the row of the step shows, results, and properties that are only for programs. */
static gboolean
is_settable (GParamSpec *property)
{
  return (property->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE && !(property->flags & G_PARAM_CONSTRUCT_ONLY)
         && !gegl_param_spec_get_property_key (property, "error")
         && g_strcmp0 (gegl_param_spec_get_property_key (property, "visible"), "0") != 0;
}

GParamSpec **
capra_operation_get_properties (const char *operation, guint *count)
{
  GParamSpec **list = gegl_operation_list_properties (operation, count);
  guint kept = 0;

  for (guint i = 0; i < *count; i++)
    if (is_settable (list[i]))
      list[kept++] = list[i];
  *count = kept;
  return list;
}

GParamSpec *
capra_operation_find_labels_property (const char *operation, int *value)
{
  guint count = 0;
  g_autofree GParamSpec **list = gegl_operation_list_properties (operation, &count);

  for (guint i = 0; i < count; i++)
    {
      const char *nick = gegl_param_spec_get_property_key (list[i], "labels");
      gboolean named = nick && G_IS_PARAM_SPEC_ENUM (list[i]);
      GEnumValue *found = named ? g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (list[i])->enum_class, nick) : NULL;

      if (found)
        {
          *value = found->value;
          return list[i];
        }
    }
  return NULL;
}

GParamSpec *
capra_operation_find_property (const char *operation, const char *name)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);
  g_autofree char *canonical = g_strdelimit (g_strdup (name), "_", '-');

  for (guint i = 0; i < count; i++)
    if (strcmp (list[i]->name, canonical) == 0)
      return list[i];
  return NULL;
}

/* Whether the operation consists of others: GEGL warns if one of them is missing. */
static gboolean
is_composed (const char *operation)
{
  GType meta = g_type_from_name ("GeglOperationMeta");
  guint count;
  g_autofree GParamSpec **list = gegl_operation_list_properties (operation, &count);

  return meta && count > 0 && g_type_is_a (list[0]->owner_type, meta);
}

gboolean
capra_operation_is_known (const char *operation)
{
  /* GEGL crashes in these if the second input is not connected. */
  static const char *const crashing[] = { "gegl:seamless-clone", "gegl:seamless-clone-compose", NULL };

  return gegl_has_operation (operation) && !g_strv_contains (crashing, operation);
}

gboolean
capra_operation_has_table (const char *operation)
{
  return gegl_has_operation (operation) && gegl_operation_get_key (operation, "capra:table") != NULL;
}

gboolean
capra_operation_reads_numbers (const char *operation)
{
  return gegl_has_operation (operation) && gegl_operation_get_key (operation, "capra:reads-numbers") != NULL;
}

gboolean
capra_operation_has_aux (const char *operation)
{
  g_autoptr (GeglNode) root = NULL;

  if (!gegl_has_operation (operation) || is_composed (operation))
    return FALSE;
  root = gegl_node_new ();
  return gegl_node_has_pad (gegl_node_new_child (root, "operation", operation, NULL), "aux");
}

char *
capra_operation_get_title (const char *operation)
{
  const char *title = gegl_has_operation (operation) ? gegl_operation_get_key (operation, "title") : NULL;

  return g_strdup (title ? title : operation);
}
