/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Bitshuffle: decodes chunks of the HDF5 filter 32008 (bitshuffle, with LZ4 or without compression) on a device.
 *
 * The format is that of Masui et al., "A compression scheme for radio data in high performance computing", Astronomy
 * and Computing 12 (2015) 181, https://github.com/kiyo-masui/bitshuffle.
 *
 * A chunk has a header of 12 bytes: the size of the decoded values in bytes (64 bits) and that of a block (32 bits),
 * both with their highest byte first. Then follow blocks, each with its length (32 bits, highest byte first) and a raw
 * LZ4 block: the bit planes of the block's values. Values that do not fill a multiple of eight follow as they are.
 *
 * The host finds the blocks (capra_bitshuffle_scan()) and puts several chunks into one batch, which is uploaded at
 * once; each chunk is usually a frame of a detector:
 *
 *     capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, width * height, 0, &error);
 *     bytes = capra_bitshuffle_batch_size (&layout, n, sizes, positions);
 *     batch = capra_array_new_for_upload (device, &CAPRA_SHAPE_2D (bytes, 1, CAPRA_U8), &error);
 *     host = capra_array_map_write (batch, &error);
 *     … read chunk i to host + positions[i], capra_bitshuffle_batch_add (&layout, host, n, i, …)
 *     capra_array_unmap (batch, &error);
 *     frames = capra_bitshuffle_decode (batch, &layout, &shape, &damaged, &error); */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* The numbers that are encoded. */
typedef enum {
  CAPRA_BITSHUFFLE_UNSIGNED,
  CAPRA_BITSHUFFLE_SIGNED,
  CAPRA_BITSHUFFLE_FLOAT,
} CapraBitshuffleKind;

/* How a chunk is encoded. @CAPRA_BITSHUFFLE_PLANES: not compressed, and without a header. @CAPRA_BITSHUFFLE_RAW: the
 * filter was skipped, as a bit of the chunk's filter mask says. @CAPRA_BITSHUFFLE_MISSING: decoded as zeros. */
typedef enum {
  CAPRA_BITSHUFFLE_LZ4,
  CAPRA_BITSHUFFLE_PLANES,
  CAPRA_BITSHUFFLE_RAW,
  CAPRA_BITSHUFFLE_MISSING,
} CapraBitshuffleCoding;

/**
 * CapraBitshuffleLayout:
 * @kind: the numbers
 * @element: bytes of a value: 1, 2, 4 or 8
 * @values: values of a chunk
 * @block: values of a block, a multiple of 8
 * @n_blocks: blocks of a chunk; the last one may be shorter
 *
 * What the chunks of a data set have in common. Set by capra_bitshuffle_layout_init().
 */
typedef struct {
  CapraBitshuffleKind kind;
  guint element;
  guint64 values;
  guint block, n_blocks;
} CapraBitshuffleLayout;

/* The bytes of a chunk's header. */
#define CAPRA_BITSHUFFLE_HEADER 12
/* A chunk has no damaged block. */
#define CAPRA_BITSHUFFLE_GOOD G_MAXUINT32

/**
 * capra_bitshuffle_layout_init:
 * @element: bytes of a value: 1, 2, 4 or 8; 4 or 8 for floats
 * @values: values of a chunk, less than 4 GiB
 * @block: values of a block; 0 for the format's default
 *
 * Returns: %FALSE with @error set if such chunks cannot exist or are not supported
 */
CAPRA_API
gboolean capra_bitshuffle_layout_init (CapraBitshuffleLayout *layout, CapraBitshuffleKind kind, guint element,
                                       guint64 values, guint64 block, GError **error);

/**
 * capra_bitshuffle_layout_init_from_chunk:
 * @chunk: the first @bytes of a chunk with a header, at least 12
 *
 * The same with the size of blocks that the chunk's header has.
 */
CAPRA_API
gboolean capra_bitshuffle_layout_init_from_chunk (CapraBitshuffleLayout *layout, CapraBitshuffleKind kind,
                                                  guint element, guint64 values, const guint8 *chunk, gsize bytes,
                                                  GError **error);

/**
 * capra_bitshuffle_scan:
 * @chunk: a chunk with a header, of @bytes bytes; any contents
 * @offsets: (out caller-allocates): @n_blocks + 1 offsets from @chunk: where the data of each block begins, after its
 *   length; the data of block i ends at offsets[i + 1] - 4
 *
 * Finds the blocks of a chunk. All of them are inside of the chunk if it returns %TRUE.
 *
 * Returns: %FALSE with @error set if the header or the length of a block is wrong
 */
CAPRA_API
gboolean capra_bitshuffle_scan (const CapraBitshuffleLayout *layout, const guint8 *chunk, gsize bytes, guint32 *offsets,
                                GError **error);

/**
 * capra_bitshuffle_batch_size:
 * @n: the number of chunks
 * @sizes: the size of each in bytes
 * @positions: (out caller-allocates): where to put each, in bytes from the beginning of the batch
 *
 * Returns: the size of the batch in bytes; 0 if it is too large
 */
CAPRA_API
gsize capra_bitshuffle_batch_size (const CapraBitshuffleLayout *layout, guint n, const gsize *sizes, gsize *positions);

/**
 * capra_bitshuffle_batch_add:
 * @batch: the batch, with chunk @index at @position
 * @n: chunks of the batch
 * @bytes: bytes of the chunk
 *
 * Describes a chunk for the device, after scanning it. Different chunks may be added by different threads. Must be
 * called for each chunk of a batch, with %CAPRA_BITSHUFFLE_MISSING for those that could not be read.
 *
 * Returns: %FALSE with @error set if the chunk is damaged, which is then described as missing
 */
CAPRA_API
gboolean capra_bitshuffle_batch_add (const CapraBitshuffleLayout *layout, gpointer batch, guint n, guint index,
                                     gsize position, gsize bytes, CapraBitshuffleCoding coding, GError **error);

/**
 * capra_bitshuffle_decode:
 * @batch: what capra_bitshuffle_batch_add() has described, as an array of bytes
 * @shape: the result's: @layout.values for each chunk of the batch, one after the other. The type is f32, for numbers
 * of any kind (rounded to the nearest), or one of the encoded values' size and kind. Values of 8 bytes have no type:
 *   u32 with 2 channels has their low and high words.
 * @damaged: (out) (transfer full): for each chunk, as u32: %CAPRA_BITSHUFFLE_GOOD, or the number of the first block
 *   whose data are damaged. What is missing of a damaged block is decoded from zero bytes.
 *
 * Returns: (transfer full): the decoded values of all chunks, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_bitshuffle_decode (CapraArray *batch, const CapraBitshuffleLayout *layout, const CapraShape *shape,
                                     CapraArray **damaged, GError **error);

G_END_DECLS
