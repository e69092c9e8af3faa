/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding of bitshuffle-LZ4: frames of small counts, of which the low bit planes are noise and the others are empty.
 */
#include "ui/cli/bench/bench-bitshuffle.h"

#include <string.h>

#include "ui/cli/bench/bench-azimuthal.h"

#define HEADER_BYTES 12
#define LENGTH_BYTES 4
#define LAST_LITERALS 5 /* with which LZ4 requires a block to end */
#define SUM_VALUES 4096 /* values of a sum in which results are compared */

static gboolean
init_layout (CapraBitshuffleLayout *layout, GError **error)
{
  return capra_bitshuffle_layout_init (layout, CAPRA_BITSHUFFLE_UNSIGNED, sizeof (guint32),
                                       (guint64) BENCH_EIGER_WIDTH * BENCH_EIGER_HEIGHT, 0, error);
}

static void
append_big_endian (GByteArray *chunk, guint64 number, guint bytes)
{
  guint64 reversed = GUINT64_TO_BE (number << (64 - 8 * bytes));

  g_byte_array_append (chunk, (const guint8 *) &reversed, bytes);
}

/* The part of a length that a token has no room for. */
static void
append_rest (GByteArray *chunk, gsize length)
{
  if (length < 15)
    return;
  for (length -= 15; length >= 255; length -= 255)
    g_byte_array_append (chunk, (const guint8[]){ 255 }, 1);
  g_byte_array_append (chunk, (const guint8[]){ (guint8) length }, 1);
}

/* An LZ4 block: what precedes the zeros at its end as literals, the zeros as a match, the last of them as literals. */
static void
append_compressed (GByteArray *chunk, const guint8 *planes, gsize bytes)
{
  gsize used = bytes, zeros = 0;

  while (used > 1 && planes[used - 1] == 0)
    used--;
  used = MIN (used + 1, bytes);
  zeros = bytes - used;
  if (zeros < LAST_LITERALS + 4)
    {
      used = bytes;
      zeros = 0;
    }
  else
    zeros -= LAST_LITERALS;
  g_byte_array_append (chunk, (const guint8[]){ (guint8) (MIN (used, 15) << 4 | (zeros ? MIN (zeros - 4, 15) : 0)) },
                       1);
  append_rest (chunk, used);
  g_byte_array_append (chunk, planes, (guint) used);
  if (zeros == 0)
    return;
  g_byte_array_append (chunk, (const guint8[]){ 1, 0 }, 2);
  append_rest (chunk, zeros - 4);
  g_byte_array_append (chunk, (const guint8[]){ LAST_LITERALS << 4, 0, 0, 0, 0, 0 }, 1 + LAST_LITERALS);
}

/* The bit planes of @n values. */
static void
make_planes (const guint32 *values, gsize n, guint8 *planes)
{
  memset (planes, 0, n * sizeof *values);
  for (gsize i = 0; i < n; i++)
    for (guint32 bit = 0, left = values[i]; left; bit++, left >>= 1)
      planes[bit * (n / 8) + i / 8] |= (guint8) ((left & 1) << i % 8);
}

static GByteArray *
encode (const CapraBitshuffleLayout *layout, const guint32 *values)
{
  GByteArray *chunk = g_byte_array_new ();
  g_autofree guint8 *planes = g_malloc ((gsize) layout->block * sizeof *values);

  append_big_endian (chunk, layout->values * sizeof *values, 8);
  append_big_endian (chunk, (guint64) layout->block * sizeof *values, HEADER_BYTES - 8);
  for (guint b = 0; b < layout->n_blocks; b++)
    {
      gsize first = (gsize) b * layout->block, n = MIN (layout->block, (layout->values - first) / 8 * 8);
      guint at = chunk->len;
      guint32 length = 0;

      append_big_endian (chunk, 0, LENGTH_BYTES);
      make_planes (values + first, n, planes);
      append_compressed (chunk, planes, n * sizeof *values);
      length = GUINT32_TO_BE (chunk->len - at - LENGTH_BYTES);
      memcpy (chunk->data + at, &length, LENGTH_BYTES);
    }
  g_byte_array_append (chunk, (const guint8 *) (values + layout->values / 8 * 8),
                       (guint) (layout->values % 8 * sizeof *values));
  return chunk;
}

