/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the graph of `capra run`.
 *
 * A graph that is a list of steps runs as in the panel. Any other (with branches of operations) is read by GEGL itself,
 * whose parsers only write errors to the log: such messages are errors here. */
#include <gegl-plugin.h>
#include <string.h>

#include "ui/cli/run/run-graph-private.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/graph/image-loader.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/steps/step-source.h"
#include "ui/pipeline/steps/step.h"
#include "ui/pipeline/steps/unknown-operation.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/step-paths.h"

static void
add_node_files (GeglNode *node, GPtrArray *files)
{
  guint count;
  g_autofree GParamSpec **list = gegl_operation_list_properties (gegl_node_get_operation (node), &count);

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      gegl_node_get_property (node, list[i]->name, &value);
      run_graph_add_file (list[i], &value, files);
    }
}

static RunGraph *
new_from_steps (GPtrArray *steps, gboolean data)
{
  RunGraph *graph = g_new0 (RunGraph, 1);

  graph->data = data;
  graph->steps = g_ptr_array_ref (steps);
  graph->has_source = capra_steps_have_source (steps);
  return graph;
}

/* Replaces the loaders among the nodes, and appends the names of their files to @files. */
static gboolean
load_files (GeglNode *root, gboolean data, GPtrArray *files, GError **error)
{
  g_autoptr (GSList) children = gegl_node_get_children (root);

  for (GSList *item = children; item; item = item->next)
    {
      add_node_files (item->data, files);
      if (capra_image_loader_is (item->data) && !capra_image_loader_replace (item->data, data, error))
        return FALSE;
    }
  return TRUE;
}

/* The nodes that GEGL read, without the one that was added for the input. */
static GSList *
get_nodes (RunGraph *graph)
{
  return g_slist_remove (gegl_node_get_children (graph->root), graph->source);
}

/* Replaces the loaders in a @copy of @graph by the images that @graph has loaded. */
static void
share_files (RunGraph *graph, GeglNode *copy)
{
  g_autoptr (GSList) originals = get_nodes (graph), nodes = gegl_node_get_children (copy);

  for (GSList *from = originals, *to = nodes; from && to; from = from->next, to = to->next)
    {
      g_autoptr (GeglBuffer) buffer = NULL;

      if (!capra_image_loader_is (to->data) || capra_image_loader_is (from->data))
        continue;
      gegl_node_get (from->data, "buffer", &buffer, NULL);
      gegl_node_set (to->data, "operation", "gegl:buffer-source", "buffer", buffer, NULL);
    }
}

/* Connects the nodes in @root, which GEGL read. */
static RunGraph *
new_from_nodes (GeglNode *root, gboolean data)
{
  RunGraph *graph = g_new0 (RunGraph, 1);
  GeglNode *first;

  graph->root = root;
  graph->data = data;
  graph->output = first = gegl_node_get_output_proxy (root, "output");
  while (gegl_node_get_producer (first, "input", NULL))
    first = gegl_node_get_producer (first, "input", NULL);
  graph->has_source = !gegl_node_has_pad (first, "input");
  if (!graph->has_source)
    {
      graph->source = gegl_node_new_child (root, "operation", "gegl:buffer-source", NULL);
      gegl_node_link (graph->source, first);
    }
  return graph;
}

/* @root: (nullable): what GEGL read; @warning: (nullable): what it logged */
static gboolean
check_parsed (GeglNode *root, const char *warning, GError **error)
{
  if (root && !warning)
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, "cannot read the graph: %s",
               warning ? warning : "GEGL cannot read it");
  g_clear_object (&root);
  return FALSE;
}

static GeglNode *
parse_xml (const char *xml, const char *folder, GError **error)
{
  g_autofree char *warning = NULL;
  GeglNode *root;

  capra_log_catcher_begin (TRUE);
  root = gegl_node_new_from_xml (xml, folder);
  warning = capra_log_catcher_end ();
  return check_parsed (root, warning, error) ? root : NULL;
}

