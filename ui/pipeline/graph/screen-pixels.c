/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screen-pixels: converts values to pixels of the screen.
 *
 * babl converts the usual formats in several steps, through memory. The functions below need one, and read GEGL's tiles
 * where they are. */
#include "ui/pipeline/graph/screen-pixels.h"

#include <gegl-plugin.h>
#include <math.h>

#define CHECK_LIGHT 0x99
#define CHECK_DARK 0x66
#define LEVELS 65536            /* the darkest ones are 0.05 of 255 levels apart */
#define PIXELS_PER_THREAD 16384 /* that take as long as to start a thread */
#define OPAQUE 0xff000000u

void
capra_screen_pixels_composite (guint32 *pixels, const GeglRectangle *rect, int check, int stride)
{
  int shift = g_bit_nth_lsf ((gulong) check, -1);

  for (int y = 0; y < rect->height; y++)
    {
      guint32 *row = (guint32 *) ((guint8 *) pixels + (gsize) y * (gsize) stride);

      for (int x = 0; x < rect->width; x++)
        {
          guint32 pixel = row[x], left = 255 - (pixel >> 24), shade, gray;

          if (left == 0)
            continue;
          shade = ((((rect->x + x) >> shift) + ((rect->y + y) >> shift)) & 1) ? CHECK_DARK : CHECK_LIGHT;
          gray = (shade * left + 127) / 255;
          row[x] = pixel + (gray | gray << 8 | gray << 16 | left << 24);
        }
    }
}

static guint32
multiply (guint32 color, float alpha)
{
  guint32 scaled = 0;

  for (int shift = 16; shift >= 0; shift -= 8)
    scaled = scaled << 8 | (guint32) ((float) (color >> shift & 255) * alpha + 0.5f);
  return (guint32) (alpha * 255.0f + 0.5f) << 24 | scaled;
}

static inline gboolean
is_missing (const float *values, int channels)
{
  for (int c = 0; c < channels; c++)
    if (isnan (values[c]))
      return TRUE;
  return FALSE;
}

static inline guint32
get_level (const guint8 *levels, float value)
{
  return levels[value > 0.0f ? (value < 1.0f ? (guint) (value * (LEVELS - 1) + 0.5f) : LEVELS - 1) : 0];
}

/* Inlined for each kind of channels. */
static inline __attribute__ ((always_inline)) void
convert_channels (const guint8 *levels, const float *values, int colors, gboolean has_alpha, gboolean associated,
                  int count, guint32 *pixels)
{
  int channels = colors + (has_alpha ? 1 : 0);

  for (int x = 0; x < count; x++, values += channels)
    {
      float alpha = has_alpha ? values[colors] : 1.0f, factor = 1.0f;
      guint32 color;

      if (is_missing (values, channels) || alpha <= 0.0f)
        {
          pixels[x] = 0;
          continue;
        }
      if (associated && alpha != 1.0f)
        factor = 1.0f / alpha;
      color = get_level (levels, values[0] * factor);
      color = colors == 1
                ? color * 0x010101u
                : color << 16 | get_level (levels, values[1] * factor) << 8 | get_level (levels, values[2] * factor);
      pixels[x] = alpha >= 1.0f ? OPAQUE | color : multiply (color, alpha);
    }
}

static void
convert_floats (const CapraScreenPixels *self, gconstpointer values, int count, guint32 *pixels)
{
  if (self->gray && self->alpha)
    convert_channels (self->levels, values, 1, TRUE, self->associated, count, pixels);
  else if (self->gray)
    convert_channels (self->levels, values, 1, FALSE, FALSE, count, pixels);
  else if (self->alpha && self->associated)
    convert_channels (self->levels, values, 3, TRUE, TRUE, count, pixels);
  else if (self->alpha)
    convert_channels (self->levels, values, 3, TRUE, FALSE, count, pixels);
  else
    convert_channels (self->levels, values, 3, FALSE, FALSE, count, pixels);
}

static void
convert_bytes (const CapraScreenPixels *self, gconstpointer data, int count, guint32 *pixels)
{
  const guint8 *values = data;
  int colors = self->gray ? 1 : 3;

  for (int x = 0; x < count; x++, values += self->channels)
    {
      guint32 color = self->gray ? values[0] * 0x010101u : (guint32) (values[0] << 16 | values[1] << 8 | values[2]);

      pixels[x] = !self->alpha || values[colors] == 255 ? OPAQUE | color : multiply (color, values[colors] / 255.0f);
    }
}

static void
convert_stretched (const CapraScreenPixels *self, gconstpointer data, int count, guint32 *pixels)
{
  const float *values = data;

  for (int x = 0; x < count; x++, values += self->channels)
    {
      float alpha = CLAMP (values[self->channels - 1], 0.0f, 1.0f);
      guint32 color = 0;

      if (is_missing (values, self->channels))
        {
          pixels[x] = 0;
          continue;
        }
      if (self->gray)
        color = capra_stretch_table_get (self->table, values[0]) * 0x010101u;
      else
        for (int c = 0; c < 3; c++)
          color = color << 8 | capra_stretch_table_get (self->table, values[c]);
      pixels[x] = alpha < 1.0f ? multiply (color, alpha) : OPAQUE | color;
    }
}

