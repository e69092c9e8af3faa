/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raster: an image of values as colors, at the size of a figure. */
#include "ui/figure/raster.h"

#include <math.h>

/* The pixels of an image of @size that pixel @i of @count covers: at least one. */
static void
get_span (int i, int count, int size, int *first, int *end)
{
  *first = (int) ((gint64) i * size / count);
  *end = MAX ((int) ((gint64) (i + 1) * size / count), *first + 1);
}

static guint32 *
begin (cairo_surface_t *surface, gsize *stride)
{
  cairo_surface_flush (surface);
  *stride = (gsize) cairo_image_surface_get_stride (surface) / sizeof (guint32);
  return (guint32 *) (void *) cairo_image_surface_get_data (surface);
}

/* The sum of the finite values of a row in each span. */
static void
add_row (const float *row, int width, int columns, double *sums, guint *counts)
{
  for (int x = 0; x < columns; x++)
    {
      int first, end;

      get_span (x, columns, width, &first, &end);
      for (int i = first; i < end; i++)
        if (isfinite (row[i]))
          {
            sums[x] += (double) row[i];
            counts[x]++;
          }
    }
}

cairo_surface_t *
capra_raster_new (const float *values, int width, int height, const CapraStretch *stretch, CapraColorMap map,
                  int columns, int rows)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  g_autofree double *sums = g_new (double, (gsize) columns);
  g_autofree guint *counts = g_new (guint, (gsize) columns);
  gsize stride;
  guint32 *pixels = begin (surface, &stride);

  for (int y = 0; y < rows; y++)
    {
      int first, end;

      get_span (y, rows, height, &first, &end);
      for (int x = 0; x < columns; x++)
        sums[x] = counts[x] = 0;
      for (int i = first; i < end; i++)
        add_row (values + (gsize) i * (gsize) width, width, columns, sums, counts);
      for (int x = 0; x < columns; x++)
        pixels[(gsize) y * stride + (gsize) x] = capra_color_map_get (
          map, counts[x] ? capra_stretch_apply (stretch, sums[x] / counts[x]) : NAN);
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static guint32
average (const guint32 *colors, int width, int x, int x_end, int y, int y_end)
{
  guint64 sums[3] = { 0, 0, 0 }, count = (guint64) (x_end - x) * (guint64) (y_end - y);

  for (int j = y; j < y_end; j++)
    for (int i = x; i < x_end; i++)
      for (int c = 0; c < 3; c++)
        sums[c] += colors[(gsize) j * (gsize) width + (gsize) i] >> 8 * c & 255;
  return (guint32) (sums[0] / count | (sums[1] / count) << 8 | (sums[2] / count) << 16);
}

cairo_surface_t *
capra_raster_new_from_colors (const guint32 *colors, int width, int height, gboolean smooth, int columns, int rows)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  gsize stride;
  guint32 *pixels = begin (surface, &stride);

  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      {
        int left, right, top, bottom;

        get_span (x, columns, width, &left, &right);
        get_span (y, rows, height, &top, &bottom);
        if (!smooth)
          {
            left = (left + right - 1) / 2;
            top = (top + bottom - 1) / 2;
            right = left + 1;
            bottom = top + 1;
          }
        pixels[(gsize) y * stride + (gsize) x] = average (colors, width, left, right, top, bottom);
      }
  cairo_surface_mark_dirty (surface);
  return surface;
}
