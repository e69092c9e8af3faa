/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node results: the numbers that a Capra operation publishes in its properties. */
#include "ui/pipeline/graph/node-results.h"

#include "ui/pipeline/graph/node-error.h"

static double
read_number (GeglNode *node, GParamSpec *property)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (property));
  gegl_node_get_property (node, property->name, &value);
  return G_VALUE_HOLDS_INT (&value) ? g_value_get_int (&value) : g_value_get_double (&value);
}

GHashTable *
capra_node_get_results (GeglNode *node)
{
  guint count = 0;
  g_autofree GParamSpec **list = gegl_operation_list_properties (gegl_node_get_operation (node), &count);
  CapraStepError *error = capra_node_get_error (node);
  GHashTable *results = NULL;

  for (guint i = 0; i < count && !error; i++)
    if (gegl_param_spec_get_property_key (list[i], CAPRA_KEY_RESULT))
      {
        double number = read_number (node, list[i]);

        if (!results)
          results = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
        g_hash_table_insert (results, (gpointer) g_intern_string (list[i]->name), g_memdup2 (&number, sizeof number));
      }
  g_clear_pointer (&error, capra_step_error_free);
  return results;
}
