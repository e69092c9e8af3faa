/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: converts the result of a graph to pixels for the screen. */
#include "ui/pipeline/graph/display.h"

#include <math.h>

#include "algorithms/label/label.h"
#include "ui/display/stretch-limits.h"
#include "ui/pipeline/graph/screen-pixels.h"

#define BACKGROUND 0xff000000u /* of labels */

gboolean
capra_format_is_labels (const Babl *format)
{
  return babl_format_get_n_components (format) == 1 && babl_format_get_type (format, 0) == babl_type ("u32");
}

static void
color_labels (guint32 *pixels, const GeglRectangle *rect, int stride)
{
  for (int y = 0; y < rect->height; y++)
    {
      guint32 *row = (guint32 *) ((guint8 *) pixels + (gsize) y * stride);
      guint32 label = 0, color = BACKGROUND;

      for (int x = 0; x < rect->width; x++)
        {
          if (row[x] != label)
            {
              label = row[x];
              color = label ? capra_label_color (label) : BACKGROUND;
            }
          row[x] = color;
        }
    }
}

static gboolean
is_gray (const Babl *format)
{
  return (babl_get_model_flags (babl_format_get_model (format)) & BABL_MODEL_FLAG_GRAY) != 0;
}

CapraStretch
capra_display_find_limits (CapraGraph *graph, const CapraDisplayStretch *stretch)
{
  const double outside = (100.0 - stretch->percent) / 2, percentiles[2] = { outside, 100.0 - outside };
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  const Babl *own = capra_graph_get_format (graph);
  gboolean gray = !capra_format_is_labels (own) && is_gray (own);
  gsize count = (gsize) bounds.width * (gsize) bounds.height * (gray ? 1 : 3);
  g_autofree float *values = NULL;
  double limits[2] = { 0.0, 1.0 };

  if (!capra_format_is_labels (own))
    {
      values = g_new (float, count);
      capra_graph_render (graph, &bounds,
                          babl_format_with_space (gray ? "Y float" : "RGB float", babl_format_get_space (own)), values,
                          GEGL_AUTO_ROWSTRIDE);
      if (stretch->percent == CAPRA_DISPLAY_AUTOMATIC)
        capra_stretch_limits_choose (values, count, stretch->curve, limits);
      else
        capra_stretch_limits_find (values, count, percentiles, limits);
    }
  return (CapraStretch){ stretch->curve, limits[0], limits[1] };
}

/* Premultiplied screen pixels of the result at its own scale. */
static void
render_result (CapraGraph *graph, const GeglRectangle *rect, const Babl *own, const CapraStretchTable *table,
               guint32 *pixels, int stride)
{
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (rect, own);
  CapraScreenPixels screen;

  /* GEGL shares the tiles, which then are converted in several threads. */
  gegl_node_blit_buffer (capra_graph_get_output (graph), buffer, rect, 0, GEGL_ABYSS_NONE);
  capra_screen_pixels_init (&screen, own, table);
  capra_screen_pixels_convert_buffer (&screen, buffer, rect, pixels, stride);
}

/* Premultiplied screen pixels of the result at a smaller scale, which GEGL averages. */
static void
render_scaled (CapraGraph *graph, double scale, const GeglRectangle *rect, const Babl *own,
               const CapraStretchTable *table, guint32 *pixels, int stride)
{
  GeglNode *output = capra_graph_get_output (graph);
  const Babl *format = capra_screen_pixels_get_scaled_format (own, table);
  gsize row = (gsize) rect->width * (gsize) babl_format_get_bytes_per_pixel (format);
  g_autofree guint8 *values = NULL;
  CapraScreenPixels screen;

  if (format == babl_format ("cairo-ARGB32"))
    {
      gegl_node_blit (output, scale, rect, format, pixels, stride, GEGL_BLIT_DEFAULT);
      return;
    }
  capra_screen_pixels_init (&screen, format, table);
  values = g_malloc (row * (gsize) rect->height);
  gegl_node_blit (output, scale, rect, format, values, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  for (int y = 0; y < rect->height; y++)
    screen.convert (&screen, values + (gsize) y * row, rect->width,
                    (guint32 *) (gpointer) ((guint8 *) pixels + (gsize) y * (gsize) stride));
}

/* At the scale of the graph or smaller. */
static void
render_small (CapraGraph *graph, const GeglRectangle *rect, int level, const CapraStretchTable *table, int check,
              const Babl *own, guint32 *pixels, int stride)
{
  double scale = ldexp (1.0, -level);

  if (!capra_format_is_labels (own))
    {
      if (level == 0)
        render_result (graph, rect, own, table, pixels, stride);
      else
        render_scaled (graph, scale, rect, own, table, pixels, stride);
      capra_screen_pixels_composite (pixels, rect, check, stride);
      return;
    }
  if (level == 0)
    capra_graph_render (graph, rect, own, pixels, stride);
  else
    {
      GeglRectangle whole = { rect->x << level, rect->y << level, rect->width << level, rect->height << level };
      g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&whole, own);

      gegl_node_blit_buffer (capra_graph_get_output (graph), buffer, &whole, 0, GEGL_ABYSS_NONE);
      gegl_buffer_get (buffer, rect, scale, own, pixels, stride, GEGL_ABYSS_NONE | GEGL_BUFFER_FILTER_NEAREST);
    }
  color_labels (pixels, rect, stride);
}

/* Enlarged: each pixel of the graph becomes a square. */
static void
render_large (CapraGraph *graph, const GeglRectangle *rect, int shift, const CapraStretchTable *table, int check,
              const Babl *own, guint32 *pixels, int stride)
{
  GeglRectangle small;
  g_autofree guint32 *source = NULL;

  small.x = rect->x >> shift;
  small.y = rect->y >> shift;
  small.width = ((rect->x + rect->width - 1) >> shift) + 1 - small.x;
  small.height = ((rect->y + rect->height - 1) >> shift) + 1 - small.y;
  source = g_new (guint32, (gsize) small.width * small.height);
  if (capra_format_is_labels (own))
    render_small (graph, &small, 0, table, check, own, source, small.width * 4);
  else
    render_result (graph, &small, own, table, source, small.width * 4);
  for (int y = 0; y < rect->height; y++)
    {
      guint32 *row = (guint32 *) ((guint8 *) pixels + (gsize) y * stride);
      const guint32 *from = source + (gsize) (((rect->y + y) >> shift) - small.y) * small.width;

      for (int x = 0; x < rect->width; x++)
        row[x] = from[((rect->x + x) >> shift) - small.x];
    }
  capra_screen_pixels_composite (pixels, rect, check, stride);
}

void
capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, const CapraStretchTable *table,
                      int check, guint32 *pixels, int stride)
{
  const Babl *own;

  capra_graph_get_bounds (graph); /* prepares the nodes, so that the format is known */
  own = capra_graph_get_format (graph);
  if (level < 0)
    render_large (graph, rect, -level, table, check, own, pixels, stride);
  else
    render_small (graph, rect, level, table, check, own, pixels, stride);
}
