/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiff-reader: reads the samples of TIFF files row by row. */
#include "ui/pipeline/read/tiff-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <tiffio.h>

#include "ui/pipeline/error.h"

#define MAX_TILE (G_GUINT64_CONSTANT (1) << 30) /* bytes */
#define MAX_PLANES 4

/* A file, and the first message of libtiff. */
typedef struct {
  TIFF *tiff;
  char *message;
} Source;

/* The tags of a page. */
typedef struct {
  CapraSampleLayout layout;
  int bits;        /* per stored sample */
  gboolean packed; /* samples are not aligned to bytes */
  gboolean planes; /* channels are stored separately */
  gboolean palette;
  uint32_t tile_width, tile_height; /* 0: stored in rows */
} Page;

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, message);
  return FALSE;
}

static gboolean
fail_damaged (Source *file, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file is damaged or incomplete: %s"),
               file->message ? file->message : "TIFF");
  return FALSE;
}

/* Keeps the first message: later ones follow from it. Returns 1, so that libtiff calls no other handler. */
static int
on_message (TIFF *tiff, void *data, const char *module, const char *format, va_list arguments)
{
  Source *file = data;
  g_autofree char *text = g_strdup_vprintf (format, arguments);

  if (!file->message)
    file->message = g_utf8_make_valid (text, -1);
  return 1;
}

static gboolean
open_file (Source *file, const char *path, guint page, GError **error)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();

  TIFFOpenOptionsSetErrorHandlerExtR (options, on_message, file);
  TIFFOpenOptionsSetWarningHandlerExtR (options, on_message, file);
  file->tiff = TIFFOpenExt (path, "r", options);
  TIFFOpenOptionsFree (options);
  if (!file->tiff || (page > 1 && !TIFFSetDirectory (file->tiff, (tdir_t) (page - 1))))
    return fail_damaged (file, error);
  return TRUE;
}

static void
close_file (Source *file)
{
  if (file->tiff)
    TIFFClose (file->tiff);
  g_free (file->message);
}

static CapraSampleType
choose_type (int bits, int format)
{
  switch (format)
    {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
      return bits <= 8    ? CAPRA_SAMPLE_U8
             : bits <= 16 ? CAPRA_SAMPLE_U16
             : bits == 32 ? CAPRA_SAMPLE_U32
             : bits == 64 ? CAPRA_SAMPLE_U64
                          : CAPRA_SAMPLE_NONE;
    case SAMPLEFORMAT_INT:
      return bits == 8    ? CAPRA_SAMPLE_I8
             : bits == 16 ? CAPRA_SAMPLE_I16
             : bits == 32 ? CAPRA_SAMPLE_I32
             : bits == 64 ? CAPRA_SAMPLE_I64
                          : CAPRA_SAMPLE_NONE;
    case SAMPLEFORMAT_IEEEFP:
      return bits == 16   ? CAPRA_SAMPLE_F16
             : bits == 32 ? CAPRA_SAMPLE_F32
             : bits == 64 ? CAPRA_SAMPLE_F64
                          : CAPRA_SAMPLE_NONE;
    default: return CAPRA_SAMPLE_NONE;
    }
}

/* FALSE unless the channels are gray or RGB, with or without alpha. */
static gboolean
read_channels (TIFF *tiff, Page *page, GError **error)
{
  uint16_t samples = 1, photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE, extra = 0;
  uint16_t *extras = NULL;
  gboolean alpha;

  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_EXTRASAMPLES, &extra, &extras);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_COMPRESSION, &compression);
  TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  alpha = extra == 1 && extras[0] != EXTRASAMPLE_UNSPECIFIED;
  page->palette = photometric == PHOTOMETRIC_PALETTE;
  page->layout.channels = samples;
  page->layout.associated = alpha && extras[0] == EXTRASAMPLE_ASSOCALPHA;
  if (photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG)
    TIFFSetField (tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  else if (photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_CIELAB
           || photometric == PHOTOMETRIC_ICCLAB || photometric == PHOTOMETRIC_ITULAB || photometric == PHOTOMETRIC_LOGL
           || photometric == PHOTOMETRIC_LOGLUV)
    return fail (error, _ ("The TIFF is neither grayscale nor RGB (but CMYK, Lab or YCbCr, for example); "
                           "convert it to one of these"));
  if (samples == 1 || samples == 3 || (samples == 2 && alpha)
      || (samples == 4 && (alpha || photometric == PHOTOMETRIC_RGB)))
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("The TIFF has %d channels that are neither grayscale nor RGB, with or without alpha; save a "
                  "single channel"),
               samples);
  return FALSE;
}

