/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder's kernels on any LZ4 data: reads and writes stay inside of the memory that they may use, and both give
 * what the scalar decoder gives. Values have ELEMENT bytes. Input: the number of values, the values of a block, the
 * chunk's blocks after their lengths were set to what the input has left. */
#include <string.h>

#include "algorithms/bitshuffle/bitshuffle-params.h"
#include "algorithms/bitshuffle/bitshuffle.h"
#include "ui/cli/check/reference-bitshuffle.h"

#define MAX_VALUES 700

typedef void Kernel (const guint8 *batch, void *out, guint32 *damaged, guint32 *scratch, guint64 n_values,
                     guint32 block_values, guint32 n_blocks, guint32 n_chunks);

extern Kernel bitshuffle_item, bitshuffle_group;

/* The group that the kernels run as; opencl-shim.cl. */
static guint32 group;
guint32 shim_group (void);

guint32
shim_group (void)
{
  return group;
}

int LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes);

/* A chunk whose header is right, and whose blocks are parts of the input: a byte before each has its length. */
static GByteArray *
make_chunk (const CapraBitshuffleLayout *layout, const guint8 *data, gsize bytes)
{
  GByteArray *chunk = g_byte_array_new ();
  guint64 decoded = GUINT64_TO_BE (layout->values * layout->element);
  guint32 block = GUINT32_TO_BE (layout->block * layout->element);
  static const guint8 zeros[64];

  g_byte_array_append (chunk, (guint8 *) &decoded, sizeof decoded);
  g_byte_array_append (chunk, (guint8 *) &block, sizeof block);
  for (guint i = 0; i < layout->n_blocks; i++)
    {
      gsize wanted = bytes > 0 ? (i + 1 < layout->n_blocks ? data[0] : bytes - 1) : 0, length = 0;
      guint32 big = 0;

      length = bytes > 0 ? MIN (wanted, bytes - 1) : 0;
      big = GUINT32_TO_BE ((guint32) length);
      g_byte_array_append (chunk, (guint8 *) &big, sizeof big);
      g_byte_array_append (chunk, data + (bytes > 0), (guint) length);
      data += bytes > 0 ? 1 + length : 0;
      bytes -= bytes > 0 ? 1 + length : 0;
    }
  g_byte_array_append (chunk, zeros, (guint) (layout->values % 8 * layout->element));
  return chunk;
}

/* What the scalar decoder gives. */
static guint32
expect (const CapraBitshuffleLayout *layout, const guint8 *chunk, const guint32 *offsets, guint8 *values)
{
  guint64 whole = layout->values / 8 * 8;
  guint32 damaged = CAPRA_BITSHUFFLE_GOOD;

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      gsize n = MIN (layout->block, whole - (gsize) i * layout->block), length = n * layout->element;
      g_autofree guint8 *planes = g_malloc (length);

      if (!reference_lz4_decode (chunk + offsets[i], offsets[i + 1] - 4 - offsets[i], planes, length)
          && damaged == CAPRA_BITSHUFFLE_GOOD)
        damaged = i;
      reference_bitshuffle_values (planes, n, layout->element, values + (gsize) i * layout->block * layout->element);
    }
  return damaged;
}

static void
run (Kernel *kernel, const CapraBitshuffleLayout *layout, const guint8 *batch, const guint8 *expected,
     guint32 expected_damaged)
{
  gsize decoded = layout->values * layout->element, each = BITSHUFFLE_SCRATCH ((gsize) layout->block * layout->element);
  guint groups = MAX (layout->n_blocks, 1);
  g_autofree guint8 *out = g_malloc (decoded);
  g_autofree guint32 *scratch = g_malloc (each * groups);
  guint32 damaged = CAPRA_BITSHUFFLE_GOOD;

  for (group = 0; group < groups; group++)
    kernel (batch, out, &damaged, scratch, layout->values, layout->block, layout->n_blocks, 1);
  g_assert_cmpuint (damaged, ==, expected_damaged);
  g_assert_cmpmem (out, decoded, expected, decoded);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes)
{
  CapraBitshuffleLayout layout;
  g_autoptr (GByteArray) chunk = NULL;
  g_autofree guint8 *batch = NULL, *expected = NULL;
  g_autofree guint32 *offsets = NULL;
  gsize position = 0, size = 0;
  guint32 damaged = 0;

  if (bytes < 3)
    return 0;
  if (!capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, ELEMENT,
                                     1 + (data[0] | (guint) data[1] << 8) % MAX_VALUES, 8 + 8 * (data[2] % 64), NULL))
    return 0;
  chunk = make_chunk (&layout, data + 3, bytes - 3);
  size = chunk->len;
  batch = g_malloc0 (capra_bitshuffle_batch_size (&layout, 1, &size, &position));
  memcpy (batch + position, chunk->data, size);
  expected = g_malloc0 (layout.values * ELEMENT);
  offsets = g_new (guint32, layout.n_blocks + 1);
  g_assert_true (capra_bitshuffle_batch_add (&layout, batch, 1, 0, position, size, CAPRA_BITSHUFFLE_LZ4, NULL));
  g_assert_true (capra_bitshuffle_scan (&layout, chunk->data, size, offsets, NULL));
  damaged = expect (&layout, chunk->data, offsets, expected);
  run (bitshuffle_item, &layout, batch, expected, damaged);
  run (bitshuffle_group, &layout, batch, expected, damaged);
  return 0;
}
