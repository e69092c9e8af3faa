/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph: the GEGL nodes of a pipeline over a source buffer. */
#include "ui/pipeline/graph/graph-private.h"

#include <glib/gi18n-lib.h>
#include <gegl-plugin.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/graph/image-loader.h"

#define BLOCK_KEY "capra:block-pixels" /* of nodes; Capra's operations read it */

CapraGraph *
capra_graph_new (GeglBuffer *source, double scale, gboolean cache)
{
  CapraGraph *graph = g_new0 (CapraGraph, 1);

  graph->buffer = g_object_ref (source);
  graph->scale = scale;
  graph->cache = cache;
  graph->links = g_array_new (FALSE, TRUE, sizeof (CapraGraphLink));
  graph->root = gegl_node_new ();
  if (!cache)
    g_object_set (graph->root, "cache-policy", GEGL_CACHE_POLICY_NEVER, NULL);
  graph->source = gegl_node_new_child (graph->root, "operation", "gegl:buffer-source", "buffer", source, NULL);
  graph->output = graph->source;
  return graph;
}

static void
clear_labels (CapraGraph *graph)
{
  for (guint i = 0; i < graph->links->len; i++)
    {
      CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);

      if (link->labels)
        gegl_node_remove_child (graph->root, link->labels);
      link->labels = NULL;
    }
}

static void
clear_links (CapraGraph *graph)
{
  clear_labels (graph);
  if (graph->written)
    gegl_node_remove_child (graph->root, graph->written);
  graph->written = NULL;
  for (guint i = 0; i < graph->links->len; i++)
    {
      CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);

      if (link->node)
        gegl_node_remove_child (graph->root, link->node);
      for (guint j = 0; link->extra && j < link->extra->len; j++)
        gegl_node_remove_child (graph->root, link->extra->pdata[j]);
      g_clear_pointer (&link->extra, g_ptr_array_unref);
      g_free (link->error);
      g_object_unref (link->step);
    }
  g_array_set_size (graph->links, 0);
  graph->loaded = (CapraRawValues){ CAPRA_SAMPLE_NONE, FALSE };
  graph->output = graph->source;
}

void
capra_graph_free (CapraGraph *graph)
{
  clear_links (graph);
  g_array_unref (graph->links);
  g_object_unref (graph->root);
  g_object_unref (graph->buffer);
  g_free (graph->target);
  g_free (graph);
}

const CapraRawValues *
capra_graph_get_raw_values (CapraGraph *graph)
{
  const CapraRawValues *data = capra_raw_values_get (graph->buffer);

  return data && graph->loaded.type != CAPRA_SAMPLE_NONE ? &graph->loaded : data;
}

static gboolean
data_equal (const CapraRawValues *a, const CapraRawValues *b)
{
  return a && b ? a->type == b->type && a->associated == b->associated : a == b;
}

GeglBuffer *
capra_graph_get_source (CapraGraph *graph)
{
  return graph->buffer;
}

void
capra_graph_set_source (CapraGraph *graph, GeglBuffer *source)
{
  if (graph->target || !data_equal (capra_raw_values_get (graph->buffer), capra_raw_values_get (source)))
    clear_links (graph); /* steps are adapted to the raw values */
  g_set_object (&graph->buffer, source);
  gegl_node_set (graph->source, "buffer", source, NULL);
}

void
capra_graph_set_target (CapraGraph *graph, const CapraLayerTarget *target)
{
  clear_links (graph);
  g_free (graph->target);
  graph->target = g_memdup2 (target, sizeof *target);
}

void
capra_graph_scale_value (GParamSpec *property, double scale, GValue *value)
{
  const char *unit = gegl_param_spec_get_property_key (property, "unit");

  if (scale == 1.0 || !unit || (strcmp (unit, "pixel-distance") != 0 && strcmp (unit, "pixel-coordinate") != 0))
    return;
  if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, g_value_get_double (value) * scale);
  else if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, (int) lround (g_value_get_int (value) * scale));
  g_param_value_validate (property, value);
}

/* Sets the properties that differ from the last applied step; at first, those that are not the default. */
static void
set_values (CapraGraph *graph, CapraGraphLink *link, CapraStep *step)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (step), &count);

  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (!link->step && capra_step_is_default (step, list[i]) && graph->scale == 1.0)
        continue;
      capra_step_get (step, list[i], &value);
      if (link->step)
        {
          g_auto (GValue) old = G_VALUE_INIT;

          capra_step_get (link->step, list[i], &old);
          if (g_param_values_cmp (list[i], &old, &value) == 0)
            continue;
        }
      else if (G_VALUE_HOLDS_OBJECT (&value) && !g_value_get_object (&value))
        continue;
      capra_graph_scale_value (list[i], graph->scale, &value);
      gegl_node_set_property (link->node, list[i]->name, &value);
    }
}

static void
set_step (CapraGraph *graph, CapraGraphLink *link, CapraStep *step)
{
  const CapraRawValues *data = capra_graph_get_raw_values (graph);

  if (link->node && !link->loaded)
    {
      set_values (graph, link, step);
      if (data)
        capra_raw_values_adapt (link->node, data);
    }
  g_set_object (&link->step, step);
}

