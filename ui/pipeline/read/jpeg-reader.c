/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jpeg-reader: loads gray and RGB JPEG files with libjpeg. */
#include "ui/pipeline/read/jpeg-reader.h"

#include <glib/gi18n-lib.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jpeglib.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/regular-file.h"

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
  guint64 max_bytes; /* without a buffer: of the pixels */
  guint8 *pixels;    /* instead of the buffer */
} Reader;

struct _CapraJpegPixels {
  int width, height, channels;
  guint8 *data;
  guint8 *profile; /* (nullable) */
  guint profile_length;
};

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

/* The format of an image with 1 or 3 channels. @profile: (nullable) */
static const Babl *
get_format (int channels, const guint8 *profile, guint length)
{
  const Babl *space = NULL;
  const char *fault = NULL;

  if (profile)
    space = babl_space_from_icc ((const char *) profile, (int) length, BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &fault);
  return babl_format_with_space (channels == 3 ? "R'G'B' u8" : "Y' u8", space);
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

/* Reads everything before the pixels. Returns the number of channels, 0 for other colors than gray and RGB. */
static int
read_header (Reader *reader, const guint8 *bytes, gsize length)
{
  jpeg_create_decompress (&reader->decompress);
  jpeg_save_markers (&reader->decompress, ICC_MARKER, 0xFFFF);
  jpeg_mem_src (&reader->decompress, bytes, length);
  jpeg_read_header (&reader->decompress, TRUE);
  if (reader->decompress.out_color_space != JCS_GRAYSCALE && reader->decompress.out_color_space != JCS_RGB)
    return 0;
  jpeg_read_icc_profile (&reader->decompress, &reader->profile, &reader->profile_length);
  reader->decompress.dct_method = JDCT_FLOAT; /* as in gegl:jpg-load */
  return reader->decompress.out_color_space == JCS_RGB ? 3 : 1;
}

/* FALSE if libjpeg failed. */
static gboolean
read_image (Reader *reader, const guint8 *bytes, gsize length, CapraImageSizeFunc on_size, gpointer data)
{
  const Babl *format;
  GeglRectangle extent = { 0, 0, 0, 0 };
  int channels;

  if (setjmp (reader->failed))
    return FALSE;
  channels = read_header (reader, bytes, length);
  if (!channels)
    return TRUE;
  format = get_format (channels, reader->profile, reader->profile_length);
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

/* Reads all rows to memory. FALSE if libjpeg failed or warned, or the image is too large. */
static gboolean
read_pixels (Reader *reader, const guint8 *bytes, gsize length)
{
  gsize stride, height;
  int channels;

  if (setjmp (reader->failed))
    return FALSE;
  channels = read_header (reader, bytes, length);
  stride = (gsize) reader->decompress.image_width * (gsize) channels;
  height = reader->decompress.image_height;
  if (!channels || stride * height > reader->max_bytes)
    return FALSE;
  jpeg_start_decompress (&reader->decompress);
  reader->pixels = g_malloc (stride * height);
  while (reader->decompress.output_scanline < reader->decompress.output_height)
    {
      JSAMPROW row = reader->pixels + reader->decompress.output_scanline * stride;

      jpeg_read_scanlines (&reader->decompress, &row, 1);
    }
  jpeg_finish_decompress (&reader->decompress);
  return !*reader->message;
}

static Reader *
reader_new (void)
{
  Reader *reader = g_new0 (Reader, 1);

  reader->decompress.err = jpeg_std_error (&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->decompress.client_data = reader;
  return reader;
}

static void
reader_free (Reader *reader)
{
  jpeg_destroy_decompress (&reader->decompress);
  g_clear_object (&reader->buffer);
  g_free (reader->band);
  g_free (reader->pixels);
  free (reader->profile);
  g_free (reader);
}

CapraJpegPixels *
capra_jpeg_decode (const char *path, guint64 max_bytes)
{
  int descriptor = capra_open_regular (path, NULL);
  g_autoptr (GMappedFile) map = descriptor >= 0 ? g_mapped_file_new_from_fd (descriptor, FALSE, NULL) : NULL;
  const guint8 *bytes = map ? (const guint8 *) g_mapped_file_get_contents (map) : NULL;
  gsize length = map ? g_mapped_file_get_length (map) : 0;
  CapraJpegPixels *pixels = NULL;
  Reader *reader;

  if (descriptor >= 0)
    close (descriptor);
  if (length < 3 || bytes[0] != 0xFF || bytes[1] != 0xD8)
    return NULL;
  reader = reader_new ();
  reader->max_bytes = max_bytes;
  if (read_pixels (reader, bytes, length))
    {
      pixels = g_new (CapraJpegPixels, 1);
      *pixels = (CapraJpegPixels){ .width = (int) reader->decompress.output_width,
                                   .height = (int) reader->decompress.output_height,
                                   .channels = reader->decompress.output_components,
                                   .data = g_steal_pointer (&reader->pixels),
                                   .profile = g_steal_pointer (&reader->profile),
                                   .profile_length = reader->profile_length };
    }
  reader_free (reader);
  return pixels;
}

guint64
capra_jpeg_pixels_get_size (const CapraJpegPixels *pixels)
{
  return (guint64) pixels->width * (guint64) pixels->height * (guint64) pixels->channels;
}

GeglBuffer *
capra_jpeg_pixels_get_buffer (CapraJpegPixels *pixels)
{
  const GeglRectangle extent = { 0, 0, pixels->width, pixels->height };
  guint8 *data = g_steal_pointer (&pixels->data);

  return gegl_buffer_linear_new_from_data (data, get_format (pixels->channels, pixels->profile, pixels->profile_length),
                                           &extent, pixels->width * pixels->channels, g_free, data);
}

void
capra_jpeg_pixels_free (CapraJpegPixels *pixels)
{
  g_free (pixels->data);
  free (pixels->profile); /* of libjpeg */
  g_free (pixels);
}

gboolean
capra_jpeg_load (const char *path, GeglBuffer **buffer, char **damage, CapraImageSizeFunc on_size, gpointer data,
                 GError **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  Reader *reader;
  gboolean good;

  *buffer = NULL;
  *damage = NULL;
  if (!map)
    return FALSE;
  reader = reader_new ();
  good = read_image (reader, (const guint8 *) g_mapped_file_get_contents (map), g_mapped_file_get_length (map), on_size,
                     data);
  if (!good)
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file is damaged or incomplete: %s"),
                 reader->message);
  else if (reader->buffer && *reader->message)
    *damage = g_strdup_printf (_ ("Parts of the image are damaged: %s"), reader->message);
  if (good)
    *buffer = g_steal_pointer (&reader->buffer);
  reader_free (reader);
  return good;
}

/* FALSE if libjpeg failed. */
static gboolean
try_header (Reader *reader, const guint8 *bytes, gsize length)
{
  if (setjmp (reader->failed))
    return FALSE;
  read_header (reader, bytes, length);
  return TRUE;
}

gboolean
capra_jpeg_read_resolution (const char *path, double per_meter[2])
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, NULL);
  Reader *reader;
  gboolean good;

  if (!map || g_mapped_file_get_length (map) == 0)
    return FALSE;
  reader = reader_new ();
  good = try_header (reader, (const guint8 *) g_mapped_file_get_contents (map), g_mapped_file_get_length (map))
         && reader->decompress.saw_JFIF_marker
         && (reader->decompress.density_unit == 1 || reader->decompress.density_unit == 2);
  if (good)
    {
      double unit = reader->decompress.density_unit == 1 ? 0.0254 : 0.01; /* inches, or centimeters */

      per_meter[0] = reader->decompress.X_density / unit;
      per_meter[1] = reader->decompress.Y_density / unit;
    }
  reader_free (reader);
  return good;
}
