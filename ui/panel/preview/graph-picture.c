/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph-picture: the result of a graph over a small image, as a picture. */
#include "ui/panel/preview/graph-picture.h"

#include "ui/pipeline/graph/display.h"

#define MAX_SIDE 1024
#define CHECK 4 /* side of the squares behind transparent pixels */

GdkTexture *
capra_graph_picture_new (CapraGraph *graph, GeglBuffer *image)
{
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  CapraDisplayStretch choice = capra_display_stretch_get_default (capra_display_kind_find (image, NULL));
  CapraStretchTable table;
  g_autofree guint32 *pixels = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize stride;

  if (bounds.width < 1 || bounds.height < 1 || bounds.width > MAX_SIDE || bounds.height > MAX_SIDE)
    return NULL;
  if (choice.enabled)
    {
      CapraStretch stretch = capra_display_find_limits (graph, &choice);

      capra_stretch_table_init (&table, &stretch);
    }
  stride = (gsize) bounds.width * sizeof *pixels;
  pixels = g_malloc (stride * (gsize) bounds.height);
  capra_display_render (graph, &bounds, 0, choice.enabled ? &table : NULL, CHECK, pixels, (int) stride);
  bytes = g_bytes_new_take (g_steal_pointer (&pixels), stride * (gsize) bounds.height);
  return gdk_memory_texture_new (bounds.width, bounds.height, GDK_MEMORY_DEFAULT, bytes, stride);
}
