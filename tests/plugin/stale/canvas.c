/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: a GeglBuffer, and what each of its pixels must be. */
#include "tests/plugin/stale/canvas.h"

#include <math.h>
#include <string.h>

/* The largest extent of a canvas, and how far its extent may grow to each side. */
#define MAX_WIDTH 96
#define MAX_HEIGHT 80
#define MARGIN 24

static const CanvasFormat formats[] = {
  { "Y float", FALSE, CANVAS_FLOATS },   { "Y u8", FALSE, CANVAS_BYTES },       { "Y u16", FALSE, CANVAS_BYTES },
  { "Y' u8", FALSE, CANVAS_BINARY },     { "R'G'B' u8", FALSE, CANVAS_BINARY }, { "YA float", TRUE, CANVAS_FLOATS },
  { "RGBA float", TRUE, CANVAS_FLOATS }, { "RGBA u8", TRUE, CANVAS_BYTES },     { "R'G'B'A u8", TRUE, CANVAS_BINARY },
  { "RGBA half", TRUE, CANVAS_BINARY },  { "Y float", FALSE, CANVAS_FLOATS },   { "RGBA float", TRUE, CANVAS_FLOATS },
};

gint
canvas_random (GRand *random, gint low, gint high)
{
  return g_rand_int_range (random, low, high + 1);
}

GeglRectangle
canvas_random_rect (GRand *random, const GeglRectangle *bounds)
{
  gint width = canvas_random (random, 1, canvas_random (random, 1, bounds->width));
  gint height = canvas_random (random, 1, canvas_random (random, 1, bounds->height));

  return (GeglRectangle){ bounds->x + canvas_random (random, 0, bounds->width - width),
                          bounds->y + canvas_random (random, 0, bounds->height - height), width, height };
}

CanvasPixel *
canvas_pixel (const Canvas *canvas, gint x, gint y)
{
  return &canvas->pixels[(y - canvas->area.y) * canvas->area.width + x - canvas->area.x];
}

static gsize
count_pixels (const Canvas *canvas)
{
  return (gsize) canvas->area.width * (gsize) canvas->area.height;
}

static void
fill (Canvas *canvas, GRand *random)
{
  const Babl *format = babl_format ("YA float");
  const GeglRectangle *extent = gegl_buffer_get_extent (canvas->buffer);
  g_autofree CanvasPixel *noise = g_new (CanvasPixel, extent->width * extent->height);

  for (gint i = 0; i < extent->width * extent->height; i++)
    {
      gint top = canvas->format.depth == CANVAS_BINARY ? 1 : 255;
      CanvasPixel pixel = { (float) canvas_random (random, 0, top) / (float) top, 1.0f };

      noise[i] = *canvas_pixel (canvas, extent->x + i % extent->width, extent->y + i / extent->width) = pixel;
    }
  gegl_buffer_set (canvas->buffer, NULL, 0, format, noise, GEGL_AUTO_ROWSTRIDE);
}

Canvas *
canvas_new (GRand *random)
{
  Canvas *canvas = g_new0 (Canvas, 1);
  GeglRectangle extent = { canvas_random (random, -40, 40), canvas_random (random, -40, 40),
                           canvas_random (random, MAX_WIDTH / 2, MAX_WIDTH),
                           canvas_random (random, MAX_HEIGHT / 2, MAX_HEIGHT) };
  gint tile = 8 << canvas_random (random, 0, 4); /* 8 … 128: sometimes all of it in one tile */

  canvas->format = formats[canvas_random (random, 0, G_N_ELEMENTS (formats) - 1)];
  canvas->area = (GeglRectangle){ extent.x - MARGIN, extent.y - MARGIN, extent.width + 2 * MARGIN,
                                  extent.height + 2 * MARGIN };
  canvas->pixels = g_new0 (CanvasPixel, count_pixels (canvas));
  for (gsize i = 0; !canvas->format.alpha && i < count_pixels (canvas); i++)
    canvas->pixels[i].alpha = 1.0f;
  if (canvas_random (random, 0, 9) == 0) /* one tile that begins with the extent */
    canvas->buffer = gegl_buffer_linear_new (&extent, babl_format (canvas->format.name));
  else
    canvas->buffer = g_object_new (GEGL_TYPE_BUFFER, "x", extent.x, "y", extent.y, "width", extent.width, "height",
                                   extent.height, "tile-width", tile, "tile-height", MAX (8, tile / 2), "format",
                                   babl_format (canvas->format.name), NULL);
  fill (canvas, random);
  return canvas;
}

void
canvas_free (Canvas *canvas)
{
  if (canvas->frozen)
    gegl_buffer_thaw_changed (canvas->buffer);
  g_clear_object (&canvas->undo);
  g_clear_object (&canvas->buffer);
  g_free (canvas->undo_pixels);
  g_free (canvas->pixels);
  g_free (canvas);
}

void
canvas_read (Canvas *canvas, const GeglRectangle *rect)
{
  g_autofree CanvasPixel *now = g_new (CanvasPixel, rect->width * rect->height);

  gegl_buffer_get (canvas->buffer, rect, 1.0, babl_format ("YaA float"), now, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gint i = 0; i < rect->width * rect->height; i++)
    *canvas_pixel (canvas, rect->x + i % rect->width, rect->y + i / rect->width) = now[i];
}

void
canvas_take_buffer (Canvas *canvas, GeglBuffer *buffer, const CanvasFormat *format)
{
  GeglRectangle extent = *gegl_buffer_get_extent (buffer);

  if (canvas->frozen)
    gegl_buffer_thaw_changed (canvas->buffer);
  canvas->frozen = FALSE;
  g_clear_object (&canvas->undo);
  g_clear_pointer (&canvas->undo_pixels, g_free);
  g_object_unref (canvas->buffer);
  canvas->buffer = buffer;
  canvas->format = *format;
  canvas->area = extent;
  g_free (canvas->pixels);
  canvas->pixels = g_new0 (CanvasPixel, count_pixels (canvas));
  canvas_read (canvas, &extent);
}

void
canvas_duplicate (Canvas *canvas)
{
  GeglBuffer *copy = gegl_buffer_dup (canvas->buffer);
  const CanvasFormat format = canvas->format;

  canvas_take_buffer (canvas, copy, &format);
}

void
canvas_check (const Canvas *canvas)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (canvas->buffer);
  gint n = extent->width * extent->height;
  g_autofree CanvasPixel *now = g_new (CanvasPixel, n);

  gegl_buffer_get (canvas->buffer, extent, 1.0, babl_format ("YaA float"), now, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gint i = 0; i < n; i++)
    {
      const CanvasPixel *wanted = canvas_pixel (canvas, extent->x + i % extent->width, extent->y + i / extent->width);

      if (fabsf (now[i].alpha - wanted->alpha) > 2e-5f || fabsf (now[i].value - wanted->value) > 2e-5f)
        g_error ("the buffer of %s contains (%g, %g) at (%d, %d), not (%g, %g)", canvas->format.name, now[i].value,
                 now[i].alpha, extent->x + i % extent->width, extent->y + i / extent->width, wanted->value,
                 wanted->alpha);
    }
}
