/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small graphs over buffers of known values. */
#include "tests/support/graph.h"

#include <math.h>
#include <string.h>

void
graph_init (int *argc, char ***argv)
{
  gegl_init (argc, argv);
  g_assert_true (gegl_has_operation ("capra:gaussian-blur"));
}

GeglBuffer *
graph_buffer (const char *format, const GeglRectangle *rect, gconstpointer values)
{
  GeglBuffer *buffer = gegl_buffer_new (rect, babl_format (format));

  if (values)
    gegl_buffer_set (buffer, rect, 0, babl_format (format), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

GeglNode *
graph_source (GeglNode *graph, GeglBuffer *buffer)
{
  return gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", buffer, NULL);
}

GeglNode *
graph_node (GeglNode *graph, GeglNode *input, const char *operation, ...)
{
  GeglNode *node = gegl_node_new_child (graph, "operation", operation, NULL);
  const char *property = NULL;
  va_list list;

  va_start (list, operation);
  property = va_arg (list, const char *);
  if (property)
    gegl_node_set_valist (node, property, list);
  va_end (list);
  if (input)
    gegl_node_link (input, node);
  return node;
}

/* A node without an output behind @node: gegl_create_chain() connects it, but not what it was asked to connect last. */
static GeglNode *
find_sink (GeglNode *node)
{
  g_autoptr (GSList) children = gegl_node_get_children (gegl_node_get_parent (node));

  for (GSList *link = children; link; link = link->next)
    if (gegl_node_has_pad (link->data, "input") && !gegl_node_has_pad (link->data, "output")
        && gegl_node_get_producer (link->data, "input", NULL) == node)
      return link->data;
  return NULL;
}

GeglNode *
graph_chain (GeglNode *input, const char *chain, const char *device)
{
  GeglNode *graph = gegl_node_get_parent (input);
  GeglNode *start = graph_node (graph, input, "gegl:nop", NULL), *end = graph_node (graph, NULL, "gegl:nop", NULL);
  g_autoptr (GError) error = NULL;
  GeglNode *last = NULL, *sink = NULL;

  gegl_create_chain (chain, start, end, 0.0, 500, NULL, &error);
  g_assert_no_error (error);
  last = gegl_node_get_producer (end, "input", NULL);
  sink = find_sink (last);
  g_assert_true (last != start || sink);
  if (sink && gegl_node_find_property (sink, "device"))
    gegl_node_set (sink, "device", support_device_name (device), NULL);
  for (GeglNode *node = last; node != start; node = gegl_node_get_producer (node, "input", NULL))
    if (gegl_node_find_property (node, "device"))
      gegl_node_set (node, "device", support_device_name (device), NULL);
  gegl_node_remove_child (graph, end);
  return sink ? sink : last;
}

gpointer
graph_render (GeglNode *node, const GeglRectangle *rect, const char *format)
{
  GeglRectangle box = gegl_node_get_bounding_box (node);
  const Babl *babl = babl_format (format);
  gpointer pixels = NULL;

  if (rect)
    box = *rect;
  pixels = g_malloc0 ((gsize) box.width * box.height * babl_format_get_bytes_per_pixel (babl));
  gegl_node_blit (node, 1.0, &box, babl, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  return pixels;
}

float *
graph_render_parts (GeglNode *node, const char *format, guint channels, gint size)
{
  GeglRectangle box = gegl_node_get_bounding_box (node);
  float *pixels = g_new0 (float, (gsize) box.width * box.height * channels);

  for (gint y = 0; y < box.height; y += size)
    for (gint x = 0; x < box.width; x += size)
      {
        GeglRectangle part = { box.x + x, box.y + y, MIN (size, box.width - x), MIN (size, box.height - y) };

        gegl_node_blit (node, 1.0, &part, babl_format (format), pixels + ((gsize) y * box.width + x) * channels,
                        (gint) (box.width * channels * sizeof (float)), GEGL_BLIT_DEFAULT);
      }
  return pixels;
}

void
graph_scene_init (GraphScene *scene, const GeglRectangle *rect, double low)
{
  scene->values = support_noise ((gsize) rect->width * (gsize) rect->height, low, 1.0, 11);
  scene->buffer = graph_buffer ("Y float", rect, scene->values);
  scene->graph = gegl_node_new ();
  scene->source = graph_source (scene->graph, scene->buffer);
}

void
graph_scene_clear (GraphScene *scene)
{
  g_object_unref (scene->graph);
  g_object_unref (scene->buffer);
  g_free (scene->values);
}

void
graph_touch (GeglBuffer *buffer)
{
  const Babl *format = gegl_buffer_get_format (buffer);
  GeglRectangle extent = *gegl_buffer_get_extent (buffer);
  g_autofree guint8 *pixels = g_malloc ((gsize) extent.width * extent.height
                                        * babl_format_get_bytes_per_pixel (format));

  gegl_buffer_get (buffer, &extent, 1.0, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_set (buffer, &extent, 0, format, pixels, GEGL_AUTO_ROWSTRIDE);
}

GeglBuffer *
graph_copy (GeglBuffer *source)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *copy = graph_node (graph, graph_source (graph, source), "capra:box-blur", "radius", 0, NULL);
  GeglBuffer *result = NULL;
  GeglNode *sink = graph_node (graph, copy, "gegl:buffer-sink", "buffer", &result, NULL);

  gegl_node_blit (sink, 1.0, gegl_buffer_get_extent (source), NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  return result;
}

void
graph_forget (void)
{
  capra_timeline_reset ();
}

guint64
graph_count (const char *name)
{
  guint64 count = 0;

  capra_timeline_total (NULL, name, &count, NULL);
  return count;
}

guint64
graph_bytes (const char *name)
{
  guint64 bytes = 0;

  capra_timeline_total (NULL, name, NULL, &bytes);
  return bytes;
}

void
graph_add_case (const char *folder, const char *name, guint index, GTestDataFunc func)
{
  g_autofree char *path = g_strconcat (folder, name, NULL);

  g_test_add_data_func (path, GUINT_TO_POINTER (index), func);
}

char *
graph_error (GeglNode *node)
{
  char *text = NULL;

  gegl_node_get (node, "error", &text, NULL);
  return text;
}

double *
graph_gaussian (double sigma, double truncate, int *radius)
{
  double *weights = NULL, sum = 0.0;

  *radius = (int) (truncate * sigma + 0.5);
  weights = g_new (double, 2 * *radius + 1);
  for (int i = -*radius; i <= *radius; i++)
    sum += weights[i + *radius] = sigma > 0.0 ? exp (-i * i / (2.0 * sigma * sigma)) : 1.0;
  for (int i = 0; i <= 2 * *radius; i++)
    weights[i] /= sum;
  return weights;
}
