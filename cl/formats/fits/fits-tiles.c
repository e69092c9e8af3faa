/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: checks the tiles of a compressed image before CFITSIO decompresses them: it enlarges its memory without end for
 * some damaged gzip data. */
#include <gio/gio.h>
#include <string.h>

#include "formats/fits/fits-cards.h"
#include "formats/fits/fits-private.h"

/* The largest values of a tile, in bytes. */
#define MAX_VALUE 8

/* The heap of a table, and the most bytes that a tile may have when it is decompressed. */
typedef struct {
  const guint8 *heap;
  guint64 bytes, tile;
} Heap;

/* Whether gzip data end, with at most as many bytes as a tile has. */
static gboolean
check_gzip (const Heap *heap, const guint8 *data, gsize length)
{
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autofree guint8 *block = g_malloc (1 << 16);
  guint64 made = 0;

  while (made <= heap->tile)
    {
      gsize taken = 0, written = 0;
      GConverterResult result = g_converter_convert (G_CONVERTER (decompressor), data, length, block, 1 << 16,
                                                     G_CONVERTER_INPUT_AT_END, &taken, &written, NULL);

      if (result == G_CONVERTER_ERROR)
        return FALSE;
      data += taken;
      length -= taken;
      made += written;
      if (result == G_CONVERTER_FINISHED)
        return made <= heap->tile;
    }
  return FALSE;
}

/* Big-endian */
static guint64
get_number (const guint8 *data, guint bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < bytes; i++)
    value = value << 8 | data[i];
  return value;
}

/* Whether the bytes that a descriptor points to are in the heap, and end if they are gzip data. @size: of an element;
 * @half: bytes of each of the two numbers of a descriptor */
static gboolean
check_descriptor (const Heap *heap, const guint8 *descriptor, guint half, guint size, gboolean gzip)
{
  guint64 length = get_number (descriptor, half), offset = get_number (descriptor + half, half);

  if (length == 0)
    return TRUE;
  if (length > heap->bytes / size || offset > heap->bytes - length * size)
    return FALSE;
  return !gzip || check_gzip (heap, heap->heap + offset, length * size);
}

/* The bytes of an element of a column whose TFORM has this letter. */
static guint
get_size (char letter)
{
  return letter == 'I' ? 2 : letter == 'J' || letter == 'E' ? 4 : letter == 'K' || letter == 'D' ? 8 : 1;
}

/* Checks column @column, which begins at @at of each row; @at becomes the beginning of the next one. */
static gboolean
check_column (CapraFitsHeader *header, guint column, const Heap *heap, const guint8 *table, gint64 width, gint64 rows,
              gsize *at)
{
  g_autofree char *form_key = g_strdup_printf ("TFORM%u", column), *type_key = g_strdup_printf ("TTYPE%u", column);
  const char *form = capra_fits_header_get_text (header, form_key);
  const char *type = capra_fits_header_get_text (header, type_key);
  const char *compression = capra_fits_header_get_text (header, "ZCMPTYPE");
  gboolean gzip = g_strcmp0 (type, "GZIP_COMPRESSED_DATA") == 0
                  || (g_strcmp0 (type, "COMPRESSED_DATA") == 0 && compression
                      && g_str_has_prefix (compression, "GZIP"));
  guint half = 0;

  form += *form == '1';
  half = *form == 'Q' ? 8 : *form == 'P' ? 4 : 0;
  for (gint64 row = 0; row < rows && half; row++)
    if (!check_descriptor (heap, table + row * width + *at, half, get_size (form[1]), gzip))
      return FALSE;
  *at += half ? 2 * half : get_size (*form);
  return TRUE;
}

static guint64
get_tile_bytes (CapraFitsHeader *header)
{
  gint64 n = 0;
  guint64 values = 1;

  capra_fits_header_get_integer (header, "ZNAXIS", 0, &n);
  for (guint i = 1; i <= n; i++)
    {
      gint64 length = 1, tile = 0;

      capra_fits_header_get_integer (header, "ZNAXIS", i, &length);
      if (!capra_fits_header_get_integer (header, "ZTILE", i, &tile))
        tile = i == 1 ? length : 1;
      values *= (guint64) MIN (tile, length);
    }
  return values * MAX_VALUE;
}

gboolean
capra_fits_check_tiles (CapraFitsHeader *header, const guint8 *table, gsize bytes)
{
  gint64 width = 0, rows = 0, fields = 0, start = 0;
  gsize at = 0;
  Heap heap = { .tile = get_tile_bytes (header) };

  capra_fits_header_get_integer (header, "NAXIS1", 0, &width);
  capra_fits_header_get_integer (header, "NAXIS2", 0, &rows);
  capra_fits_header_get_integer (header, "TFIELDS", 0, &fields);
  start = width * rows;
  capra_fits_header_get_integer (header, "THEAP", 0, &start);
  if (start < width * rows || (guint64) start > bytes)
    return FALSE;
  heap.heap = table + start;
  heap.bytes = bytes - (gsize) start;
  for (guint i = 1; i <= fields; i++)
    if (!check_column (header, i, &heap, table, width, rows, &at))
      return FALSE;
  return TRUE;
}