static gboolean
read_page (Source *file, Page *page, GError **error)
{
  uint32_t width = 0, height = 0;
  uint16_t bits = 1, format = SAMPLEFORMAT_UINT, planar = PLANARCONFIG_CONTIG;
  TIFF *tiff = file->tiff;

  *page = (Page){ .layout = { .width = 0 } };
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_PLANARCONFIG, &planar);
  if (!read_channels (tiff, page, error))
    return FALSE;
  page->layout.width = (int) MIN (width, G_MAXINT);
  page->layout.height = (int) MIN (height, G_MAXINT);
  page->layout.type = choose_type (bits, format);
  page->bits = bits;
  page->packed = bits % 8 != 0;
  page->planes = planar == PLANARCONFIG_SEPARATE && page->layout.channels > 1;
  if (page->layout.type == CAPRA_SAMPLE_NONE)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                   _ ("Unsupported TIFF sample format of %d bits; save the file with 8, 16 or 32 bits"), bits);
      return FALSE;
    }
  if (!capra_sample_layout_check (&page->layout, error))
    return FALSE;
  if (TIFFIsTiled (tiff))
    {
      TIFFGetField (tiff, TIFFTAG_TILEWIDTH, &page->tile_width);
      TIFFGetField (tiff, TIFFTAG_TILELENGTH, &page->tile_height);
      if (page->tile_width == 0 || page->tile_height == 0 || TIFFTileSize64 (tiff) == 0
          || TIFFTileSize64 (tiff) > MAX_TILE)
        return fail (error, _ ("The file is damaged: invalid tile size"));
    }
  return TRUE;
}

/* Sample @i of a row of samples with @bits bits, most significant bit first. */
static guint
unpack (const guint8 *row, gsize i, int bits)
{
  gsize at = i * (gsize) bits;
  guint word = 0;

  for (int left = bits; left > 0;)
    {
      int here = MIN (left, 8 - (int) (at & 7));
      guint byte = row[at >> 3] >> (8 - (int) (at & 7) - here) & ((1u << here) - 1);

      word = word << here | byte;
      at += (gsize) here;
      left -= here;
    }
  return word;
}

/* Copies @count pixels of a stored row to @target: to its channel @plane, or to all channels (-1). */
static void
copy_row (const Page *page, const guint8 *row, gsize count, int plane, guint8 *target)
{
  gsize channels = (gsize) page->layout.channels, stored = plane < 0 ? channels : 1;
  gsize size = capra_sample_type_get_size (page->layout.type);

  if (plane < 0 && !page->packed)
    {
      memcpy (target, row, count * channels * size);
      return;
    }
  for (gsize i = 0; i < count * stored; i++)
    {
      gsize at = plane < 0 ? i : i * channels + (gsize) plane;

      if (!page->packed)
        memcpy (target + at * size, row + i * size, size);
      else if (size == 1)
        target[at] = (guint8) unpack (row, i, page->bits);
      else
        ((guint16 *) target)[at] = (guint16) unpack (row, i, page->bits);
    }
}

/* Reads each separately stored channel through its own file handle, so that none seeks back. */
static gboolean
read_rows (Source *files, const Page *page, const CapraSampleSink *sink, GError **error)
{
  const CapraSampleLayout *layout = &page->layout;
  gsize stride = capra_sample_layout_get_stride (layout);
  gsize stored = (gsize) TIFFScanlineSize64 (files->tiff);
  gsize needed = ((gsize) layout->width * (page->planes ? 1 : (gsize) layout->channels) * (gsize) page->bits + 7) / 8;
  int step = capra_sample_layout_get_band_rows (layout);
  g_autofree guint8 *row = g_try_malloc (MAX (stored, needed));
  g_autofree guint8 *band = g_try_malloc (stride * (gsize) step);

  if (!row || !band || stored < needed)
    return fail_damaged (files, error);
  for (int y = 0; y < layout->height; y += step)
    {
      int rows = MIN (step, layout->height - y);

      for (int i = 0; i < rows; i++)
        for (int p = 0; p < (page->planes ? layout->channels : 1); p++)
          {
            if (TIFFReadScanline (files[p].tiff, row, (uint32_t) (y + i), (uint16_t) p) < 0 || files[p].message)
              return fail_damaged (&files[p], error);
            copy_row (page, row, (gsize) layout->width, page->planes ? p : -1, band + (gsize) i * stride);
          }
      if (!sink->rows (y, rows, band, sink->data, error))
        return FALSE;
    }
  return TRUE;
}

/* Reads one row of tiles. */
static gboolean
read_tile_row (Source *file, const Page *page, uint32_t y, int rows, guint8 *tile, guint8 *band, GError **error)
{
  const CapraSampleLayout *layout = &page->layout;
  gsize stride = capra_sample_layout_get_stride (layout);
  gsize pixel = stride / (gsize) layout->width, tile_stride = (gsize) TIFFTileRowSize64 (file->tiff);

  for (int p = 0; p < (page->planes ? layout->channels : 1); p++)
    for (uint32_t x = 0; x < (uint32_t) layout->width; x += page->tile_width)
      {
        if (TIFFReadTile (file->tiff, tile, x, y, 0, (uint16_t) p) < 0 || file->message)
          return fail_damaged (file, error);
        for (int i = 0; i < rows; i++)
          copy_row (page, tile + (gsize) i * tile_stride, MIN (page->tile_width, (uint32_t) layout->width - x),
                    page->planes ? p : -1, band + (gsize) i * stride + x * pixel);
      }
  return TRUE;
}

