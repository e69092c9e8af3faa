/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of `capra run`: lets it process images. */
#include "ui/cli/run/run-graph.h"

#include <gegl-plugin.h>

#include "ui/cli/run/run-graph-private.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/graph/graph-numbers.h"

#define FITS_LOADER "capra:fits-load"
#define FITS_IMAGE "image"
#define BAND 512 /* rows */
/* Of nodes; the operations with a table read them. */
#define TABLE_PATH_KEY "capra:table-path"
#define TABLE_TEXT_KEY "capra:table-text"

void
run_graph_free (RunGraph *graph)
{
  g_clear_pointer (&graph->graph, capra_graph_free);
  g_clear_pointer (&graph->steps, g_ptr_array_unref);
  g_clear_pointer (&graph->files, g_ptr_array_unref);
  g_clear_object (&graph->root);
  g_strfreev (graph->words);
  g_free (graph->xml);
  g_free (graph->folder);
  g_free (graph);
}

gboolean
run_graph_has_source (RunGraph *graph)
{
  return graph->has_source;
}

void
run_graph_add_file (GParamSpec *property, const GValue *value, GPtrArray *files)
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
      run_graph_add_file (list[i], &value, files);
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

char *
run_graph_dup_fits_image (RunGraph *graph)
{
  g_autoptr (GSList) children = graph->root ? gegl_node_get_children (graph->root) : NULL;
  char *image = NULL;

  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    if (g_str_equal (capra_step_get_operation (graph->steps->pdata[i]), FITS_LOADER))
      {
        g_auto (GValue) value = G_VALUE_INIT;

        capra_step_get (graph->steps->pdata[i], capra_operation_find_property (FITS_LOADER, FITS_IMAGE), &value);
        return g_value_dup_string (&value);
      }
  for (GSList *item = children; item && !image; item = item->next)
    if (g_strcmp0 (gegl_node_get_operation (item->data), FITS_LOADER) == 0)
      gegl_node_get (item->data, FITS_IMAGE, &image, NULL);
  return image;
}

gboolean
run_graph_has_table (RunGraph *graph)
{
  g_autoptr (GSList) children = graph->root ? gegl_node_get_children (graph->root) : NULL;
  gboolean found = graph->steps && capra_steps_have_table (graph->steps);

  for (GSList *item = children; item; item = item->next)
    found |= capra_operation_has_table (gegl_node_get_operation (item->data));
  return found;
}

