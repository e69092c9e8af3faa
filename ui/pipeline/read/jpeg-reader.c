/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jpeg-reader: loads gray and RGB JPEG files with libjpeg. */
#include "ui/pipeline/read/jpeg-reader.h"

#include <glib/gi18n-lib.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "ui/pipeline/error.h"

#define ICC_MARKER (JPEG_APP0 + 2)
#define BAND 128 /* rows; the height of GEGL's tiles */

/* libjpeg fails through longjmp(). What it must free then is stored here, not in variables of functions. */
typedef struct {
  struct jpeg_decompress_struct decompress;
  struct jpeg_error_mgr errors;
  jmp_buf failed;
  char message[JMSG_LENGTH_MAX]; /* of the error, or of the first warning */
  JOCTET *profile;
  guint profile_length;
  GeglBuffer *buffer;
  guint8 *band;
} Reader;

static void
on_error (j_common_ptr common)
{
  Reader *reader = common->client_data;

  common->err->format_message (common, reader->message);
  longjmp (reader->failed, 1);
}

/* @level: negative for a warning. libjpeg would print it. */
static void
on_message (j_common_ptr common, int level)
{
  Reader *reader = common->client_data;

  if (level < 0 && common->err->num_warnings++ == 0)
    common->err->format_message (common, reader->message);
}

/* NULL for other colors than gray and RGB. */
static const Babl *
choose_format (Reader *reader)
{
  const Babl *space = NULL;
  const char *fault = NULL;

  if (reader->decompress.out_color_space != JCS_GRAYSCALE && reader->decompress.out_color_space != JCS_RGB)
    return NULL;
  if (jpeg_read_icc_profile (&reader->decompress, &reader->profile, &reader->profile_length))
    space = babl_space_from_icc ((const char *) reader->profile, (int) reader->profile_length,
                                 BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &fault);
  return babl_format_with_space (reader->decompress.out_color_space == JCS_RGB ? "R'G'B' u8" : "Y' u8", space);
}

static void
read_rows (Reader *reader, const Babl *format)
{
  int width = (int) reader->decompress.output_width, height = (int) reader->decompress.output_height;
  gsize stride = (gsize) width * (gsize) reader->decompress.output_components;

  reader->band = g_malloc (stride * BAND);
  for (int y = 0; y < height; y += BAND)
    {
      int rows = MIN (BAND, height - y), i = 0;

      while (i < rows)
        {
          JSAMPROW row = reader->band + (gsize) i * stride;

          i += (int) jpeg_read_scanlines (&reader->decompress, &row, 1);
        }
      gegl_buffer_set (reader->buffer, GEGL_RECTANGLE (0, y, width, rows), 0, format, reader->band, (int) stride);
    }
}

/* FALSE if libjpeg failed. */
static gboolean
read_image (Reader *reader, const guint8 *bytes, gsize length, CapraImageSizeFunc on_size, gpointer data)
{
  const Babl *format;
  GeglRectangle extent = { 0, 0, 0, 0 };

  if (setjmp (reader->failed))
    return FALSE;
  jpeg_create_decompress (&reader->decompress);
  jpeg_save_markers (&reader->decompress, ICC_MARKER, 0xFFFF);
  jpeg_mem_src (&reader->decompress, bytes, length);
  jpeg_read_header (&reader->decompress, TRUE);
  format = choose_format (reader);
  if (!format)
    return TRUE;
  reader->decompress.dct_method = JDCT_FLOAT; /* as in gegl:jpg-load */
  extent.width = (int) reader->decompress.image_width;
  extent.height = (int) reader->decompress.image_height;
  if (on_size)
    on_size ((guint64) extent.width * (guint64) extent.height * (guint64) babl_format_get_bytes_per_pixel (format),
             data);
  jpeg_start_decompress (&reader->decompress);
  reader->buffer = gegl_buffer_new (&extent, format);
  read_rows (reader, format);
  jpeg_finish_decompress (&reader->decompress);
  return TRUE;
}

gboolean
capra_jpeg_load (const char *path, GeglBuffer **buffer, char **damage, CapraImageSizeFunc on_size, gpointer data,
                 GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  g_autofree Reader *reader = g_new0 (Reader, 1);
  gboolean good;

  *buffer = NULL;
  *damage = NULL;
  if (!map)
    return FALSE;
  reader->decompress.err = jpeg_std_error (&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->decompress.client_data = reader;
  good = read_image (reader, (const guint8 *) g_mapped_file_get_contents (map), g_mapped_file_get_length (map), on_size,
                     data);
  if (!good)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file is damaged or incomplete: %s"),
                 reader->message);
  else if (reader->buffer && *reader->message)
    *damage = g_strdup_printf (_ ("Parts of the image are damaged: %s"), reader->message);
  if (good)
    *buffer = g_steal_pointer (&reader->buffer);
  jpeg_destroy_decompress (&reader->decompress);
  g_clear_object (&reader->buffer);
  g_free (reader->band);
  free (reader->profile);
  return good;
}