static gboolean
has_same_structure (CapraGraph *graph, GPtrArray *steps)
{
  guint at = 0;

  for (guint i = 0; i < steps->len; i++)
    {
      CapraStep *step = steps->pdata[i];
      const CapraGraphLink *link;
      CapraStep *old;

      if (!capra_step_get_enabled (step))
        continue;
      if (at >= graph->links->len)
        return FALSE;
      link = &g_array_index (graph->links, CapraGraphLink, at++);
      old = link->step;
      if (capra_step_get_id (old) != capra_step_get_id (step)
          || strcmp (capra_step_get_operation (old), capra_step_get_operation (step)) != 0
          || !capra_aux_source_equal (capra_step_get_aux (old), capra_step_get_aux (step))
          || (link->node && capra_image_loader_is (link->node) && !capra_step_has_values_of (old, step))
          || (link->loaded && !capra_step_has_values_of (old, step)))
        return FALSE;
    }
  return at == graph->links->len;
}

static GeglNode *
add_node (CapraGraph *graph, const char *operation)
{
  GeglNode *node = gegl_node_new_child (graph->root, "operation", operation, NULL);

  if (!graph->cache)
    g_object_set (node, "cache-policy", GEGL_CACHE_POLICY_NEVER, NULL);
  return node;
}

/* Adds nodes that output the image of the file at the scale of the graph. */
static GeglNode *
add_file (CapraGraph *graph, CapraGraphLink *link, CapraAuxSource *source)
{
  g_autoptr (GError) error = NULL;
  GeglBuffer *buffer = NULL;
  GeglNode *node = NULL;

  if (!*capra_aux_source_get_path (source))
    {
      link->error = g_strdup (_ ("Second image: no file selected"));
      return NULL;
    }
  buffer = capra_aux_source_load (source, capra_graph_get_raw_values (graph) != NULL, &error);
  if (!buffer)
    {
      link->error = g_strdup_printf (_ ("Second image: %s"), error->message);
      return NULL;
    }
  link->extra = g_ptr_array_new ();
  node = add_node (graph, "gegl:buffer-source");
  gegl_node_set (node, "buffer", buffer, NULL);
  g_ptr_array_add (link->extra, node);
  if (graph->scale != 1.0)
    {
      GeglNode *scaled = add_node (graph, "gegl:scale-ratio");

      gegl_node_set (scaled, "x", graph->scale, "y", graph->scale, NULL);
      gegl_node_link (node, scaled);
      g_ptr_array_add (link->extra, scaled);
      node = scaled;
    }
  return node;
}

/* @results: of the previous steps: id -> node whose output is the result */
static void
connect_aux (CapraGraph *graph, CapraGraphLink *link, CapraAuxSource *source, GHashTable *results)
{
  GeglNode *from = NULL;

  if (!gegl_node_has_pad (link->node, "aux"))
    return;
  if (capra_aux_source_get_kind (source) == CAPRA_AUX_INPUT)
    from = graph->source;
  else if (capra_aux_source_get_kind (source) == CAPRA_AUX_FILE)
    from = add_file (graph, link, source);
  else
    {
      from = g_hash_table_lookup (results, GUINT_TO_POINTER (capra_aux_source_get_step (source)));
      if (!from)
        link->error = g_strdup (_ ("Second image: its step was removed, or comes later in the list"));
    }
  if (from)
    gegl_node_connect (from, "output", link->node, "aux");
}

/* Reads the file that a step loads; if it cannot be read, the step gets an error. */
static void
load_step (CapraGraph *graph, CapraGraphLink *link, CapraStep *step)
{
  const CapraRawValues *data = capra_graph_get_raw_values (graph);
  g_autoptr (GError) error = NULL;

  if (!capra_image_loader_set_step (link->node, step, data != NULL, &link->loaded, &error))
    link->loaded = TRUE; /* without setting the path: GEGL could block on a pipe */
  else if (!link->loaded)
    {
      set_values (graph, link, step);
      capra_image_loader_check (link->node, &error);
    }
  if (error)
    link->error = g_strdup (error->message);
  else if (data && data->type == CAPRA_SAMPLE_NONE)
    capra_raw_values_find (link->node, &graph->loaded);
}

static void
rebuild (CapraGraph *graph, GPtrArray *steps)
{
  g_autoptr (GHashTable) results = g_hash_table_new (NULL, NULL);
  GeglNode *last = graph->source;

  clear_links (graph);
  for (guint i = 0; i < steps->len; i++)
    {
      CapraStep *step = steps->pdata[i];
      CapraGraphLink link = { NULL };

      if (capra_step_get_enabled (step))
        {
          if (capra_operation_is_known (capra_step_get_operation (step)))
            {
              link.node = add_node (graph, capra_step_get_operation (step));
              if (gegl_node_has_pad (link.node, "input"))
                gegl_node_link (last, link.node);
              if (capra_image_loader_is (link.node))
                load_step (graph, &link, step);
              if (capra_step_get_aux (step))
                connect_aux (graph, &link, capra_step_get_aux (step), results);
              last = link.node;
            }
          set_step (graph, &link, step);
          g_array_append_val (graph->links, link);
        }
      g_hash_table_insert (results, GUINT_TO_POINTER (capra_step_get_id (step)), last);
    }
  if (graph->target && last != graph->source)
    last = graph->written = capra_layer_target_add_node (graph->root, last, graph->buffer, graph->target);
  graph->output = last;
}

