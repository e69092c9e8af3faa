/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display: converts the result of a graph to pixels for the screen. */
#include "ui/pipeline/graph/display.h"

#include <math.h>
#include <string.h>

#include "algorithms/label/label.h"
#include "ui/display/stretch-limits.h"

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

/* Makes pixels without a value transparent: those with a NaN in any of @channels. */
static void
hide_missing (float *values, int channels, gsize count)
{
  for (gsize i = 0; i < count; i++, values += channels)
    for (int c = 0; c < channels; c++)
      if (isnan (values[c]))
        {
          memset (values, 0, sizeof (float) * (gsize) channels);
          break;
        }
}

/* Premultiplied screen pixels of @count pixels with @channels values, of which the last is alpha. */
static void
stretch_row (const CapraStretchTable *table, const float *values, int channels, int count, guint32 *pixels)
{
  for (int x = 0; x < count; x++, values += channels)
    {
      float alpha = CLAMP (values[channels - 1], 0.0f, 1.0f);
      guint32 color = 0;

      if (channels == 2)
        color = capra_stretch_table_get (table, values[0]) * 0x010101u;
      else
        for (int c = 0; c < 3; c++)
          color = color << 8 | capra_stretch_table_get (table, values[c]);
      if (alpha < 1.0f)
        {
          guint32 scaled = 0;

          for (int shift = 16; shift >= 0; shift -= 8)
            scaled = scaled << 8 | (guint32) ((float) (color >> shift & 255) * alpha + 0.5f);
          color = scaled;
        }
      pixels[x] = (guint32) (alpha * 255.0f + 0.5f) << 24 | color;
    }
}

static gboolean
can_be_missing (const Babl *format)
{
  const Babl *type = babl_format_get_type (format, 0);

  return type == babl_type ("float") || type == babl_type ("double") || type == babl_type ("half");
}

/* Premultiplied screen pixels of the result at @scale. @table: (nullable) */
static void
blit (CapraGraph *graph, double scale, const GeglRectangle *rect, const Babl *own, const CapraStretchTable *table,
      guint32 *pixels, int stride)
{
  GeglNode *output = capra_graph_get_output (graph);
  int channels = is_gray (own) ? 2 : 4;
  const Babl *format = babl_format_with_space (channels == 2 ? "YA float" : "RGBA float", babl_format_get_space (own));
  gsize count = (gsize) rect->width * (gsize) rect->height;
  g_autofree float *values = NULL;

  if (!table && !can_be_missing (own))
    {
      gegl_node_blit (output, scale, rect, babl_format ("cairo-ARGB32"), pixels, stride, GEGL_BLIT_DEFAULT);
      return;
    }
  values = g_new (float, count *(gsize) channels);
  gegl_node_blit (output, scale, rect, format, values, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  hide_missing (values, channels, count);
  for (int y = 0; y < rect->height; y++)
    {
      const float *row = values + (gsize) y * (gsize) rect->width * (gsize) channels;
      guint32 *to = (guint32 *) ((guint8 *) pixels + (gsize) y * (gsize) stride);

      if (table)
        stretch_row (table, row, channels, rect->width, to);
      else
        babl_process (babl_fish (format, babl_format ("cairo-ARGB32")), row, to, rect->width);
    }
}

/* At the scale of the graph or smaller. */
static void
render_small (CapraGraph *graph, const GeglRectangle *rect, int level, const CapraStretchTable *table, int check,
              const Babl *own, guint32 *pixels, int stride)
{
  double scale = ldexp (1.0, -level);

  if (!capra_format_is_labels (own))
    {
      blit (graph, scale, rect, own, table, pixels, stride);
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
    blit (graph, 1.0, &small, own, table, source, small.width * 4);
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
