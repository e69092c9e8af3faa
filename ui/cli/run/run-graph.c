/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of `capra run`, which processes images one after the other.
 *
 * A graph that is a list of steps runs as in the panel. Any other (with branches of operations) is read by GEGL itself,
 * whose parsers only write errors to the log: such messages are errors here. */
#include "ui/cli/run/run-graph.h"

#include <gegl-plugin.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/graph/image-loader.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/step-paths.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/regular-file.h"

#define BAND 512                /* rows */
#define TABLE_KEY "capra:table" /* of operations */

struct _RunGraph {
  GPtrArray *steps;                 /* NULL if GEGL reads the graph */
  CapraGraph *graph;                /* of the steps, or over the result of GEGL's nodes */
  GeglNode *root, *source, *output; /* if GEGL reads the graph */
  GPtrArray *files;                 /* names of those that GEGL's nodes load */
  gboolean has_source, data;
};

void
run_graph_free (RunGraph *graph)
{
  g_clear_pointer (&graph->graph, capra_graph_free);
  g_clear_pointer (&graph->steps, g_ptr_array_unref);
  g_clear_pointer (&graph->files, g_ptr_array_unref);
  g_clear_object (&graph->root);
  g_free (graph);
}

gboolean
run_graph_has_source (RunGraph *graph)
{
  return graph->has_source;
}

static void
add_file (GParamSpec *property, const GValue *value, GPtrArray *files)
{
  const char *path = GEGL_IS_PARAM_SPEC_FILE_PATH (property) ? g_value_get_string (value) : NULL;

  if (path && *path)
    g_ptr_array_add (files, g_strdup (path));
}

static void
add_step_files (CapraStep *step, GPtrArray *files)
{
  CapraAuxSource *aux = capra_step_get_aux (step);
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (step), &count);

  if (aux && capra_aux_source_get_kind (aux) == CAPRA_AUX_FILE)
    g_ptr_array_add (files, g_strdup (capra_aux_source_get_path (aux)));
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      capra_step_get (step, list[i], &value);
      add_file (list[i], &value, files);
    }
}

static void
add_node_files (GeglNode *node, GPtrArray *files)
{
  guint count;
  g_autofree GParamSpec **list = gegl_operation_list_properties (gegl_node_get_operation (node), &count);

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      gegl_node_get_property (node, list[i]->name, &value);
      add_file (list[i], &value, files);
    }
}

void
run_graph_add_files (RunGraph *graph, GPtrArray *files)
{
  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    add_step_files (graph->steps->pdata[i], files);
  for (guint i = 0; graph->files && i < graph->files->len; i++)
    g_ptr_array_add (files, g_strdup (graph->files->pdata[i]));
}

gboolean
run_graph_has_table (RunGraph *graph)
{
  g_autoptr (GSList) children = graph->root ? gegl_node_get_children (graph->root) : NULL;
  gboolean found = FALSE;

  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    found |= capra_step_get_enabled (graph->steps->pdata[i])
             && gegl_operation_get_key (capra_step_get_operation (graph->steps->pdata[i]), TABLE_KEY);
  for (GSList *item = children; item; item = item->next)
    found |= gegl_operation_get_key (gegl_node_get_operation (item->data), TABLE_KEY) != NULL;
  return found;
}

gboolean
run_graph_is_data (RunGraph *graph)
{
  return graph->data;
}

static gboolean
has_input (const char *operation)
{
  g_autoptr (GeglNode) root = gegl_node_new ();

  return gegl_node_has_pad (gegl_node_new_child (root, "operation", operation, NULL), "input");
}

/* Whether the first step needs no input, and no other step refers to it. */
static gboolean
steps_have_source (GPtrArray *steps)
{
  gboolean first = TRUE, source = FALSE;

  for (guint i = 0; i < steps->len; i++)
    {
      CapraAuxSource *aux = capra_step_get_aux (steps->pdata[i]);

      if (!capra_step_get_enabled (steps->pdata[i]))
        continue;
      if (first)
        source = !has_input (capra_step_get_operation (steps->pdata[i]));
      first = FALSE;
      if (aux && capra_aux_source_get_kind (aux) == CAPRA_AUX_INPUT)
        return FALSE;
    }
  return source;
}

static RunGraph *
new_from_steps (GPtrArray *steps, gboolean data)
{
  RunGraph *graph = g_new0 (RunGraph, 1);

  graph->data = data;
  graph->steps = g_ptr_array_ref (steps);
  graph->has_source = steps_have_source (steps);
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

/* From what GEGL read: @root has the nodes, @warning is what it logged. */
static RunGraph *
new_from_node (GeglNode *root, gboolean data, const char *warning, GError **error)
{
  RunGraph *graph = g_new0 (RunGraph, 1);
  GeglNode *first;

  graph->root = root;
  graph->data = data;
  if (warning || !root)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_SYNTAX, "cannot read the graph: %s",
                   warning ? warning : "GEGL cannot read it");
      run_graph_free (graph);
      return NULL;
    }
  graph->files = g_ptr_array_new_with_free_func (g_free);
  if (!load_files (root, data, graph->files, error))
    {
      run_graph_free (graph);
      return NULL;
    }
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

static RunGraph *
new_from_xml (const char *xml, const char *folder, gboolean data, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_xml (xml, &local);
  g_autofree char *warning = NULL;
  GeglNode *root = NULL;

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
  capra_log_catcher_begin (TRUE);
  root = gegl_node_new_from_xml (xml, folder);
  warning = capra_log_catcher_end ();
  return new_from_node (root, data, warning, error);
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

      if (!strchr (name, ':') || strchr (name, '=') || gegl_has_operation (name))
        continue;
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_OPERATION, "unknown operation \"%s\"", name);
      return FALSE;
    }
  return TRUE;
}

