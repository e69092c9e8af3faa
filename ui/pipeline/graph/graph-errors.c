/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph-errors: which steps of a graph have failed, and what the others have found. */
#include <glib/gi18n-lib.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/graph/graph-private.h"
#include "ui/pipeline/graph/node-error.h"
#include "ui/pipeline/graph/node-results.h"
#include "ui/pipeline/steps/unknown-operation.h"

static CapraStepError *
step_error_new (char *message)
{
  CapraStepError *error = g_new0 (CapraStepError, 1);

  error->message = message;
  return error;
}

/* (nullable): the error of a step. */
static CapraStepError *
get_error (const CapraGraphLink *link)
{
  if (!link->node)
    return step_error_new (capra_operation_describe_unknown (capra_step_get_operation (link->step)));
  return link->error ? step_error_new (g_strdup (link->error)) : capra_node_get_error (link->node);
}

GHashTable *
capra_graph_get_errors (CapraGraph *graph)
{
  GHashTable *errors = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) capra_step_error_free);

  for (guint i = 0; i < graph->links->len; i++)
    {
      const CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);
      CapraStepError *error = get_error (link);

      if (error)
        g_hash_table_insert (errors, GUINT_TO_POINTER (capra_step_get_id (link->step)), error);
    }
  return errors;
}

GHashTable *
capra_graph_get_results (CapraGraph *graph)
{
  GHashTable *results = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);

  for (guint i = 0; i < graph->links->len; i++)
    {
      const CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);
      GHashTable *found = link->node ? capra_node_get_results (link->node) : NULL;

      if (found)
        g_hash_table_insert (results, GUINT_TO_POINTER (capra_step_get_id (link->step)), found);
    }
  return results;
}

gboolean
capra_graph_check_files (CapraGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->links->len; i++)
    {
      const CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);

      if (!link->error)
        continue;
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FAILED, link->error);
      return FALSE;
    }
  return TRUE;
}

gboolean
capra_graph_check (CapraGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->links->len; i++)
    {
      g_autoptr (CapraStepError) failure = get_error (&g_array_index (graph->links, CapraGraphLink, i));

      if (!failure)
        continue;
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FAILED, failure->message);
      return FALSE;
    }
  return TRUE;
}