/* In formats for which there is no other function. */
static void
convert_with_babl (const CapraScreenPixels *self, gconstpointer data, int count, guint32 *pixels)
{
  babl_process (babl_fish (self->format, babl_format ("cairo-ARGB32")), data, pixels, count);
}

/* As convert_with_babl(), of RGBA or YA floats. */
static void
convert_floats_with_babl (const CapraScreenPixels *self, gconstpointer data, int count, guint32 *pixels)
{
  const float *values = data;

  convert_with_babl (self, data, count, pixels);
  for (int x = 0; x < count; x++, values += self->channels)
    if (is_missing (values, self->channels))
      pixels[x] = 0;
}

/* What babl makes of linear or perceptual values. */
static const guint8 *
get_levels (gboolean linear)
{
  static gsize filled = 0;
  static guint8 levels[2][LEVELS];

  if (g_once_init_enter (&filled))
    {
      g_autofree float *values = g_new (float, LEVELS);

      for (int i = 0; i < LEVELS; i++)
        values[i] = (float) i / (LEVELS - 1);
      babl_process (babl_fish (babl_format ("Y' float"), babl_format ("Y' u8")), values, levels[0], LEVELS);
      babl_process (babl_fish (babl_format ("Y float"), babl_format ("Y' u8")), values, levels[1], LEVELS);
      g_once_init_leave (&filled, 1);
    }
  return levels[!!linear];
}

static gboolean
has_type (const Babl *format, const char *name)
{
  return babl_format_get_type (format, 0) == babl_type (name);
}

/* Sets what is known of the channels. Returns FALSE for formats that only babl converts. */
static gboolean
find_channels (CapraScreenPixels *self, const Babl *format, gboolean *linear)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));

  *self = (CapraScreenPixels){ .format = format };
  self->channels = babl_format_get_n_components (format);
  self->gray = (flags & BABL_MODEL_FLAG_GRAY) != 0;
  self->alpha = babl_format_has_alpha (format);
  self->associated = (flags & BABL_MODEL_FLAG_ASSOCIATED) != 0;
  *linear = (flags & BABL_MODEL_FLAG_LINEAR) != 0;
  return babl_format_get_space (format) == babl_space ("sRGB") && !babl_format_is_palette (format)
         && (flags & (BABL_MODEL_FLAG_GRAY | BABL_MODEL_FLAG_RGB))
         && (flags & (BABL_MODEL_FLAG_LINEAR | BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL))
         && self->channels == (self->gray ? 1 : 3) + self->alpha;
}

static gboolean
can_be_missing (const Babl *format)
{
  return has_type (format, "float") || has_type (format, "double") || has_type (format, "half");
}

static const Babl *
get_float_format (const Babl *own)
{
  gboolean gray = (babl_get_model_flags (babl_format_get_model (own)) & BABL_MODEL_FLAG_GRAY) != 0;

  return babl_format_with_space (gray ? "YA float" : "RGBA float", babl_format_get_space (own));
}

const Babl *
capra_screen_pixels_get_scaled_format (const Babl *own, const CapraStretchTable *table)
{
  return table || can_be_missing (own) ? get_float_format (own) : babl_format ("cairo-ARGB32");
}

void
capra_screen_pixels_init (CapraScreenPixels *self, const Babl *own, const CapraStretchTable *table)
{
  gboolean linear = FALSE, known = find_channels (self, own, &linear);

  self->convert = convert_with_babl;
  if (!table && known && has_type (own, "float"))
    {
      self->levels = get_levels (linear);
      self->convert = convert_floats;
    }
  else if (!table && known && has_type (own, "u8") && !linear && !self->associated)
    self->convert = convert_bytes;
  else if (table || can_be_missing (own))
    {
      find_channels (self, get_float_format (own), &linear);
      self->convert = table ? convert_stretched : convert_floats_with_babl;
      self->table = table;
    }
}

typedef struct {
  const CapraScreenPixels *screen;
  GeglBuffer *buffer;
  const GeglRectangle *rect;
  guint32 *pixels;
  gsize stride;
} Conversion;

static void
convert_area (const GeglRectangle *area, gpointer data)
{
  const Conversion *c = data;
  const Babl *format = c->screen->format;
  gsize pixel = (gsize) babl_format_get_bytes_per_pixel (format);
  GeglBufferIterator *iterator = gegl_buffer_iterator_new (c->buffer, area, 0, format, GEGL_ACCESS_READ,
                                                           GEGL_ABYSS_NONE, 1);

  while (gegl_buffer_iterator_next (iterator))
    {
      const GeglRectangle *part = &iterator->items[0].roi;
      const guint8 *from = iterator->items[0].data;
      guint8 *to = (guint8 *) (c->pixels + part->x - c->rect->x) + (gsize) (part->y - c->rect->y) * c->stride;

      for (int y = 0; y < part->height; y++, from += pixel * (gsize) part->width, to += c->stride)
        c->screen->convert (c->screen, from, part->width, (guint32 *) (gpointer) to);
    }
}

void
capra_screen_pixels_convert_buffer (const CapraScreenPixels *self, GeglBuffer *buffer, const GeglRectangle *rect,
                                    guint32 *pixels, int stride)
{
  Conversion conversion = { self, buffer, rect, pixels, (gsize) stride };

  gegl_parallel_distribute_area (rect, PIXELS_PER_THREAD, GEGL_SPLIT_STRATEGY_HORIZONTAL, convert_area, &conversion);
}
