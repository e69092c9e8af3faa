/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pyramid: an image at a half, a quarter, … of its size, computed on demand.
 *
 * GEGL scales images while it reads them, using the mipmap tiles that it stores with a buffer. The scaled pixels are
 * kept in one buffer per level, which is filled in squares. */
#include "ui/panel/preview/pyramid.h"

#include <math.h>

#include "ui/pipeline/read/raw-values.h"

#define SQUARE 256

/* The states of a square. */
enum { MISSING, FILLING, FILLED };

typedef struct {
  GeglBuffer *buffer;
  GeglRectangle extent;
  guint8 *states; /* per square */
  int columns;
} Level;

struct _CapraPyramid {
  int refs; /* atomic */
  GMutex mutex;
  GCond filled; /* a square was filled */
  GeglBuffer *image;
  CapraPyramid *selection; /* of a host's layer; NULL if all of it is selected */
  Level levels[CAPRA_PYRAMID_MAX_LEVEL + 1];
};

CapraPyramid *
capra_pyramid_new (GeglBuffer *image)
{
  CapraPyramid *pyramid = g_new0 (CapraPyramid, 1);
  const CapraLayerTarget *target = capra_layer_target_get (image);

  pyramid->refs = 1;
  pyramid->image = g_object_ref (image);
  g_mutex_init (&pyramid->mutex);
  g_cond_init (&pyramid->filled);
  if (target && target->selection)
    pyramid->selection = capra_pyramid_new (target->selection);
  return pyramid;
}

CapraPyramid *
capra_pyramid_ref (CapraPyramid *pyramid)
{
  g_atomic_int_inc (&pyramid->refs);
  return pyramid;
}

void
capra_pyramid_unref (CapraPyramid *pyramid)
{
  if (!g_atomic_int_dec_and_test (&pyramid->refs))
    return;
  for (int i = 0; i <= CAPRA_PYRAMID_MAX_LEVEL; i++)
    {
      g_clear_object (&pyramid->levels[i].buffer);
      g_free (pyramid->levels[i].states);
    }
  g_cond_clear (&pyramid->filled);
  g_mutex_clear (&pyramid->mutex);
  g_clear_pointer (&pyramid->selection, capra_pyramid_unref);
  g_object_unref (pyramid->image);
  g_free (pyramid);
}

static int
shift_down (int value, int level)
{
  return value >> level; /* rounds toward minus infinity */
}

double
capra_pyramid_get_scale (int level)
{
  return ldexp (1.0, -level);
}

GeglRectangle
capra_pyramid_scale (const GeglRectangle *rect, int level)
{
  GeglRectangle scaled;
  int round = (1 << level) - 1;

  scaled.x = shift_down (rect->x, level);
  scaled.y = shift_down (rect->y, level);
  scaled.width = shift_down (rect->x + rect->width + round, level) - scaled.x;
  scaled.height = shift_down (rect->y + rect->height + round, level) - scaled.y;
  return scaled;
}

/* With the mutex held. */
static Level *
get_level (CapraPyramid *pyramid, int number)
{
  Level *level = &pyramid->levels[number];

  if (!level->buffer)
    {
      int rows;

      level->extent = capra_pyramid_scale (gegl_buffer_get_extent (pyramid->image), number);
      level->buffer = gegl_buffer_new (&level->extent, gegl_buffer_get_format (pyramid->image));
      if (capra_raw_values_get (pyramid->image))
        capra_raw_values_mark (level->buffer, capra_raw_values_get (pyramid->image));
      level->columns = (level->extent.width + SQUARE - 1) / SQUARE;
      rows = (level->extent.height + SQUARE - 1) / SQUARE;
      level->states = g_malloc0 ((gsize) level->columns * rows);
    }
  return level;
}

GeglBuffer *
capra_pyramid_get_buffer (CapraPyramid *pyramid, int level)
{
  GeglBuffer *buffer;

  g_return_val_if_fail (level >= 0 && level <= CAPRA_PYRAMID_MAX_LEVEL, NULL);
  if (level == 0)
    return pyramid->image;
  g_mutex_lock (&pyramid->mutex);
  buffer = get_level (pyramid, level)->buffer;
  g_mutex_unlock (&pyramid->mutex);
  return buffer;
}

/* Labels must not be averaged: the mean of two labels is the label of an unrelated region. */
static int
get_filter (const Babl *format)
{
  return babl_format_get_type (format, 0) == babl_type ("u32") ? GEGL_BUFFER_FILTER_NEAREST : GEGL_BUFFER_FILTER_AUTO;
}