void
capra_graph_update (CapraGraph *graph, GPtrArray *steps)
{
  guint at = 0;

  clear_labels (graph);
  if (!has_same_structure (graph, steps))
    {
      rebuild (graph, steps);
      return;
    }
  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      set_step (graph, &g_array_index (graph->links, CapraGraphLink, at++), steps->pdata[i]);
}

void
capra_graph_set_block (CapraGraph *graph, guint pixels)
{
  for (guint i = 0; i < graph->links->len; i++)
    {
      const CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i);

      if (link->node)
        g_object_set_data (G_OBJECT (link->node), BLOCK_KEY, GUINT_TO_POINTER (pixels));
    }
}

gboolean
capra_graph_is_empty (CapraGraph *graph)
{
  GeglRectangle bounds = gegl_node_get_bounding_box (graph->output);

  return bounds.width <= 0 || bounds.height <= 0;
}

GeglRectangle
capra_graph_get_bounds (CapraGraph *graph)
{
  GeglRectangle bounds = gegl_node_get_bounding_box (graph->output);

  if (gegl_rectangle_is_infinite_plane (&bounds) || bounds.width <= 0 || bounds.height <= 0 || bounds.width > (1 << 26)
      || bounds.height > (1 << 26))
    return *gegl_buffer_get_extent (graph->buffer);
  return bounds;
}

const Babl *
capra_graph_get_format (CapraGraph *graph)
{
  GeglOperation *operation = gegl_node_get_gegl_operation (graph->output);
  const Babl *format = NULL;

  if (graph->output == graph->source)
    return gegl_buffer_get_format (graph->buffer);
  if (operation)
    format = gegl_operation_get_format (operation, "output");
  return format ? format : babl_format ("RGBA float");
}

const Babl *
capra_node_get_format (GeglNode *node)
{
  gegl_node_get_bounding_box (node); /* prepares the node */
  return gegl_operation_get_format (gegl_node_get_gegl_operation (node), "output");
}

void
capra_graph_render (CapraGraph *graph, const GeglRectangle *rect, const Babl *format, gpointer data, int stride)
{
  gegl_node_blit (graph->output, 1.0, rect, format, data, stride, GEGL_BLIT_DEFAULT);
}

GeglNode *
capra_graph_get_output (CapraGraph *graph)
{
  return graph->output;
}

GeglNode *
capra_graph_get_source_node (CapraGraph *graph)
{
  return graph->source;
}

/* (nullable): a copy of the step's node that outputs labels, if the step labels regions. */
static GeglNode *
get_labels (CapraGraph *graph, CapraGraphLink *link)
{
  const char *operation = link->node ? capra_step_get_operation (link->step) : NULL;
  guint count;
  g_autofree GParamSpec **list = NULL;
  GParamSpec *labels = NULL;
  int number = 0;

  if (operation)
    labels = capra_operation_find_labels_property (operation, &number);
  if (!labels)
    return NULL;
  if (link->labels)
    return link->labels;
  link->labels = gegl_node_new_child (graph->root, "operation", operation, NULL);
  list = capra_operation_get_properties (operation, &count);
  for (guint i = 0; i < count; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      capra_step_get (link->step, list[i], &value);
      gegl_node_set_property (link->labels, list[i]->name, &value);
    }
  gegl_node_set (link->labels, labels->name, number, NULL);
  gegl_node_link (gegl_node_get_producer (link->node, "input", NULL), link->labels);
  return link->labels;
}

GeglNode *
capra_graph_get_labels (CapraGraph *graph)
{
  for (guint i = graph->links->len; i > 0; i--)
    {
      CapraGraphLink *link = &g_array_index (graph->links, CapraGraphLink, i - 1);

      if (link->node && !capra_operation_has_table (capra_step_get_operation (link->step)))
        return get_labels (graph, link);
    }
  return NULL;
}

static int
find_link (CapraGraph *graph, guint id)
{
  for (guint i = 0; i < graph->links->len; i++)
    if (capra_step_get_id (g_array_index (graph->links, CapraGraphLink, i).step) == id)
      return (int) i;
  return -1;
}

GeglNode *
capra_graph_get_step_node (CapraGraph *graph, guint id)
{
  int found = find_link (graph, id);

  return found >= 0 ? g_array_index (graph->links, CapraGraphLink, found).node : NULL;
}

GeglNode *
capra_graph_get_step_labels (CapraGraph *graph, guint id)
{
  GeglNode *labels = NULL;

  for (int i = find_link (graph, id) - 1; i >= 0 && !labels; i--)
    labels = get_labels (graph, &g_array_index (graph->links, CapraGraphLink, i));
  return labels;
}

GeglNode *
capra_graph_get_root (CapraGraph *graph)
{
  return graph->root;
}
