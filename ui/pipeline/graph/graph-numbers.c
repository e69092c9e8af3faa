/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph-numbers: the tables of a graph's steps, and the labels of the regions in them. */
#include "ui/pipeline/graph/graph-numbers.h"

#include <gegl-plugin.h>
#include <math.h>

#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/graph/node-error.h"

#define KEEP_KEY "capra:keep-tables" /* of the graph's node */
#define KEPT_KEY "capra:kept-table"  /* of an operation's node */

gboolean
capra_steps_have_table (GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i])
        && capra_operation_has_table (capra_step_get_operation (steps->pdata[i])))
      return TRUE;
  return FALSE;
}

void
capra_graph_keep_tables (CapraGraph *graph)
{
  g_object_set_data (G_OBJECT (capra_graph_get_root (graph)), KEEP_KEY, GINT_TO_POINTER (TRUE));
}

/* Every pixel of an operation with a table needs the whole image; one that was computed since the last change keeps its
 * result, and its table. */
CapraTable *
capra_graph_compute_table (CapraGraph *graph, guint step)
{
  GeglNode *node = capra_graph_get_step_node (graph, step);
  g_autofree float *pixel = g_new (float, 4);
  GeglRectangle bounds;
  CapraStepError *error = NULL;
  CapraTable *table = NULL;

  if (!node || !capra_operation_has_table (gegl_node_get_operation (node)))
    return NULL;
  bounds = gegl_node_get_bounding_box (node);
  if (bounds.width <= 0 || bounds.height <= 0 || gegl_rectangle_is_infinite_plane (&bounds))
    return NULL;
  gegl_node_blit (node, 1.0, GEGL_RECTANGLE (bounds.x, bounds.y, 1, 1), babl_format ("RGBA float"), pixel,
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  error = capra_node_get_error (node);
  if (!error)
    table = g_object_get_data (G_OBJECT (node), KEPT_KEY);
  else
    capra_step_error_free (error);
  return table ? capra_table_ref (table) : NULL;
}

/* (nullable): the node whose output is the numbers of the regions that the step measures. */
static GeglNode *
find_labels (CapraGraph *graph, guint step)
{
  GeglNode *node = capra_graph_get_step_node (graph, step);
  GeglNode *input = node ? gegl_node_get_producer (node, "input", NULL) : NULL;
  const Babl *format = NULL;

  if (!input)
    return NULL;
  format = capra_node_get_format (input);
  return format && capra_format_is_labels (format) ? input : capra_graph_get_step_labels (graph, step);
}

/* The pixel of the image in the middle of pixel @x at @scale. */
static int
to_image (int x, double scale)
{
  return (int) floor ((x + 0.5) / scale);
}

gboolean
capra_graph_read_labels (CapraGraph *graph, guint step, const GeglRectangle *rect, double scale, guint32 *labels)
{
  GeglNode *node = find_labels (graph, step);
  const Babl *format = node ? capra_node_get_format (node) : NULL;
  g_autofree guint32 *pixels = NULL;
  GeglRectangle whole;

  if (!format)
    return FALSE;
  whole.x = to_image (rect->x, scale);
  whole.y = to_image (rect->y, scale);
  whole.width = to_image (rect->x + rect->width - 1, scale) + 1 - whole.x;
  whole.height = to_image (rect->y + rect->height - 1, scale) + 1 - whole.y;
  pixels = g_new (guint32, (gsize) whole.width * (gsize) whole.height);
  gegl_node_blit (node, 1.0, &whole, format, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  for (int y = 0; y < rect->height; y++)
    {
      const guint32 *row = pixels + (gsize) (to_image (rect->y + y, scale) - whole.y) * (gsize) whole.width;

      for (int x = 0; x < rect->width; x++)
        *labels++ = row[to_image (rect->x + x, scale) - whole.x];
    }
  return TRUE;
}