static RunGraph *
new_from_chain (char **words, const char *folder, gboolean data, GError **error)
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
  if (local)
    {
      g_propagate_error (error, local);
      g_object_unref (root);
      return NULL;
    }
  return new_from_node (root, data, warning, error);
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
    return check_words (words, error) ? new_from_chain (words, folder, data, error) : NULL;
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* Operations of Capra that failed describe it in their property "error". */
static gboolean
check_nodes (GeglNode *root, GError **error)
{
  g_autoptr (GSList) children = gegl_node_get_children (root);

  for (GSList *item = children; item; item = item->next)
    {
      GParamSpec *property = gegl_node_find_property (item->data, "error");
      g_autofree char *text = NULL;

      if (property && G_IS_PARAM_SPEC_STRING (property))
        gegl_node_get (item->data, "error", &text, NULL);
      if (text && *text)
        {
          g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_OPERATION, text);
          return FALSE;
        }
    }
  return TRUE;
}

/* The error of an operation, or else that the result is empty. */
static gboolean
fail_empty (CapraGraph *graph, GError **error)
{
  if (capra_graph_check (graph, error))
    g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_OPERATION, "the result is empty");
  return FALSE;
}

/* Computes the whole result in bands without storing it, for its tables and timings. */
static gboolean
compute (CapraGraph *graph, CapraSaveProgress *progress, GError **error)
{
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  const Babl *format = capra_graph_get_format (graph);
  g_autofree guint8 *pixels = g_malloc ((gsize) bounds.width * BAND * (gsize) babl_format_get_bytes_per_pixel (format));

  for (int y = 0; y < bounds.height; y += BAND)
    {
      GeglRectangle band = { bounds.x, bounds.y + y, bounds.width, MIN (BAND, bounds.height - y) };

      g_atomic_int_set (&progress->per_mille, (int) (1000.0 * y / bounds.height));
      capra_graph_render (graph, &band, format, pixels, GEGL_AUTO_ROWSTRIDE);
    }
  return capra_graph_check (graph, error);
}

/* Prepares all of GEGL's nodes for raw values. @data: those of the input image; if there is none, set to those of the
 * first file that a node loads. */
static void
adapt_nodes (RunGraph *graph, CapraRawValues *data)
{
  g_autoptr (GSList) children = gegl_node_get_children (graph->root);

  for (GSList *item = children; item && data->type == CAPRA_SAMPLE_NONE; item = item->next)
    capra_raw_values_find (item->data, data);
  for (GSList *item = children; item; item = item->next)
    capra_raw_values_adapt (item->data, data);
}

/* The result of the graph that GEGL read, in the format of its last operation. */
static GeglBuffer *
compute_nodes (RunGraph *graph, GeglBuffer *image, GError **error)
{
  CapraRawValues data = { CAPRA_SAMPLE_NONE, FALSE };
  GeglRectangle bounds;
  GeglNode *last = gegl_node_get_producer (graph->output, "input", NULL);
  g_autoptr (GeglBuffer) result = NULL;
  const Babl *format;

  if (graph->source)
    gegl_node_set (graph->source, "buffer", image, NULL);
  if (image && capra_raw_values_get (image))
    data = *capra_raw_values_get (image);
  if (graph->data)
    adapt_nodes (graph, &data);
  bounds = gegl_node_get_bounding_box (graph->output);
  if (gegl_rectangle_is_infinite_plane (&bounds) || bounds.width <= 0 || bounds.height <= 0)
    {
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_OPERATION,
                           "the result is empty or unbounded; insert gegl:crop");
      return NULL;
    }
  format = gegl_operation_get_format (gegl_node_get_gegl_operation (last), "output");
  result = gegl_buffer_new (&bounds, format ? format : babl_format ("RGBA float"));
  gegl_node_blit_buffer (graph->output, result, &bounds, 0, GEGL_ABYSS_NONE);
  if (graph->data)
    capra_raw_values_mark (result, &data);
  return check_nodes (graph->root, error) ? g_steal_pointer (&result) : NULL;
}

gboolean
run_graph_process (RunGraph *graph, GeglBuffer *image, GFile *output, int bits, CapraSaveProgress *progress,
                   GError **error)
{
  static const CapraRawValues unknown = { CAPRA_SAMPLE_NONE, FALSE };
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GeglBuffer) result = NULL;

  if (graph->root)
    result = compute_nodes (graph, image, error);
  else
    result = image ? g_object_ref (image) : gegl_buffer_new (GEGL_RECTANGLE (0, 0, 1, 1), babl_format ("RGBA float"));
  if (!result)
    return FALSE;
  if (graph->data && !capra_raw_values_get (result))
    capra_raw_values_mark (result, &unknown);
  if (graph->graph)
    capra_graph_set_source (graph->graph, result);
  else
    graph->graph = capra_graph_new (result, 1.0, FALSE);
  capra_graph_update (graph->graph, graph->steps ? graph->steps : none);
  if (!capra_graph_check_files (graph->graph, error))
    return FALSE;
  if (capra_graph_is_empty (graph->graph))
    return fail_empty (graph->graph, error);
  if (!output)
    return compute (graph->graph, progress, error);
  return capra_save_graph (output, graph->graph, graph->steps ? graph->steps : none, bits, progress, NULL, error);
}
