/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-tiff: the result as a TIFF through libtiff, in the result's own type, as GEGL's saver does.
 *
 * Not by gegl:tiff-save: it loses errors, and it writes to a temporary file of its own. */
#include "save-private.h"

#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#define STRIP_BYTES (64u << 10)
#define CLASSIC_BYTES (G_GUINT64_CONSTANT (0xF0000000)) /* of pixels: larger ones need BigTIFF */

/* How a babl model is stored. */
typedef struct {
  const char *models[4]; /* that are stored so; the first is that of the file */
  guint16 photometric, channels, alpha; /* @alpha: EXTRASAMPLE_…, 0 without */
} Layout;

static const Layout layouts[] = {
  { { "Y'", "Y" }, PHOTOMETRIC_MINISBLACK, 1, 0 },
  { { "Y'A", "YA" }, PHOTOMETRIC_MINISBLACK, 2, EXTRASAMPLE_UNASSALPHA },
  { { "Y'aA", "YaA" }, PHOTOMETRIC_MINISBLACK, 2, EXTRASAMPLE_ASSOCALPHA },
  { { "R'G'B'", "RGB" }, PHOTOMETRIC_RGB, 3, 0 },
  { { "R'G'B'A", "RGBA" }, PHOTOMETRIC_RGB, 4, EXTRASAMPLE_UNASSALPHA },
  { { "R'aG'aB'aA", "RaGaBaA" }, PHOTOMETRIC_RGB, 4, EXTRASAMPLE_ASSOCALPHA },
  { { "CMYK", "cmyk" }, PHOTOMETRIC_SEPARATED, 4, 0 },
  { { "CMYKA", "cmykA", "CaMaYaKaA", "camayakaA" }, PHOTOMETRIC_SEPARATED, 5, EXTRASAMPLE_UNASSALPHA },
};

static const struct {
  const char *name;
  guint16 bits, format;
} types[] = {
  { "u8", 8, SAMPLEFORMAT_UINT },      { "u16", 16, SAMPLEFORMAT_UINT },     { "u32", 32, SAMPLEFORMAT_UINT },
  { "half", 16, SAMPLEFORMAT_IEEEFP }, { "float", 32, SAMPLEFORMAT_IEEEFP }, { "double", 64, SAMPLEFORMAT_IEEEFP },
};

static const Layout *
find_layout (const Babl *format)
{
  const Babl *model = babl_format_get_model (format);

  for (guint i = 0; i < G_N_ELEMENTS (layouts) && !babl_format_is_palette (format); i++)
    for (guint j = 0; j < G_N_ELEMENTS (layouts[i].models) && layouts[i].models[j]; j++)
      if (babl_model_is (model, layouts[i].models[j]))
        return &layouts[i];
  return &layouts[babl_format_has_alpha (format) ? 4 : 3];
}

/* The place of the result's type among types; what TIFF has not becomes float. */
static guint
find_type (const Babl *format)
{
  const Babl *type = babl_format_get_type (format, 0);
  guint found = 4;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (type == babl_type (types[i].name))
      found = i;
  return babl_format_is_palette (format) ? 0 : found;
}

/* While it is written; @reason: (nullable): libtiff's first complaint */
typedef struct {
  CapraOutputFile *file;
  char *reason;
} Stream;

/* Returns 1: no other handler is called. GEGL's savers set one for all of libtiff. */
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

static void
set_tags (TIFF *tiff, CapraSaving *saving, const Layout *layout, guint type, const Babl *space, guint32 strip)
{
  int length = 0;
  const char *profile = babl_space_get_icc (space, &length);

  TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, 0);
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32) saving->bounds.width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32) saving->bounds.height);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, layout->photometric);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, layout->channels);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, types[type].bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, types[type].format);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, strip);
  if (layout->alpha)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &layout->alpha);
  if (profile)
    TIFFSetField (tiff, TIFFTAG_ICCPROFILE, (guint32) length, profile);
}

/* All strips, a band of whole ones at a time. FALSE without @error: libtiff failed. */
static gboolean
write_strips (TIFF *tiff, CapraSaving *saving, const Babl *format, int strip, GError **error)
{
  gsize row_bytes = (gsize) saving->bounds.width * (gsize) babl_format_get_bytes_per_pixel (format);
  int band = MAX (capra_saving_choose_rows (saving, row_bytes) / strip, 1) * strip;
  g_autofree guint8 *pixels = g_malloc (row_bytes * (gsize) band);

  for (int y = 0; y < saving->bounds.height; y += band)
    {
      int rows = MIN (band, saving->bounds.height - y);

      if (!capra_saving_render (saving, y, rows, format, pixels, GEGL_AUTO_ROWSTRIDE, error))
        return FALSE;
      for (int row = 0; row < rows; row += strip)
        if (TIFFWriteEncodedStrip (tiff, (guint32) ((y + row) / strip), pixels + (gsize) row * row_bytes,
                                   (tsize_t) row_bytes * MIN (strip, rows - row)) < 0)
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
capra_write_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  const Babl *own = capra_graph_get_format (saving->graph), *space = babl_format_get_space (own);
  const Layout *layout = find_layout (own);
  guint type = find_type (own);
  g_autofree char *name = g_strdup_printf ("%s %s", layout->models[0], types[type].name);
  const Babl *format = babl_format_with_space (name, space);
  gsize row_bytes = (gsize) saving->bounds.width * (gsize) babl_format_get_bytes_per_pixel (format);
  int strip = (int) CLAMP (STRIP_BYTES / row_bytes, 1, (gsize) saving->bounds.height);
  Stream stream = { file, NULL };
  g_autoptr(GError) local = NULL;
  TIFF *tiff = open_tiff (&stream, (guint64) row_bytes * (guint64) saving->bounds.height > CLASSIC_BYTES);
  gboolean good = tiff != NULL;

  if (tiff)
    {
      set_tags (tiff, saving, layout, type, space, (guint32) strip);
      good = write_strips (tiff, saving, format, strip, &local);
      TIFFClose (tiff);
    }
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (!good && capra_output_file_check (file, error))
    capra_saving_refuse (error, stream.reason ? stream.reason : "TIFF");
  g_free (stream.reason);
  return good;
}