gboolean
run_graph_is_data (RunGraph *graph)
{
  return graph->data;
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

/* Computes the whole result in bands, and stores it in @result (nullable); without it, for its tables and timings. */
static gboolean
compute (CapraGraph *graph, CapraSaveProgress *progress, GeglBuffer *result, GError **error)
{
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  const Babl *format = capra_graph_get_format (graph);
  g_autofree guint8 *pixels = g_malloc ((gsize) bounds.width * BAND * (gsize) babl_format_get_bytes_per_pixel (format));

  for (int y = 0; y < bounds.height; y += BAND)
    {
      GeglRectangle band = { bounds.x, bounds.y + y, bounds.width, MIN (BAND, bounds.height - y) };

      g_atomic_int_set (&progress->per_mille, (int) (1000.0 * y / bounds.height));
      capra_graph_render (graph, &band, format, pixels, GEGL_AUTO_ROWSTRIDE);
      if (result)
        gegl_buffer_set (result, &band, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
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

/* Connects the graph that GEGL read with @image (nullable). @data: of the values that it works on */
static void
prepare_nodes (RunGraph *graph, GeglBuffer *image, CapraRawValues *data)
{
  *data = (CapraRawValues){ CAPRA_SAMPLE_NONE, FALSE };
  if (graph->source)
    gegl_node_set (graph->source, "buffer", image, NULL);
  if (image && capra_raw_values_get (image))
    *data = *capra_raw_values_get (image);
  if (graph->data)
    adapt_nodes (graph, data);
}

/* The result of the graph that GEGL read, in the format of its last operation. */
static GeglBuffer *
compute_nodes (RunGraph *graph, GeglBuffer *image, GError **error)
{
  CapraRawValues data;
  GeglRectangle bounds;
  GeglNode *last = gegl_node_get_producer (graph->output, "input", NULL);
  g_autoptr (GeglBuffer) result = NULL;
  const Babl *format;

  prepare_nodes (graph, image, &data);
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

static void
set_tables (GeglNode *root, const RunTables *tables)
{
  g_object_set_data_full (G_OBJECT (root), TABLE_PATH_KEY, tables ? g_strdup (tables->path) : NULL, g_free);
  g_object_set_data (G_OBJECT (root), TABLE_TEXT_KEY, tables ? tables->text : NULL);
}

/* The steps over the image, or an empty list over the result of GEGL's nodes. */
static gboolean
prepare_steps (RunGraph *graph, GeglBuffer *image, GPtrArray *steps, GError **error)
{
  static const CapraRawValues unknown = { CAPRA_SAMPLE_NONE, FALSE };
  g_autoptr (GeglBuffer) source = NULL;

  if (graph->root)
    source = compute_nodes (graph, image, error);
  else
    source = image ? g_object_ref (image) : gegl_buffer_new (GEGL_RECTANGLE (0, 0, 1, 1), babl_format ("RGBA float"));
  if (!source)
    return FALSE;
  if (graph->data && !capra_raw_values_get (source))
    capra_raw_values_mark (source, &unknown);
  if (graph->graph)
    capra_graph_set_source (graph->graph, source);
  else
    graph->graph = capra_graph_new (source, 1.0, FALSE);
  capra_graph_update (graph->graph, steps);
  return capra_graph_check_files (graph->graph, error);
}

/* Saves the computed @result, so that nothing is computed twice. */
static gboolean
save_result (RunGraph *graph, GeglBuffer *result, GFile *output, int bits, CapraSaveProgress *progress,
             GPtrArray *steps, GError **error)
{
  const CapraRawValues *values = capra_graph_get_raw_values (graph->graph);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (CapraGraph) saved = NULL;

  if (values)
    capra_raw_values_mark (result, values);
  saved = capra_graph_new (result, 1.0, FALSE);
  capra_graph_update (saved, none);
  return capra_save_graph (output, saved, steps, bits, progress, NULL, error);
}

gboolean
run_graph_process (RunGraph *graph, GeglBuffer *image, GFile *output, int bits, const RunTables *tables,
                   CapraSaveProgress *progress, GeglBuffer **result, GError **error)
{
  g_autoptr (GPtrArray) steps = graph->steps ? g_ptr_array_ref (graph->steps) : g_ptr_array_new ();

  if (graph->root)
    set_tables (graph->root, tables);
  if (!prepare_steps (graph, image, steps, error))
    return FALSE;
  set_tables (capra_graph_get_root (graph->graph), tables);
  if (capra_graph_is_empty (graph->graph))
    return fail_empty (graph->graph, error);
  if (result)
    {
      GeglRectangle bounds = capra_graph_get_bounds (graph->graph);

      *result = gegl_buffer_new (&bounds, capra_graph_get_format (graph->graph));
    }
  if ((result || !output) && !compute (graph->graph, progress, result ? *result : NULL, error))
    return FALSE;
  if (output && result)
    return save_result (graph, *result, output, bits, progress, steps, error);
  return !output || capra_save_graph (output, graph->graph, steps, bits, progress, NULL, error);
}

gboolean
run_graph_forecast (RunGraph *graph, GeglBuffer *image, CapraForecast *forecast, GError **error)
{
  GeglNode *root = graph->root, *output = graph->output;
  CapraRawValues data;
  GeglRectangle extent;

  if (root)
    prepare_nodes (graph, image, &data);
  else if (prepare_steps (graph, image, graph->steps, error))
    {
      root = capra_graph_get_root (graph->graph);
      output = capra_graph_get_output (graph->graph);
    }
  else
    return FALSE;
  extent = image ? *gegl_buffer_get_extent (image) : gegl_node_get_bounding_box (output);
  return capra_forecast_find (root, output, &extent, forecast, error);
}

void
run_graph_release (RunGraph *graph)
{
  g_autoptr (GeglBuffer) none = NULL;
  const CapraRawValues *values;

  if (graph->source)
    gegl_node_set (graph->source, "buffer", NULL, NULL);
  if (!graph->graph)
    return;
  none = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 1, 1), babl_format ("RGBA float"));
  values = capra_graph_get_raw_values (graph->graph);
  if (values)
    capra_raw_values_mark (none, values); /* so that the nodes are kept */
  capra_graph_set_source (graph->graph, none);
}

void
run_graph_load_files (RunGraph *graph)
{
  for (guint i = 0; graph->steps && i < graph->steps->len; i++)
    {
      CapraStep *step = graph->steps->pdata[i];
      CapraAuxSource *aux = capra_step_get_enabled (step) ? capra_step_get_aux (step) : NULL;

      if (aux && capra_aux_source_get_kind (aux) == CAPRA_AUX_FILE && *capra_aux_source_get_path (aux))
        capra_aux_source_load (aux, graph->data, NULL);
    }
}