static gboolean
read_tiles (Source *file, const Page *page, const CapraSampleSink *sink, GError **error)
{
  const CapraSampleLayout *layout = &page->layout;
  guint64 step = MIN (page->tile_height, (uint32_t) layout->height);
  gsize stride = capra_sample_layout_get_stride (layout);
  gsize stored = page->planes ? 1 : (gsize) layout->channels;
  gsize needed = ((gsize) page->tile_width * stored * (gsize) page->bits + 7) / 8;
  g_autofree guint8 *tile = g_try_malloc ((gsize) TIFFTileSize64 (file->tiff));
  g_autofree guint8 *band = g_try_malloc (stride * step);

  if (!tile || !band || TIFFTileRowSize64 (file->tiff) < needed)
    return fail_damaged (file, error);
  for (guint64 y = 0; y < (guint64) layout->height; y += step)
    {
      int rows = (int) MIN (step, (guint64) layout->height - y);

      if (!read_tile_row (file, page, (uint32_t) y, rows, tile, band, error)
          || !sink->rows ((int) y, rows, band, sink->data, error))
        return FALSE;
    }
  return TRUE;
}

/* Describes what was ignored. Further pages do not count if the page was @chosen, nor if they are thumbnails or masks
 * of the first one. */
static char *
describe_ignored (TIFF *tiff, const Page *page, gboolean chosen)
{
  uint32_t kind = 0;

  if (!chosen && !TIFFLastDirectory (tiff) && TIFFReadDirectory (tiff))
    {
      TIFFGetFieldDefaulted (tiff, TIFFTAG_SUBFILETYPE, &kind);
      if (!(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
        return g_strdup (_ ("the TIFF has several pages; only the first one is used"));
    }
  return page->palette ? g_strdup (_ ("the image has a palette; its values are indices")) : NULL;
}

/* The unit in the description that ImageJ writes, in meters; 0 if it has none. */
static double
find_described_unit (TIFF *tiff)
{
  static const struct {
    const char *name;
    double meters;
  } units[] = { { "nm", 1e-9 }, { "micron", 1e-6 }, { "um", 1e-6 },     { "\302\265m", 1e-6 }, { "\\u00B5m", 1e-6 },
                { "mm", 1e-3 }, { "cm", 1e-2 },     { "inch", 0.0254 }, { "m", 1.0 } };
  const char *text = NULL, *unit;

  if (!TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || !g_str_has_prefix (text, "ImageJ="))
    return 0.0;
  unit = strstr (text, "\nunit=");
  for (guint i = 0; unit && i < G_N_ELEMENTS (units); i++)
    {
      gsize length = strlen (units[i].name);

      if (strncmp (unit + 6, units[i].name, length) == 0 && strchr ("\r\n", unit[6 + length]))
        return units[i].meters;
    }
  return 0.0;
}

gboolean
capra_tiff_read_resolution (const char *path, guint page, double per_meter[2])
{
  Source file = { NULL };
  uint16_t unit = RESUNIT_INCH;
  float x = 0.0f, y = 0.0f;
  double meters;
  gboolean good = open_file (&file, path, page, NULL) && TIFFGetField (file.tiff, TIFFTAG_XRESOLUTION, &x)
                  && TIFFGetField (file.tiff, TIFFTAG_YRESOLUTION, &y);

  if (good)
    {
      TIFFGetFieldDefaulted (file.tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
      meters = find_described_unit (file.tiff);
      if (meters == 0.0)
        meters = unit == RESUNIT_INCH ? 0.0254 : unit == RESUNIT_CENTIMETER ? 0.01 : 0.0;
      per_meter[0] = (double) x / meters;
      per_meter[1] = (double) y / meters;
      good = meters > 0.0;
    }
  close_file (&file);
  return good;
}

guint
capra_tiff_count_pages (const char *path, GError **error)
{
  Source file = { NULL };
  guint count = open_file (&file, path, 0, error) ? TIFFNumberOfDirectories (file.tiff) : 0;

  close_file (&file);
  return count;
}

gboolean
capra_tiff_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error)
{
  Source files[MAX_PLANES] = { { NULL } };
  Page pages[MAX_PLANES];
  gboolean good = open_file (&files[0], path, sink->page, error) && read_page (&files[0], &pages[0], error);
  int planes = good && pages[0].planes && !pages[0].tile_width ? pages[0].layout.channels : 1;

  for (int p = 1; p < planes && good; p++)
    good = open_file (&files[p], path, sink->page, error) && read_page (&files[p], &pages[p], error);
  for (int p = 0; p < planes; p++)
    g_clear_pointer (&files[p].message, g_free); /* messages about tags are not errors of samples */
  good = good && sink->begin (&pages[0].layout, sink->data, error)
         && (pages[0].tile_width ? read_tiles (files, &pages[0], sink, error)
                                 : read_rows (files, &pages[0], sink, error));
  if (good && remark)
    *remark = describe_ignored (files[0].tiff, &pages[0], sink->page > 0);
  for (int p = 0; p < MAX_PLANES; p++)
    close_file (&files[p]);
  return good;
}
