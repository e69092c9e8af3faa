/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: the functions of GEGL that write to a buffer. */
#include "tests/plugin/stale/canvas.h"

#include <string.h>

/* The side of a pattern. */
#define PATTERN 7

/* One write. */
typedef struct {
  Canvas *canvas;
  GeglBuffer *handle;
  const Canvas *other;
  GRand *random;
  GeglRectangle rect; /* what is written, within the handle's extent */
} Write;

/* Formats in which pixels are written. */
static const CanvasFormat sources[] = {
  { "Y float", FALSE, CANVAS_FLOATS },      { "Y u8", FALSE, CANVAS_BYTES },
  { "Y' u8", FALSE, CANVAS_BINARY },        { "R'G'B' u8", FALSE, CANVAS_BINARY },
  { "YA float", TRUE, CANVAS_FLOATS },      { "RGBA float", TRUE, CANVAS_FLOATS },
  { "RGBA u8", TRUE, CANVAS_BYTES },        { "R'G'B'A u8", TRUE, CANVAS_BINARY },
  { "R'G'B'A float", TRUE, CANVAS_BINARY },
};

/* A random format to write in; half of the time that of the buffer. */
static CanvasFormat
choose_format (const Write *write)
{
  const CanvasFormat *format = &sources[canvas_random (write->random, 0, G_N_ELEMENTS (sources) - 1)];

  if ((format->alpha && !write->canvas->format.alpha) || canvas_random (write->random, 0, 1))
    return (CanvasFormat){ NULL, write->canvas->format.alpha, write->canvas->format.depth };
  return *format;
}

static const Babl *
get_babl (const Write *write, const CanvasFormat *format)
{
  return format->name ? babl_format (format->name) : gegl_buffer_get_format (write->handle);
}

/* The largest number of values that the buffer and @format store exactly. */
static gint
get_top (const Write *write, const CanvasFormat *format)
{
  return MIN (write->canvas->format.depth, format->depth) == CANVAS_BINARY ? 1 : 255;
}

static CanvasPixel
random_pixel (const Write *write, const CanvasFormat *format)
{
  gint top = get_top (write, format);

  return (CanvasPixel){ (float) canvas_random (write->random, 0, top) / (float) top,
                        format->alpha ? (float) canvas_random (write->random, 0, top) / (float) top : 1.0f };
}

static CanvasPixel
associate (CanvasPixel straight)
{
  return (CanvasPixel){ straight.value * straight.alpha, straight.alpha };
}

/* Sets the known pixels of the rectangle to straight ones; a @step of 0 repeats one pixel. */
static void
know (const Write *write, const CanvasPixel *pixels, gint step)
{
  const GeglRectangle *rect = &write->rect;

  for (gint i = 0; i < rect->width * rect->height; i++)
    *canvas_pixel (write->canvas, rect->x + i % rect->width, rect->y + i / rect->width) = associate (pixels[i * step]);
}

/* New pixels for the rectangle, which become the known ones, in @format. */
static guchar *
new_pixels (const Write *write, const CanvasFormat *format)
{
  const Babl *babl = get_babl (write, format);
  gint n = write->rect.width * write->rect.height;
  g_autofree CanvasPixel *pixels = g_new (CanvasPixel, n);
  guchar *bytes = g_malloc ((gsize) n * babl_format_get_bytes_per_pixel (babl));
  gboolean flat = canvas_random (write->random, 0, 2) == 0;

  for (gint i = 0; i < n; i++)
    pixels[i] = flat && i > 0 ? pixels[0] : random_pixel (write, format);
  know (write, pixels, 1);
  babl_process (babl_fish (babl_format ("YA float"), babl), pixels, bytes, n);
  return bytes;
}

static void
write_set (Write *write)
{
  CanvasFormat format = choose_format (write);
  g_autofree guchar *bytes = new_pixels (write, &format);

  gegl_buffer_set (write->handle, &write->rect, 0, get_babl (write, &format), bytes, GEGL_AUTO_ROWSTRIDE);
}

/* A reduced level: the pixels themselves do not change. */
static void
write_level (Write *write)
{
  GeglRectangle half = { write->rect.x / 2, write->rect.y / 2, write->rect.width / 2, write->rect.height / 2 };
  const Babl *format = babl_format ("Y float");
  g_autofree float *values = g_new0 (float, half.width * half.height + 1);

  if (half.width > 0 && half.height > 0)
    gegl_buffer_set (write->handle, &half, 1, format, values, GEGL_AUTO_ROWSTRIDE);
}

static void
write_clear (Write *write)
{
  CanvasPixel zero = { 0.0f, write->canvas->format.alpha ? 0.0f : 1.0f };

  gegl_buffer_clear (write->handle, &write->rect);
  know (write, &zero, 0);
}

static void
write_color (Write *write)
{
  CanvasFormat format = { "YA float", write->canvas->format.alpha, write->canvas->format.depth };
  CanvasPixel pixel = random_pixel (write, &format);
  GeglColor *color = gegl_color_new ("black");

  gegl_color_set_pixel (color, babl_format ("YA float"), &pixel);
  gegl_buffer_set_color (write->handle, &write->rect, color);
  g_object_unref (color);
  know (write, &pixel, 0);
}

