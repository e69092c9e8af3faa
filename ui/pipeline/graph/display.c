/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: converts the result of a graph to pixels for the screen. */
#include "ui/pipeline/graph/display.h"

#include <math.h>
#include <string.h>

#include "algorithms/label/label.h"

#define BACKGROUND 0xff000000u /* of labels */
#define CHECK_LIGHT 0x99
#define CHECK_DARK 0x66

gboolean
capra_format_is_labels (const Babl *format)
{
  return babl_format_get_n_components (format) == 1 && babl_format_get_type (format, 0) == babl_type ("u32");
}

/* Composites premultiplied pixels over a checkerboard. */
static void
composite_over_checkerboard (guint32 *pixels, const GeglRectangle *rect, int side, int stride)
{
  int shift = g_bit_nth_lsf ((gulong) side, -1);

  for (int y = 0; y < rect->height; y++)
    {
      guint32 *row = (guint32 *) ((guint8 *) pixels + (gsize) y * stride);

      for (int x = 0; x < rect->width; x++)
        {
          guint32 pixel = row[x], left = 255 - (pixel >> 24), check, gray;

          if (left == 0)
            continue;
          check = ((((rect->x + x) >> shift) + ((rect->y + y) >> shift)) & 1) ? CHECK_DARK : CHECK_LIGHT;
          gray = (check * left + 127) / 255;
          row[x] = pixel + (gray | gray << 8 | gray << 16 | left << 24);
        }
    }
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

#define OUTSIDE_RANGE 0.002 /* fraction of the values below black, and of those above white */

static int
compare (gconstpointer a, gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

void
capra_display_find_range (CapraGraph *graph, double range[2])
{
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  const Babl *own = capra_graph_get_format (graph);
  gsize count = (gsize) bounds.width * (gsize) bounds.height * 3, finite = 0;
  g_autofree float *values = g_new (float, count);

  range[0] = 0.0;
  range[1] = 1.0;
  if (capra_format_is_labels (own))
    return;
  capra_graph_render (graph, &bounds, babl_format_with_space ("RGB float", babl_format_get_space (own)), values,
                      GEGL_AUTO_ROWSTRIDE);
  for (gsize i = 0; i < count; i++)
    if (isfinite (values[i]))
      values[finite++] = values[i];
  if (finite == 0)
    return;
  qsort (values, finite, sizeof *values, compare);
  range[0] = values[(gsize) (OUTSIDE_RANGE * (double) (finite - 1))];
  range[1] = values[(gsize) ceil ((1.0 - OUTSIDE_RANGE) * (double) (finite - 1))];
  if (range[0] == range[1]) /* a mask with few pixels set, or a constant */
    {
      range[0] = values[0];
      range[1] = values[finite - 1] > values[0] ? values[finite - 1] : values[0] + 1.0;
    }
}

static guint32
stretch (double value, const double range[2])
{
  double share = (value - range[0]) / (range[1] - range[0]);

  return share > 0.0 ? (guint32) (MIN (share, 1.0) * 255.0 + 0.5) : 0; /* NaN is black */
}

/* Premultiplied screen pixels of the result at @scale; @range (nullable) is stretched to black and white. */
static void
blit (CapraGraph *graph, double scale, const GeglRectangle *rect, const Babl *own, const double range[2],
      guint32 *pixels, int stride)
{
  GeglNode *output = capra_graph_get_output (graph);
  const Babl *format = babl_format_with_space ("RGBA float", babl_format_get_space (own));
  g_autofree float *row = NULL;

  if (!range)
    {
      gegl_node_blit (output, scale, rect, babl_format ("cairo-ARGB32"), pixels, stride, GEGL_BLIT_DEFAULT);
      return;
    }
  row = g_new (float, (gsize) rect->width *(gsize) rect->height * 4);
  gegl_node_blit (output, scale, rect, format, row, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  for (int y = 0; y < rect->height; y++)
    for (int x = 0; x < rect->width; x++)
      {
        const float *from = row + ((gsize) y * (gsize) rect->width + (gsize) x) * 4;
        double alpha = CLAMP (from[3], 0.0, 1.0);
        guint32 color[3];

        for (int c = 0; c < 3; c++)
          color[c] = (guint32) (stretch (from[c], range) * alpha + 0.5);
        ((guint32 *) ((guint8 *) pixels + (gsize) y * (gsize) stride))[x] = (guint32) (alpha * 255.0 + 0.5) << 24
                                                                            | color[0] << 16 | color[1] << 8 | color[2];
      }
}

/* At the scale of the graph or smaller. */
static void
render_small (CapraGraph *graph, const GeglRectangle *rect, int level, const double range[2], int check,
              const Babl *own, guint32 *pixels, int stride)
{
  double scale = ldexp (1.0, -level);

  if (!capra_format_is_labels (own))
    {
      blit (graph, scale, rect, own, range, pixels, stride);
      composite_over_checkerboard (pixels, rect, check, stride);
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
render_large (CapraGraph *graph, const GeglRectangle *rect, int shift, const double range[2], int check,
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
    render_small (graph, &small, 0, range, check, own, source, small.width * 4);
  else
    blit (graph, 1.0, &small, own, range, source, small.width * 4);
  for (int y = 0; y < rect->height; y++)
    {
      guint32 *row = (guint32 *) ((guint8 *) pixels + (gsize) y * stride);
      const guint32 *from = source + (gsize) (((rect->y + y) >> shift) - small.y) * small.width;

      for (int x = 0; x < rect->width; x++)
        row[x] = from[((rect->x + x) >> shift) - small.x];
    }
  composite_over_checkerboard (pixels, rect, check, stride);
}

void
capra_display_render (CapraGraph *graph, const GeglRectangle *rect, int level, const double range[2], int check,
                      guint32 *pixels, int stride)
{
  const Babl *own;

  capra_graph_get_bounds (graph); /* prepares the nodes, so that the format is known */
  own = capra_graph_get_format (graph);
  if (level < 0)
    render_large (graph, rect, -level, range, check, own, pixels, stride);
  else
    render_small (graph, rect, level, range, check, own, pixels, stride);
}
