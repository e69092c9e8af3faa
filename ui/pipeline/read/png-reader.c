/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-reader: reads the samples of PNG files with libpng, without its conversions. */
#include "ui/pipeline/read/png-reader.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <png.h>

#include "ui/pipeline/error.h"

/* Deflate compresses by a factor of at most 1032: a file that is too small for its dimensions is damaged. */
#define MAX_COMPRESSION 1100

typedef struct {
  FILE *file;
  png_structp png;
  png_infop info;
  char *message;
  CapraSampleLayout layout;
  int passes;
  guint8 *band; /* some rows; all rows of an interlaced image */
} Reader;

static void
on_error (png_structp png, png_const_charp message)
{
  Reader *reader = png_get_error_ptr (png);

  if (!reader->message)
    reader->message = g_strdup (message);
  longjmp (png_jmpbuf (png), 1);
}

static void
on_warning (png_structp png, png_const_charp message)
{
}

/* FALSE if libpng failed (through longjmp()). */
static gboolean
read_header (Reader *reader)
{
  png_uint_32 width, height;
  int bits, color;

  if (setjmp (png_jmpbuf (reader->png)))
    return FALSE;
  png_init_io (reader->png, reader->file);
  png_set_user_limits (reader->png, 1 << 26, 1 << 26);
  png_read_info (reader->png, reader->info);
  png_get_IHDR (reader->png, reader->info, &width, &height, &bits, &color, NULL, NULL, NULL);
  png_set_packing (reader->png); /* one byte per sample, not scaled */
  if (bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (reader->png);
  reader->passes = png_set_interlace_handling (reader->png);
  png_read_update_info (reader->png, reader->info);
  reader->layout = (CapraSampleLayout){ .width = (int) width,
                                        .height = (int) height,
                                        .channels = png_get_channels (reader->png, reader->info),
                                        .type = bits == 16 ? CAPRA_SAMPLE_U16 : CAPRA_SAMPLE_U8 };
  return TRUE;
}

/* Reads the next @rows rows, in all passes. */
static gboolean
read_band (Reader *reader, int rows, gsize stride)
{
  if (setjmp (png_jmpbuf (reader->png)))
    return FALSE;
  for (int pass = 0; pass < reader->passes; pass++)
    for (int i = 0; i < rows; i++)
      png_read_row (reader->png, reader->band + (gsize) i * stride, NULL);
  return TRUE;
}

static gboolean
read_end (Reader *reader)
{
  if (setjmp (png_jmpbuf (reader->png)))
    return FALSE;
  png_read_end (reader->png, NULL);
  return TRUE;
}

static gboolean
fail_damaged (Reader *reader, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file is damaged or incomplete: %s"),
               reader->message ? reader->message : "PNG");
  return FALSE;
}

static gboolean
read_rows (Reader *reader, const CapraSampleSink *sink, GError **error)
{
  const CapraSampleLayout *layout = &reader->layout;
  gsize stride = capra_sample_layout_get_stride (layout);
  int step = reader->passes > 1 ? layout->height : capra_sample_layout_get_band_rows (layout);

  reader->band = g_try_malloc0 (stride * (gsize) step);
  if (!reader->band)
    return fail_damaged (reader, error);
  for (int y = 0; y < layout->height; y += step)
    {
      int rows = MIN (step, layout->height - y);

      if (!read_band (reader, rows, stride))
        return fail_damaged (reader, error);
      if (!sink->rows (y, rows, reader->band, sink->data, error))
        return FALSE;
    }
  return read_end (reader) || fail_damaged (reader, error);
}

static gboolean
check_length (Reader *reader, const char *path, GError **error)
{
  guint64 bytes = (guint64) capra_sample_layout_get_stride (&reader->layout) * (guint64) reader->layout.height;
  GStatBuf status;

  if (g_stat (path, &status) == 0 && bytes / MAX_COMPRESSION / 8 <= (guint64) status.st_size) /* 8: samples of 1 bit */
    return TRUE;
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                       _ ("The file is incomplete: the end of the image is missing"));
  return FALSE;
}

gboolean
capra_png_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error)
{
  Reader reader = { .file = g_fopen (path, "rb") };
  gboolean good;

  if (!reader.file)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot read the file: %s"),
                   g_strerror (errno));
      return FALSE;
    }
  reader.png = png_create_read_struct (PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  reader.info = png_create_info_struct (reader.png);
  good = (read_header (&reader) || fail_damaged (&reader, error)) && capra_sample_layout_check (&reader.layout, error)
         && check_length (&reader, path, error) && sink->begin (&reader.layout, sink->data, error)
         && read_rows (&reader, sink, error);
  if (good && remark && png_get_color_type (reader.png, reader.info) == PNG_COLOR_TYPE_PALETTE)
    *remark = g_strdup (_ ("the image has a palette; its values are indices"));
  png_destroy_read_struct (&reader.png, &reader.info, NULL);
  fclose (reader.file);
  g_free (reader.band);
  g_free (reader.message);
  return good;
}
