/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region-outlines: a picture of the outlines of labeled regions, of the size of the screen's pixels. */
#include "ui/panel/results/region-outlines.h"

#include <math.h>

#include "ui/panel/widgets/pixels.h"

#define SELECTED_WIDTH 2 /* of an outline, in pixels */

/* (transfer full): for each of @count pixels of the screen, the column or row of the labels; -1 outside them. */
static int *
get_places (int count, double start, double scale, double label_scale, int first, int size)
{
  int *places = g_new (int, (gsize) count);

  for (int i = 0; i < count; i++)
    {
      double place = floor ((start + (i + 0.5) / scale) * label_scale) - first;

      places[i] = place >= 0 && place < size ? (int) place : -1;
    }
  return places;
}

/* The label of each pixel of a row of the screen. */
static void
get_row (const CapraRegionLabels *labels, const int *columns, int width, int row, guint32 *values)
{
  const guint32 *from = row >= 0 ? labels->labels + (gsize) row * (gsize) labels->rect.width : NULL;

  for (int x = 0; x < width; x++)
    values[x] = from && columns[x] >= 0 ? from[columns[x]] : 0;
}

/* Whether another label is within @distance pixels of @x along an axis. @rows: those from SELECTED_WIDTH above to
 * SELECTED_WIDTH below */
static gboolean
is_outline (guint32 *const *rows, int x, int width, int distance)
{
  guint32 label = rows[SELECTED_WIDTH][x];

  for (int d = 1; d <= distance; d++)
    if (rows[SELECTED_WIDTH - d][x] != label || rows[SELECTED_WIDTH + d][x] != label
        || (x >= d && rows[SELECTED_WIDTH][x - d] != label) || (x + d < width && rows[SELECTED_WIDTH][x + d] != label))
      return TRUE;
  return FALSE;
}

static void
draw_row (guint32 *const *rows, int width, GHashTable *selected, const CapraOutlineStyle *style, guint32 *pixels)
{
  const guint32 *row = rows[SELECTED_WIDTH];
  guint32 label = 0;
  gboolean is_selected = FALSE;

  for (int x = 0; x < width; x++)
    {
      if (row[x] == 0)
        continue;
      if (row[x] != label)
        {
          label = row[x];
          is_selected = g_hash_table_contains (selected, GUINT_TO_POINTER (label));
        }
      if (is_selected)
        pixels[x] = is_outline (rows, x, width, SELECTED_WIDTH) ? style->selected : style->fill;
      else if (style->all && is_outline (rows, x, width, 1))
        pixels[x] = style->all;
    }
}

GdkTexture *
capra_region_outlines_new (const CapraRegionLabels *labels, int width, int height, double x, double y, double scale,
                           GHashTable *selected, const CapraOutlineStyle *style)
{
  g_autofree int *columns = get_places (width, x, scale, labels->scale, labels->rect.x, labels->rect.width);
  g_autofree int *places = get_places (height, y, scale, labels->scale, labels->rect.y, labels->rect.height);
  guint32 *pixels = g_new0 (guint32, (gsize) width * (gsize) height);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, sizeof (guint32) * (gsize) width * (gsize) height);
  guint32 *rows[2 * SELECTED_WIDTH + 1];
  g_autofree guint32 *memory = g_new0 (guint32, G_N_ELEMENTS (rows) * (gsize) width);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      int at = CLAMP ((int) i - SELECTED_WIDTH, 0, height - 1);

      rows[i] = memory + i * (gsize) width;
      get_row (labels, columns, width, places[at], rows[i]);
    }
  for (int row = 0; row < height; row++)
    {
      guint32 *first = rows[0];
      int next = MIN (row + SELECTED_WIDTH + 1, height - 1);

      draw_row (rows, width, selected, style, pixels + (gsize) row * (gsize) width);
      for (guint i = 0; i + 1 < G_N_ELEMENTS (rows); i++)
        rows[i] = rows[i + 1];
      rows[G_N_ELEMENTS (rows) - 1] = first;
      get_row (labels, columns, width, places[next], first);
    }
  return capra_pixels_new (width, height, bytes);
}
