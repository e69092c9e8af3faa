/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-writer: writes PNG with libpng, with the pipeline, the devices and the timings as text. */
#include "ui/pipeline/write/png-writer.h"

#include <glib/gi18n-lib.h>
#include <png.h>
#include <string.h>

#include "ui/pipeline/error.h"

#define BAND_BYTES (16u << 20) /* of the rows requested at a time; small bands recompute more of their surroundings */

typedef struct {
  CapraOutputFile *file;
  GError **error;
} Writer;

static void
on_error (png_structp png, png_const_charp message)
{
  Writer *writer = png_get_error_ptr (png);

  if (writer->error && !*writer->error)
    g_set_error (writer->error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot write the file: %s"),
                 message);
  longjmp (png_jmpbuf (png), 1);
}

static void
on_warning (png_structp png, png_const_charp message)
{
}

static void
on_write (png_structp png, png_bytep data, png_size_t length)
{
  Writer *writer = png_get_io_ptr (png);

  if (!capra_output_file_write (writer->file, data, length, writer->error))
    png_error (png, "write");
}

static void
on_flush (png_structp png)
{
}

static void
set_text (png_structp png, png_infop info, GHashTable *text)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, text);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      png_text entry = { .compression = PNG_ITXT_COMPRESSION_NONE,
                         .key = key,
                         .text = value,
                         .itxt_length = strlen (value),
                         .lang = NULL,
                         .lang_key = NULL };

      png_set_text (png, info, &entry, 1);
    }
}

/* Text that is known only after rendering, such as timings. */
static void
write_end (png_structp png, png_infop info, CapraPngEnd end, gpointer data)
{
  g_autoptr (GHashTable) text = end (data);

  set_text (png, info, text);
  png_write_end (png, info);
}

static void
write_head (png_structp png, png_infop info, int width, int height, int channels, int bits, gboolean srgb,
            GHashTable *text)
{
  static const int types[] = { PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA };

  png_set_IHDR (png, info, (png_uint_32) width, (png_uint_32) height, bits, types[channels - 1], PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (srgb)
    png_set_sRGB (png, info, PNG_sRGB_INTENT_RELATIVE);
  set_text (png, info, text);
  png_write_info (png, info);
  if (bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
}

/* FALSE if libpng failed (through longjmp()), or @rows did. */
static gboolean
write_all (png_structp png, png_infop info, int width, int height, int channels, int bits, gboolean srgb,
           GHashTable *text, CapraPngRows rows, CapraPngEnd end, png_infop end_info, gpointer data, guint8 *band,
           int band_rows, GError **error)
{
  gsize stride = (gsize) width * channels * (bits / 8);

  if (setjmp (png_jmpbuf (png)))
    return FALSE;
  write_head (png, info, width, height, channels, bits, srgb, text);
  for (int y = 0; y < height; y += band_rows)
    {
      int count = MIN (band_rows, height - y);

      if (!rows (y, count, band, data, error))
        return FALSE;
      for (int i = 0; i < count; i++)
        png_write_row (png, band + i * stride);
    }
  write_end (png, end_info, end, data);
  return TRUE;
}

gboolean
capra_png_write (CapraOutputFile *file, int width, int height, int channels, int bits, gboolean srgb, GHashTable *text,
                 CapraPngRows rows, CapraPngEnd end, gpointer data, GError **error)
{
  gsize stride = (gsize) width * channels * (bits / 8);
  int band_rows = (int) CLAMP (BAND_BYTES / stride, 1, (gsize) height);
  g_autofree guint8 *band = g_malloc (stride * band_rows);
  Writer writer = { file, error };
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &writer, on_error, on_warning);
  png_infop info = png_create_info_struct (png), end_info = png_create_info_struct (png);
  gboolean good;

  png_set_write_fn (png, &writer, on_write, on_flush);
  good = write_all (png, info, width, height, channels, bits, srgb, text, rows, end, end_info, data, band, band_rows,
                    error);
  png_destroy_info_struct (png, &end_info);
  png_destroy_write_struct (&png, &info);
  return good;
}