/* A batch of @n times the same chunk. */
static CapraArray *
make_batch (CapraDevice *device, const CapraBitshuffleLayout *layout, guint n, const GByteArray *chunk, GError **error)
{
  g_autofree gsize *sizes = g_new (gsize, n), *positions = g_new (gsize, n);
  g_autoptr (CapraArray) batch = NULL;
  guint8 *host = NULL;
  gboolean added = TRUE;
  gsize bytes = 0;

  for (guint i = 0; i < n; i++)
    sizes[i] = chunk->len;
  bytes = capra_bitshuffle_batch_size (layout, n, sizes, positions);
  batch = capra_array_new_for_upload (device, &CAPRA_SHAPE_2D (bytes, 1, CAPRA_U8), error);
  host = batch ? capra_array_map_write (batch, error) : NULL;
  if (!host)
    return NULL;
  for (guint i = 0; i < n && added; i++)
    {
      memcpy (host + positions[i], chunk->data, chunk->len);
      added = capra_bitshuffle_batch_add (layout, host, n, i, positions[i], sizes[i], CAPRA_BITSHUFFLE_LZ4, error);
    }
  if (!capra_array_unmap (batch, added ? error : NULL) || !added)
    return NULL;
  return g_steal_pointer (&batch);
}

static CapraArray *
make_frames (CapraDevice *device, guint n, GError **error)
{
  g_autofree guint32 *values = g_new (guint32, (gsize) BENCH_EIGER_WIDTH * BENCH_EIGER_HEIGHT);
  g_autoptr (GByteArray) chunk = NULL;
  CapraBitshuffleLayout layout;

  if (!init_layout (&layout, error))
    return NULL;
  bench_fill_counts (values, layout.values);
  chunk = encode (&layout, values);
  return make_batch (device, &layout, n, chunk, error);
}

CapraArray *
bench_prepare_bitshuffle (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  /* One batch for all inputs: it takes time to make, and what it decodes to is larger than caches. */
  static CapraArray *last = NULL;

  if (last && capra_array_get_device (last) != capra_array_get_device (image))
    g_clear_pointer (&last, capra_array_unref);
  if (!last)
    last = make_frames (capra_array_get_device (image), (guint) workload->parameter, error);
  return last ? capra_array_ref (last) : NULL;
}

/* Adds sums of results, which depend on their order, to the values of @call. */
static gboolean
add_sums (CapraArray *frames, const BenchCall *call, GError **error)
{
  gsize n = capra_shape_count (capra_array_get_shape (frames));
  const guint32 *values = capra_array_map_read (frames, error);
  double sum = 0;

  if (!values)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      sum += (double) values[i] * (double) (1 + i % 61);
      if ((i + 1) % SUM_VALUES == 0 || i + 1 == n)
        {
          g_array_append_val (call->values, sum);
          sum = 0;
        }
    }
  return capra_array_unmap (frames, error);
}

gboolean
bench_run_bitshuffle (const BenchCall *call, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_3D (BENCH_EIGER_WIDTH, BENCH_EIGER_HEIGHT, (gsize) call->workload->parameter,
                                     CAPRA_U32);
  CapraBitshuffleLayout layout;
  g_autoptr (CapraArray) frames = NULL, damaged = NULL;

  if (!init_layout (&layout, error))
    return FALSE;
  frames = capra_bitshuffle_decode (call->second, &layout, &shape, &damaged, error);
  if (frames && call->values)
    return add_sums (frames, call, error);
  return frames && bench_finish (g_steal_pointer (&frames), call, error);
}