static void
write_color_pixel (Write *write)
{
  CanvasFormat format = { "YA float", write->canvas->format.alpha, write->canvas->format.depth };
  CanvasPixel pixel = random_pixel (write, &format);

  gegl_buffer_set_color_from_pixel (write->handle, &write->rect, &pixel, babl_format ("YA float"));
  know (write, &pixel, 0);
}

static gint
modulo (gint a, gint b)
{
  return (a % b + b) % b;
}

static void
write_pattern (Write *write)
{
  CanvasFormat format = { "YA float", write->canvas->format.alpha, write->canvas->format.depth };
  g_autoptr (GeglBuffer) pattern = gegl_buffer_new (GEGL_RECTANGLE (0, 0, PATTERN, PATTERN), babl_format ("YA float"));
  gint x = canvas_random (write->random, -9, 9), y = canvas_random (write->random, -9, 9);
  CanvasPixel pixels[PATTERN * PATTERN];

  for (gint i = 0; i < PATTERN * PATTERN; i++)
    pixels[i] = random_pixel (write, &format);
  gegl_buffer_set (pattern, NULL, 0, babl_format ("YA float"), pixels, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set_pattern (write->handle, &write->rect, pattern, x, y);
  for (gint i = 0; i < write->rect.width * write->rect.height; i++)
    {
      gint column = write->rect.x + i % write->rect.width, row = write->rect.y + i / write->rect.width;

      *canvas_pixel (write->canvas, column, row) = associate (
        pixels[modulo (row - y, PATTERN) * PATTERN + modulo (column - x, PATTERN)]);
    }
}

/* Copies from another canvas, aligned with its tiles or not. */
static void
write_copy (Write *write)
{
  const Canvas *other = write->other;
  const GeglRectangle *extent = gegl_buffer_get_extent (other->buffer);
  gboolean aligned = canvas_random (write->random, 0, 1);
  gint x = aligned ? 0 : canvas_random (write->random, -9, 9), y = aligned ? 0 : canvas_random (write->random, -9, 9);
  GeglRectangle from = { write->rect.x + x, write->rect.y + y, write->rect.width, write->rect.height };
  GeglRectangle seen;

  if (other == write->canvas || other->format.depth > write->canvas->format.depth
      || other->format.alpha != write->canvas->format.alpha || !gegl_rectangle_intersect (&seen, &from, extent))
    {
      write_set (write);
      return;
    }
  write->rect = (GeglRectangle){ seen.x - x, seen.y - y, seen.width, seen.height };
  gegl_buffer_copy (other->buffer, &seen, GEGL_ABYSS_NONE, write->handle, &write->rect);
  for (gint i = 0; i < seen.width * seen.height; i++)
    *canvas_pixel (write->canvas, write->rect.x + i % seen.width, write->rect.y + i / seen.width) = *canvas_pixel (
      other, seen.x + i % seen.width, seen.y + i / seen.width);
}

/* Puts the pixels on the undo stack, or copies them back from there. */
static void
write_undo (Write *write)
{
  Canvas *canvas = write->canvas;
  gsize bytes = sizeof (CanvasPixel) * (gsize) canvas->area.width * (gsize) canvas->area.height;
  GeglRectangle kept;

  if (!canvas->undo || canvas_random (write->random, 0, 3) == 0)
    {
      g_clear_object (&canvas->undo);
      g_free (canvas->undo_pixels);
      canvas->undo = gegl_buffer_dup (canvas->buffer);
      canvas->undo_pixels = g_memdup2 (canvas->pixels, bytes);
      write_set (write);
      return;
    }
  if (canvas_random (write->random, 0, 1))
    write->rect = *gegl_buffer_get_extent (write->handle);
  if (!gegl_rectangle_intersect (&kept, &write->rect, gegl_buffer_get_extent (canvas->undo)))
    return;
  write->rect = kept;
  gegl_buffer_copy (canvas->undo, &write->rect, GEGL_ABYSS_NONE, write->handle, &write->rect);
  for (gint y = write->rect.y; y < write->rect.y + write->rect.height; y++)
    {
      CanvasPixel *row = canvas_pixel (canvas, write->rect.x, y);

      memcpy (row, canvas->undo_pixels + (row - canvas->pixels), sizeof *row * (gsize) write->rect.width);
    }
}

static void
write_iterator (Write *write)
{
  CanvasFormat format = choose_format (write);
  const Babl *babl = get_babl (write, &format);
  gint bpp = babl_format_get_bytes_per_pixel (babl);
  g_autofree guchar *bytes = new_pixels (write, &format);
  gboolean read = canvas_random (write->random, 0, 1);
  GeglBufferIterator *iterator = gegl_buffer_iterator_new (
    write->handle, &write->rect, 0, babl, read ? GEGL_ACCESS_READWRITE : GEGL_ACCESS_WRITE, GEGL_ABYSS_NONE, 1);

  while (gegl_buffer_iterator_next (iterator))
    {
      const GeglRectangle *roi = &iterator->items[0].roi;

      for (gint y = 0; y < roi->height; y++)
        memcpy ((guchar *) iterator->items[0].data + y * roi->width * bpp,
                bytes + ((roi->y + y - write->rect.y) * write->rect.width + roi->x - write->rect.x) * bpp,
                (gsize) (roi->width * bpp));
    }
}

static void
write_opened (Write *write)
{
  CanvasFormat format = { NULL, write->canvas->format.alpha, write->canvas->format.depth };
  const GeglRectangle *extent = gegl_buffer_get_extent (write->handle);
  gint bpp = babl_format_get_bytes_per_pixel (get_babl (write, &format)), stride = 0;
  g_autofree guchar *bytes = new_pixels (write, &format);
  guchar *data = gegl_buffer_linear_open (write->handle, NULL, &stride, NULL);

  for (gint y = 0; y < write->rect.height; y++)
    memcpy (data + (write->rect.y + y - extent->y) * stride + (write->rect.x - extent->x) * bpp,
            bytes + y * write->rect.width * bpp, (gsize) (write->rect.width * bpp));
  gegl_buffer_linear_close (write->handle, data);
}

/* Whether GEGL takes the first tile of @buffer for all of it, although it begins elsewhere. */
static gboolean
opens_wrong_tile (GeglBuffer *buffer)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (buffer);
  gint x = 0, y = 0, width = 0, height = 0;

  g_object_get (buffer, "shift-x", &x, "shift-y", &y, "tile-width", &width, "tile-height", &height, NULL);
  return extent->width == width && extent->height <= height && (extent->x + x != 0 || extent->y + y != 0);
}

