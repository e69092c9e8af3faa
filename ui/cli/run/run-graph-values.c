/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of `capra run`: its text, and properties that differ between the copies of a graph. */
#include <gegl-plugin.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cli/run/run-graph-private.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define DEVICE "device"

char *
run_graph_to_text (RunGraph *graph)
{
  g_autofree char *words = graph->words ? g_strjoinv ("\n", graph->words) : NULL;

  if (graph->steps)
    return capra_steps_to_xml (graph->steps);
  return g_strdup_printf ("%s\n%s", words ? words : graph->xml, graph->folder);
}

GParamSpec *
run_graph_find_property (RunGraph *graph, const char *name, guint *step, GError **error)
{
  char *rest = NULL;
  gint64 number = g_ascii_isdigit (*name) ? g_ascii_strtoll (name, &rest, 10) : 0;
  const char *property = rest && *rest == '.' ? rest + 1 : name;
  GParamSpec *found = NULL;
  guint n = 0;

  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    {
      CapraStep *candidate = graph->steps->pdata[i];
      GParamSpec *spec = capra_operation_find_property (capra_step_get_operation (candidate), property);

      if (!spec || !capra_step_get_enabled (candidate) || (number > 0 && number != i + 1))
        continue;
      found = spec;
      *step = i;
      n++;
    }
  if (n == 1)
    return found;
  if (!graph->steps)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--for works with a list of operations; this graph has branches");
  else if (n == 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--for: no operation has the property \"%s\"", name);
  else
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--for: %u operations have the property \"%s\"; put the number of one before it, such as 1.%s", n,
                 property, property);
  return NULL;
}

void
run_graph_set_value (RunGraph *graph, guint step, GParamSpec *property, const GValue *value)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  /* A new list with a new step: the list is shared with other copies of the graph, and the nodes are updated to the
   * differences between two steps. */
  for (guint i = 0; i < graph->steps->len; i++)
    g_ptr_array_add (steps,
                     i == step ? capra_step_copy (graph->steps->pdata[i]) : g_object_ref (graph->steps->pdata[i]));
  g_ptr_array_unref (graph->steps);
  graph->steps = steps;
  capra_step_set (steps->pdata[step], property, value);
}

static gboolean
is_unset (GParamSpec *property, const GValue *value)
{
  const char *text = property && G_IS_PARAM_SPEC_STRING (property) ? g_value_get_string (value) : "set";

  return !text || !*text;
}

void
run_graph_set_device (RunGraph *graph, const char *device)
{
  g_autoptr (GSList) children = graph->root ? gegl_node_get_children (graph->root) : NULL;
  g_auto (GValue) name = G_VALUE_INIT;

  g_value_init (&name, G_TYPE_STRING);
  g_value_set_string (&name, device);
  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    {
      CapraStep *step = graph->steps->pdata[i];
      GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), DEVICE);
      g_auto (GValue) value = G_VALUE_INIT;

      if (!property || !g_str_has_prefix (capra_step_get_operation (step), "capra:"))
        continue;
      capra_step_get (step, property, &value);
      if (is_unset (property, &value))
        run_graph_set_value (graph, i, property, &name);
    }
  for (GSList *item = children; item; item = item->next)
    {
      GParamSpec *property = gegl_node_find_property (item->data, DEVICE);
      g_auto (GValue) value = G_VALUE_INIT;

      if (!property || !g_str_has_prefix (gegl_node_get_operation (item->data), "capra:"))
        continue;
      gegl_node_get_property (item->data, DEVICE, &value);
      if (is_unset (property, &value))
        gegl_node_set (item->data, DEVICE, device, NULL);
    }
}
