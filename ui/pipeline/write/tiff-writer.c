/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiff-writer: writes TIFF with libtiff.
 *
 * gegl:tiff-save is not used: it ignores errors and writes to its own temporary file. */
#include "ui/pipeline/write/tiff-writer.h"

#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/pipeline/error.h"

#define STRIP_BYTES (64u << 10)
#define BAND_BYTES (16u << 20)
#define CLASSIC_BYTES (G_GUINT64_CONSTANT (0xF0000000)) /* of pixels; larger images need BigTIFF */

/* @reason: (nullable): the first error message of libtiff */
typedef struct {
  CapraOutputFile *file;
  char *reason;
} Stream;

/* Returns 1, so that the global handler is not called, which GEGL's savers install. */
static int
on_error (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  Stream *stream = data;

  if (!stream->reason)
    stream->reason = g_strdup_vprintf (format, arguments);
  return 1;
}

static int
on_warning (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  return 1;
}

static int
get_descriptor (thandle_t stream)
{
  return capra_output_file_get_descriptor (((Stream *) stream)->file);
}

static tsize_t
on_read (thandle_t stream, tdata_t data, tsize_t length)
{
  return read (get_descriptor (stream), data, (gsize) length);
}

static tsize_t
on_write (thandle_t stream, tdata_t data, tsize_t length)
{
  CapraOutputFile *file = ((Stream *) stream)->file;

  return capra_output_file_write (file, data, (gsize) length, NULL) ? length : -1;
}

static toff_t
on_seek (thandle_t stream, toff_t offset, int from)
{
  return (toff_t) lseek (get_descriptor (stream), (off_t) offset, from);
}

static int
on_close (thandle_t stream)
{
  return 0;
}

static toff_t
get_size (thandle_t stream)
{
  struct stat status;

  return fstat (get_descriptor (stream), &status) == 0 ? (toff_t) status.st_size : 0;
}

static gsize
get_row_bytes (const CapraTiffLayout *layout)
{
  return (gsize) layout->width * layout->channels * layout->bits / 8;
}

static void
set_tags (TIFF *tiff, const CapraTiffLayout *layout, int strip)
{
  TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, 0);
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) layout->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) layout->height);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, layout->photometric);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, layout->channels);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, layout->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, layout->format);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, (guint32) strip);
  if (layout->alpha)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &layout->alpha);
  if (layout->profile)
    TIFFSetField (tiff, TIFFTAG_ICCPROFILE, (guint32) layout->profile_length, layout->profile);
}

/* Writes bands of whole strips. FALSE without @error if libtiff failed. */
static gboolean
write_strips (TIFF *tiff, const CapraTiffLayout *layout, int strip, CapraSampleRows get_rows, gpointer data,
              GError **error)
{
  gsize row_bytes = get_row_bytes (layout);
  int band = (int) CLAMP (BAND_BYTES / row_bytes / (gsize) strip, 1, (gsize) layout->height) * strip;
  g_autofree guint8 *pixels = g_malloc (row_bytes * (gsize) band);

  for (int y = 0; y < layout->height; y += band)
    {
      int rows = MIN (band, layout->height - y);

      if (!get_rows (y, rows, pixels, data, error))
        return FALSE;
      for (int row = 0; row < rows; row += strip)
        if (TIFFWriteEncodedStrip (tiff, (guint32) ((y + row) / strip), pixels + (gsize) row * row_bytes,
                                   (tsize_t) row_bytes * MIN (strip, rows - row))
            < 0)
          return FALSE;
    }
  return TIFFFlush (tiff);
}

static TIFF *
open_tiff (Stream *stream, gboolean big)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  TIFF *tiff;

  TIFFOpenOptionsSetErrorHandlerExtR (options, on_error, stream);
  TIFFOpenOptionsSetWarningHandlerExtR (options, on_warning, stream);
  tiff = TIFFClientOpenExt ("output", big ? "w8" : "w", (thandle_t) stream, on_read, on_write, on_seek, on_close,
                            get_size, NULL, NULL, options);
  TIFFOpenOptionsFree (options);
  return tiff;
}

gboolean
capra_tiff_write (CapraOutputFile *file, const CapraTiffLayout *layout, CapraSampleRows rows, gpointer data,
                  GError **error)
{
  gsize row_bytes = get_row_bytes (layout);
  int strip = (int) CLAMP (STRIP_BYTES / row_bytes, 1, (gsize) layout->height);
  Stream stream = { file, NULL };
  g_autoptr (GError) local = NULL;
  TIFF *tiff = open_tiff (&stream, (guint64) row_bytes * (guint64) layout->height > CLASSIC_BYTES);
  gboolean good = tiff != NULL;

  if (tiff)
    {
      set_tags (tiff, layout, strip);
      good = write_strips (tiff, layout, strip, rows, data, &local);
      TIFFClose (tiff);
    }
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (!good && capra_output_file_check (file, error))
    g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot write the file: %s"),
                 stream.reason ? stream.reason : "TIFF");
  g_free (stream.reason);
  return good;
}
