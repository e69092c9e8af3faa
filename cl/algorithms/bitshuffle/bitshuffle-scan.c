/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Bitshuffle: layouts, and the search for the blocks of a chunk. Chunks are not trusted. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "algorithms/bitshuffle/bitshuffle-params.h"
#include "algorithms/bitshuffle/bitshuffle.h"
#include "runtime/base/error.h"

#define LENGTH 4 /* bytes of a block's length */
/* The format's default size of blocks: as many values as 8192 bytes hold, but at least 128. */
#define DEFAULT_BYTES 8192
#define DEFAULT_VALUES 128
#define MAX_BLOCK_BYTES (G_GUINT64_CONSTANT (1) << 30)

static guint64
read_number (const guint8 *p, guint bytes)
{
  guint64 number = 0;

  for (guint i = 0; i < bytes; i++)
    number = number << 8 | p[i];
  return number;
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  if (error)
    *error = g_error_new_valist (CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, format, values);
  va_end (values);
  return FALSE;
}

gboolean
capra_bitshuffle_layout_init (CapraBitshuffleLayout *layout, CapraBitshuffleKind kind, guint element, guint64 values,
                              guint64 block, GError **error)
{
  guint64 whole = values & ~G_GUINT64_CONSTANT (7);

  if ((element != 1 && element != 2 && element != 4 && element != 8) || (kind == CAPRA_BITSHUFFLE_FLOAT && element < 4))
    return refuse (error,
                   _ ("bitshuffle: values of %u bytes are not supported; supported are integers of 1, 2, 4 and 8 "
                      "bytes and floating-point numbers of 4 and 8"),
                   element);
  if (values < 1 || values > (G_MAXUINT32 - CAPRA_BITSHUFFLE_HEADER) / element)
    return refuse (error, _ ("bitshuffle: a chunk has %" PRIu64 " values; supported are 1 to 4 GiB"), values);
  if (block == 0)
    block = MAX (DEFAULT_BYTES / element / 8 * 8, DEFAULT_VALUES);
  if (block % 8 != 0 || block > MAX_BLOCK_BYTES / element)
    return refuse (error,
                   _ ("bitshuffle: blocks of %" PRIu64 " values are not supported; the number must be a "
                      "multiple of 8, and a block have at most 1 GiB"),
                   block);
  *layout = (CapraBitshuffleLayout){ kind, element, values, (guint) block, (guint) ((whole + block - 1) / block) };
  return TRUE;
}

/* Reads the header of a chunk; @block: (out) in values. */
static gboolean
read_header (guint element, guint64 values, const guint8 *chunk, gsize bytes, guint64 *block, GError **error)
{
  guint64 decoded = 0, block_bytes = 0;

  if (bytes < CAPRA_BITSHUFFLE_HEADER)
    return refuse (error, _ ("bitshuffle: the chunk ends inside of its header, after %zu bytes"), bytes);
  decoded = read_number (chunk, 8);
  block_bytes = read_number (chunk + 8, 4);
  if (decoded != values * element)
    return refuse (error, _ ("bitshuffle: the chunk's header has a size of %" PRIu64 " bytes instead of %" PRIu64),
                   decoded, values * element);
  if (block_bytes % element != 0)
    return refuse (error,
                   _ ("bitshuffle: the chunk's header has blocks of %" PRIu64 " bytes, which is not a "
                      "multiple of %u"),
                   block_bytes, element);
  *block = block_bytes / element;
  return TRUE;
}

gboolean
capra_bitshuffle_layout_init_from_chunk (CapraBitshuffleLayout *layout, CapraBitshuffleKind kind, guint element,
                                         guint64 values, const guint8 *chunk, gsize bytes, GError **error)
{
  guint64 block = 0;

  return capra_bitshuffle_layout_init (layout, kind, element, values, 0, error)
         && read_header (element, values, chunk, bytes, &block, error)
         && capra_bitshuffle_layout_init (layout, kind, element, values, block, error);
}

gboolean
capra_bitshuffle_scan (const CapraBitshuffleLayout *layout, const guint8 *chunk, gsize bytes, guint32 *offsets,
                       GError **error)
{
  guint64 block = 0, tail = layout->values % 8 * layout->element;
  CapraBitshuffleLayout own;
  gsize at = CAPRA_BITSHUFFLE_HEADER;

  if (bytes > G_MAXUINT32 - LENGTH)
    return refuse (error, _ ("bitshuffle: the chunk has %zu bytes; supported are up to 4 GiB"), bytes);
  if (!read_header (layout->element, layout->values, chunk, bytes, &block, error)
      || !capra_bitshuffle_layout_init (&own, layout->kind, layout->element, layout->values, block, error))
    return FALSE;
  if (own.block != layout->block)
    return refuse (error, _ ("bitshuffle: the chunk has blocks of %u values, others of %u"), own.block, layout->block);
  for (guint i = 0; i < layout->n_blocks; i++)
    {
      guint64 length = 0;

      if (bytes - at < LENGTH)
        return refuse (error, _ ("bitshuffle: the chunk ends before block %u of %u"), i, layout->n_blocks);
      length = read_number (chunk + at, LENGTH);
      at += LENGTH;
      if (length > bytes - at)
        return refuse (error,
                       _ ("bitshuffle: block %u of %u has a length of %" PRIu64 " bytes, of which the "
                          "chunk has %zu"),
                       i, layout->n_blocks, length, bytes - at);
      offsets[i] = (guint32) at;
      at += length;
    }
  offsets[layout->n_blocks] = (guint32) at + LENGTH;
  if (bytes - at < tail)
    return refuse (error, _ ("bitshuffle: the chunk ends inside of its last values"));
  return TRUE;
}

static gsize
align (gsize bytes)
{
  return (bytes + BITSHUFFLE_ALIGN - 1) / BITSHUFFLE_ALIGN * BITSHUFFLE_ALIGN;
}

gsize
capra_bitshuffle_batch_size (const CapraBitshuffleLayout *layout, guint n, const gsize *sizes, gsize *positions)
{
  gsize at = align ((gsize) n * (sizeof (BitshuffleChunk) + ((gsize) layout->n_blocks + 1) * sizeof (guint32)));

  for (guint i = 0; i < n; i++)
    {
      positions[i] = at;
      if (sizes[i] > G_MAXSIZE / 2 || at > G_MAXSIZE / 2)
        return 0;
      at += align (sizes[i]);
    }
  return at + BITSHUFFLE_ALIGN;
}

gboolean
capra_bitshuffle_batch_add (const CapraBitshuffleLayout *layout, gpointer batch, guint n, guint index, gsize position,
                            gsize bytes, CapraBitshuffleCoding coding, GError **error)
{
  BitshuffleChunk *records = batch;
  guint32 *offsets = (guint32 *) (records + n) + (gsize) index * (layout->n_blocks + 1);
  gsize decoded = layout->values * layout->element;
  gboolean good = TRUE;

  g_return_val_if_fail (index < n, FALSE);

  if (coding == CAPRA_BITSHUFFLE_LZ4)
    good = capra_bitshuffle_scan (layout, (const guint8 *) batch + position, bytes, offsets, error);
  else if (coding != CAPRA_BITSHUFFLE_MISSING && bytes < decoded)
    good = refuse (error, _ ("bitshuffle: a chunk that is not compressed has %zu bytes instead of %zu"), bytes,
                   decoded);
  records[index] = (BitshuffleChunk){ position, good ? (guint) coding : BITSHUFFLE_MISSING, 0 };
  return good;
}