static GeglNode *
parse_words (char **words, const char *folder, GError **error)
{
  GeglNode *root = gegl_node_new ();
  GeglNode *start = gegl_node_new_child (root, "operation", "gegl:nop", NULL);
  GeglNode *end = gegl_node_get_output_proxy (root, "output");
  g_autofree char *warning = NULL;
  GError *local = NULL;

  gegl_node_link (start, end);
  capra_log_catcher_begin (TRUE);
  gegl_create_chain_argv (words, start, end, 0.0, 1, folder, &local);
  warning = capra_log_catcher_end ();
  if (!local)
    return check_parsed (root, warning, error) ? root : NULL;
  g_propagate_error (error, local);
  g_object_unref (root);
  return NULL;
}

/* Lets GEGL read @words (nullable) or @xml, and loads their files, or shares those of @original (nullable). */
static RunGraph *
new_by_gegl (char **words, const char *xml, const char *folder, gboolean data, RunGraph *original, GError **error)
{
  GeglNode *root = words ? parse_words (words, folder, error) : parse_xml (xml, folder, error);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  RunGraph *graph;

  if (!root)
    return NULL;
  if (original)
    share_files (original, root);
  else if (!load_files (root, data, files, error))
    {
      g_object_unref (root);
      return NULL;
    }
  graph = new_from_nodes (root, data);
  graph->words = g_strdupv (words);
  graph->xml = g_strdup (xml);
  graph->folder = g_strdup (folder);
  graph->files = g_steal_pointer (&files);
  return graph;
}

static RunGraph *
new_from_xml (const char *xml, const char *folder, gboolean data, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_xml (xml, &local);

  if (steps)
    {
      capra_steps_resolve_paths (steps, folder);
      return new_from_steps (steps, data);
    }
  if (!g_error_matches (local, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  return new_by_gegl (NULL, xml, folder, data, NULL, error);
}

/* The graph in the PNG file at @path. */
static char *
read_png (const char *path, GError **error)
{
  char *text = NULL;

  if (capra_png_check (path, &text, error) && !text)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                 "%s contains no graph; images that the panel or capra run saved do", path);
  return text;
}

RunGraph *
run_graph_new_from_file (const char *path, gboolean data, GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);

  if (capra_png_is (path))
    text = read_png (path, error);
  else
    text = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, error);
  return text ? new_from_xml (text, whole, data || capra_text_has_raw_values (text), error) : NULL;
}

/* GEGL only warns of an unknown operation, and continues. */
static gboolean
check_words (char **words, GError **error)
{
  for (guint i = 0; words[i]; i++)
    {
      const char *bracket = strstr (words[i], "=[");
      const char *name = bracket ? bracket + 2 : words[i];
      g_autofree char *message = NULL;

      if (!strchr (name, ':') || strchr (name, '=') || capra_operation_is_known (name))
        continue;
      message = capra_operation_describe_unknown (name);
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_UNKNOWN, message);
      return FALSE;
    }
  return TRUE;
}

/* Returns: the graph, or with an error how to find an operation that is unknown */
static RunGraph *
explain (RunGraph *graph, GError **error)
{
  g_autofree char *message = NULL;

  if (graph || !error || !g_error_matches (*error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_UNKNOWN))
    return graph;
  message = g_strdup_printf ("%s (\"gegl --list-all\" lists all operations)", (*error)->message);
  g_free ((*error)->message);
  (*error)->message = g_steal_pointer (&message);
  return NULL;
}

RunGraph *
run_graph_new_from_words (char **words, gboolean data, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *folder = g_get_current_dir ();
  g_autoptr (GPtrArray) steps = NULL;

  for (guint i = 0; words[i]; i++)
    {
      g_autofree char *quoted = g_shell_quote (words[i]);

      g_string_append_printf (text, "%s ", quoted);
    }
  steps = capra_steps_from_command (text->str, &local);
  if (steps)
    {
      capra_steps_resolve_paths (steps, folder);
      return new_from_steps (steps, data);
    }
  if (g_error_matches (local, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_BRANCH))
    return explain (check_words (words, error) ? new_by_gegl (words, NULL, folder, data, NULL, error) : NULL, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return explain (NULL, error);
}

RunGraph *
run_graph_copy (RunGraph *graph, GError **error)
{
  if (graph->steps)
    return new_from_steps (graph->steps, graph->data);
  return new_by_gegl (graph->words, graph->xml, graph->folder, graph->data, graph, error);
}