static void
fill_square (CapraPyramid *pyramid, Level *level, int number, const GeglRectangle *square)
{
  const Babl *format = gegl_buffer_get_format (level->buffer);
  gsize pixel = babl_format_get_bytes_per_pixel (format);
  g_autofree guint8 *data = g_malloc (pixel * square->width * square->height);

  gegl_buffer_get (pyramid->image, square, 1.0 / (1 << number), format, data, GEGL_AUTO_ROWSTRIDE,
                   GEGL_ABYSS_CLAMP | get_filter (format));
  gegl_buffer_set (level->buffer, square, 0, format, data, GEGL_AUTO_ROWSTRIDE);
}

/* The squares that @rect touches, as a range of columns and rows. */
static gboolean
get_range (const Level *level, const GeglRectangle *rect, GeglRectangle *range)
{
  GeglRectangle inside;

  if (!gegl_rectangle_intersect (&inside, rect, &level->extent))
    return FALSE;
  range->x = (inside.x - level->extent.x) / SQUARE;
  range->y = (inside.y - level->extent.y) / SQUARE;
  range->width = (inside.x - level->extent.x + inside.width - 1) / SQUARE + 1 - range->x;
  range->height = (inside.y - level->extent.y + inside.height - 1) / SQUARE + 1 - range->y;
  return TRUE;
}

gboolean
capra_pyramid_has (CapraPyramid *pyramid, int number, const GeglRectangle *rect)
{
  GeglRectangle range;
  gboolean all = TRUE;
  Level *level;

  if (number == 0)
    return TRUE;
  g_mutex_lock (&pyramid->mutex);
  level = get_level (pyramid, number);
  if (get_range (level, rect, &range))
    for (int y = range.y; y < range.y + range.height && all; y++)
      for (int x = range.x; x < range.x + range.width && all; x++)
        all = level->states[(gsize) y * level->columns + x] == FILLED;
  g_mutex_unlock (&pyramid->mutex);
  return all;
}

/* Whether the calling thread is to fill a square. Waits while another one does. */
static gboolean
begin_square (CapraPyramid *pyramid, guint8 *state)
{
  gboolean missing;

  g_mutex_lock (&pyramid->mutex);
  while (*state == FILLING)
    g_cond_wait (&pyramid->filled, &pyramid->mutex);
  missing = *state == MISSING;
  if (missing)
    *state = FILLING;
  g_mutex_unlock (&pyramid->mutex);
  return missing;
}

static void
end_square (CapraPyramid *pyramid, guint8 *state, guint8 reached)
{
  g_mutex_lock (&pyramid->mutex);
  *state = reached;
  g_cond_broadcast (&pyramid->filled);
  g_mutex_unlock (&pyramid->mutex);
}

gboolean
capra_pyramid_fill (CapraPyramid *pyramid, int number, const GeglRectangle *rect, const int *generation, int expected)
{
  GeglRectangle range;
  Level *level;

  if (number == 0)
    return TRUE;
  g_mutex_lock (&pyramid->mutex);
  level = get_level (pyramid, number);
  g_mutex_unlock (&pyramid->mutex);
  if (!get_range (level, rect, &range))
    return TRUE;
  for (int y = range.y; y < range.y + range.height; y++)
    for (int x = range.x; x < range.x + range.width; x++)
      {
        guint8 *state = &level->states[(gsize) y * level->columns + x];
        GeglRectangle square = { level->extent.x + x * SQUARE, level->extent.y + y * SQUARE, SQUARE, SQUARE };

        if (!begin_square (pyramid, state))
          continue;
        if (generation && g_atomic_int_get (generation) != expected)
          {
            end_square (pyramid, state, MISSING);
            return FALSE;
          }
        gegl_rectangle_intersect (&square, &square, &level->extent);
        fill_square (pyramid, level, number, &square);
        end_square (pyramid, state, FILLED);
      }
  return !pyramid->selection || capra_pyramid_fill (pyramid->selection, number, rect, generation, expected);
}

CapraPyramid *
capra_pyramid_get_selection (CapraPyramid *pyramid)
{
  return pyramid->selection;
}

CapraGraph *
capra_pyramid_make_graph (CapraPyramid *pyramid, int level, gboolean cache)
{
  const CapraLayerTarget *target = capra_layer_target_get (pyramid->image);
  CapraGraph *graph = capra_graph_new (capra_pyramid_get_buffer (pyramid, level), capra_pyramid_get_scale (level),
                                       cache);

  if (target)
    {
      CapraLayerTarget scaled = *target;

      if (pyramid->selection)
        scaled.selection = capra_pyramid_get_buffer (pyramid->selection, level);
      capra_graph_set_target (graph, &scaled);
    }
  return graph;
}

int
capra_pyramid_fill_overview (CapraPyramid *pyramid, int side)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (pyramid->image);
  int level = 0;

  while (level < CAPRA_PYRAMID_MAX_LEVEL && MAX (extent->width, extent->height) >> level > side)
    level++;
  capra_pyramid_fill (pyramid, level, gegl_buffer_get_extent (capra_pyramid_get_buffer (pyramid, level)), NULL, 0);
  return level;
}