/* All of the handle, which may be one tile. */
static void
write_linear (Write *write)
{
  if (opens_wrong_tile (write->handle))
    write_set (write);
  else
    write_opened (write);
}

static gint
tile_index (gint at, gint size)
{
  return at >= 0 ? at / size : -((size - 1 - at) / size);
}

/* The memory of a tile: nobody is told. */
static void
write_tile (Write *write)
{
  CanvasFormat format = { NULL, write->canvas->format.alpha, write->canvas->format.depth };
  GeglBuffer *buffer = write->canvas->buffer;
  gint bpp = babl_format_get_bytes_per_pixel (gegl_buffer_get_format (buffer));
  gint shift_x = 0, shift_y = 0, width = 0, height = 0, column = 0, row = 0;
  GeglRectangle place;
  g_autofree guchar *bytes = NULL;
  GeglTile *tile = NULL;

  g_object_get (buffer, "shift-x", &shift_x, "shift-y", &shift_y, "tile-width", &width, "tile-height", &height, NULL);
  column = tile_index (write->rect.x + shift_x, width);
  row = tile_index (write->rect.y + shift_y, height);
  place = (GeglRectangle){ column * width - shift_x, row * height - shift_y, width, height };
  gegl_rectangle_intersect (&write->rect, &write->rect, &place);
  bytes = new_pixels (write, &format);
  tile = gegl_buffer_get_tile (buffer, column, row, 0);
  gegl_tile_lock (tile);
  for (gint y = 0; y < write->rect.height; y++)
    memcpy (gegl_tile_get_data (tile) + ((write->rect.y + y - place.y) * width + write->rect.x - place.x) * bpp,
            bytes + y * write->rect.width * bpp, (gsize) (write->rect.width * bpp));
  gegl_tile_unlock (tile);
  gegl_tile_unref (tile);
}

/* The signal "changed" waits until the next write of this kind. */
static void
write_frozen (Write *write)
{
  Canvas *canvas = write->canvas;

  if (!canvas->frozen)
    gegl_buffer_freeze_changed (canvas->buffer);
  write_set (write);
  if (canvas->frozen)
    gegl_buffer_thaw_changed (canvas->buffer);
  canvas->frozen = !canvas->frozen;
}

static const struct {
  const char *name;
  void (*func) (Write *write);
} doors[] = {
  { "set", write_set },         { "set", write_set },           { "level", write_level },
  { "clear", write_clear },     { "color", write_color },       { "color pixel", write_color_pixel },
  { "pattern", write_pattern }, { "copy", write_copy },         { "undo", write_undo },
  { "undo", write_undo },       { "iterator", write_iterator }, { "iterator", write_iterator },
  { "linear", write_linear },   { "tile", write_tile },         { "frozen", write_frozen },
};

GeglRectangle
canvas_write (Canvas *canvas, GeglBuffer *handle, const Canvas *other, GRand *random, const char **door)
{
  guint i = (guint) canvas_random (random, 0, G_N_ELEMENTS (doors) - 1);
  Write write = { canvas, handle, other, random, canvas_random_rect (random, gegl_buffer_get_extent (handle)) };

  *door = doors[i].name;
  doors[i].func (&write);
  if (canvas_random (random, 0, 3) == 0)
    gegl_buffer_flush (handle);
  return write.rect;
}
