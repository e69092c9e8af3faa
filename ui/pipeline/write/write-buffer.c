/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-buffer: writes a GeglBuffer file (.gegl).
 *
 * The format is that of GEGL's gegl/buffer/gegl-buffer-index.h, revision 0, in the machine's byte order: a header, the
 * list of tiles, the tiles. gegl_buffer_save() is not used: it exits the process if it cannot write. */
#include "ui/pipeline/write/save-private.h"

#include <string.h>

#include "ui/pipeline/graph/display.h"

#define TILE 128
#define FLAGS ((1u << 9) | (1u << 11)) /* flushed; header of revision 0 */
#define FLAG_TILE 1

typedef struct {
  char magic[4];
  guint32 flags;
  guint64 next; /* offset of the first entry */
  guint32 tile_width, tile_height;
  guint16 bytes_per_pixel;
  char description[64]; /* name of the format */
  gint32 x, y;
  guint32 width, height;
  guint32 rev;
  gint32 padding[36];
} Header;

G_STATIC_ASSERT (sizeof (Header) == 256);

typedef struct {
  guint32 length, flags;
  guint64 next; /* offset of the next entry, 0 for the last one */
  guint64 offset;
  gint32 x, y, z; /* in tiles */
  guint32 rev;
} Entry;

G_STATIC_ASSERT (sizeof (Entry) == 40);

typedef struct {
  CapraSaving *saving;
  CapraOutputFile *file;
  const Babl *format;
  gsize pixel_bytes, tile_bytes;
  int columns, rows; /* of tiles */
} Writing;

static gboolean
write_header (Writing *writing, GError **error)
{
  const GeglRectangle *bounds = &writing->saving->bounds;
  Header header = { .magic = { 'G', 'E', 'G', 'L' },
                    .flags = FLAGS,
                    .next = sizeof header,
                    .tile_width = TILE,
                    .tile_height = TILE,
                    .bytes_per_pixel = (guint16) writing->pixel_bytes,
                    .width = (guint32) bounds->width,
                    .height = (guint32) bounds->height };

  g_strlcpy (header.description, babl_format_get_encoding (writing->format), sizeof header.description);
  return capra_output_file_write (writing->file, &header, sizeof header, error);
}

static gboolean
write_index (Writing *writing, GError **error)
{
  gsize count = (gsize) writing->columns * (gsize) writing->rows;
  g_autofree Entry *entries = g_new0 (Entry, count);

  for (gsize i = 0; i < count; i++)
    entries[i] = (Entry){ .length = sizeof (Entry),
                          .flags = FLAG_TILE,
                          .next = i + 1 < count ? sizeof (Header) + (i + 1) * sizeof (Entry) : 0,
                          .offset = sizeof (Header) + count * sizeof (Entry) + i * writing->tile_bytes,
                          .x = (gint32) (i % (gsize) writing->columns),
                          .y = (gint32) (i / (gsize) writing->columns) };
  return capra_output_file_write (writing->file, entries, count * sizeof (Entry), error);
}

/* Writes a row of tiles. */
static gboolean
write_tiles (Writing *writing, int row, guint8 *band, guint8 *tile, GError **error)
{
  int width = writing->saving->bounds.width, rows = MIN (TILE, writing->saving->bounds.height - row * TILE);

  if (!capra_saving_render (writing->saving, row * TILE, rows, writing->format, band, GEGL_AUTO_ROWSTRIDE, error))
    return FALSE;
  for (int column = 0; column < writing->columns; column++)
    {
      gsize bytes = (gsize) MIN (TILE, width - column * TILE) * writing->pixel_bytes;

      memset (tile, 0, writing->tile_bytes);
      for (int y = 0; y < rows; y++)
        memcpy (tile + (gsize) y * TILE * writing->pixel_bytes,
                band + ((gsize) y * width + (gsize) column * TILE) * writing->pixel_bytes, bytes);
      if (!capra_output_file_write (writing->file, tile, writing->tile_bytes, error))
        return FALSE;
    }
  return TRUE;
}

/* The native format in sRGB: the file stores an encoding, but no color space. Labels are numbers in every space. */
static const Babl *
choose_format (const Babl *own)
{
  const char *encoding = babl_format_get_encoding (own);

  if (capra_format_is_labels (own))
    return own;
  return babl_format_is_palette (own) || !babl_format_exists (encoding) ? babl_format ("R'G'B'A float")
                                                                        : babl_format (encoding);
}

gboolean
capra_write_buffer (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  Writing writing = { .saving = saving,
                      .file = file,
                      .format = choose_format (capra_graph_get_format (saving->graph)) };
  g_autofree guint8 *band = NULL, *tile = NULL;

  writing.pixel_bytes = (gsize) babl_format_get_bytes_per_pixel (writing.format);
  writing.tile_bytes = writing.pixel_bytes * TILE * TILE;
  writing.columns = (saving->bounds.width + TILE - 1) / TILE;
  writing.rows = (saving->bounds.height + TILE - 1) / TILE;
  band = g_malloc (writing.pixel_bytes * (gsize) saving->bounds.width * TILE);
  tile = g_malloc (writing.tile_bytes);
  if (!write_header (&writing, error) || !write_index (&writing, error))
    return FALSE;
  for (int row = 0; row < writing.rows; row++)
    if (!write_tiles (&writing, row, band, tile, error))
      return FALSE;
  return TRUE;
}
