/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Decodes chunks of the HDF5 filter 32008: one work-item decodes a block into SCRATCH memory, then transposes its bits
 * in vectors. For processors with vector units and caches. Layouts and results as in bitshuffle-group.cl; every read
 * ends at most 15 bytes after the block's data, every write inside of the block's memory. */
#include "bitshuffle-lz4-item.clh"

#define ONES_2(byte) (byte * 0x0101010101010101ul)
/* The bytes of two vectors in turn: of their first, or second halves. */
#define ZIP_LOW(a, b)                                                                                    \
  (uchar16) (a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define ZIP_HIGH(a, b)                                                                                   \
  (uchar16) (a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
#define ZIP(a, b, low, high)           \
  uchar16 low = ZIP_LOW (a, b);        \
  uchar16 high = ZIP_HIGH (a, b);

typedef JOIN (BITS, 16) bits_t;
#define TO_BITS(x) JOIN (JOIN (convert_, BITS), 16) (x)

/* Bytes k of 128 values from bytes 0 to 15 of eight planes. */
static inline void
transpose_128 (SCRATCH const uchar *planes, uint stride, uchar16 *v)
{
  ulong2 x[8];
  uchar16 y[8];

UNROLL
  for (uint b = 0; b < 8; b++)
    x[b] = as_ulong2 (vload16 (0, planes + b * stride));
  TRANSPOSE_BITS (ulong2, ONES_2, x)
UNROLL
  for (uint b = 0; b < 8; b++)
    y[b] = as_uchar16 (x[b]);
  {
    ZIP (y[0], y[4], a0, a1)
    ZIP (y[2], y[6], b0, b1)
    ZIP (y[1], y[5], c0, c1)
    ZIP (y[3], y[7], d0, d1)
    ZIP (a0, b0, e0, e1)
    ZIP (a1, b1, e2, e3)
    ZIP (c0, d0, f0, f1)
    ZIP (c1, d1, f2, f3)

    v[0] = ZIP_LOW (e0, f0);
    v[1] = ZIP_HIGH (e0, f0);
    v[2] = ZIP_LOW (e1, f1);
    v[3] = ZIP_HIGH (e1, f1);
    v[4] = ZIP_LOW (e2, f2);
    v[5] = ZIP_HIGH (e2, f2);
    v[6] = ZIP_LOW (e3, f3);
    v[7] = ZIP_HIGH (e3, f3);
  }
}

/* Which of the bytes of the values are not zero everywhere: bit k for byte k. */
static inline uint
used_bytes (SCRATCH const uchar *planes, uint stride)
{
  uint used = 1;

  for (uint k = 1; k < ELEMENT; k++)
    {
      SCRATCH const uchar *p = planes + 8 * k * stride;
      uchar16 any = 0;
      uint i = 0;

      for (; i + 16 <= 8 * stride; i += 16)
        any |= vload16 (0, p + i);
      for (; i < 8 * stride; i++)
        any.s0 |= p[i];
      if ((as_ulong2 (any).x | as_ulong2 (any).y) != 0)
        used |= 1u << k;
    }
  return used;
}

static inline void
write_128 (SCRATCH const uchar *planes, uint stride, uint used, global OUT *out)
{
  uchar16 v[8];
  bits_t values[8];

  transpose_128 (planes, stride, v);
UNROLL
  for (uint i = 0; i < 8; i++)
    values[i] = TO_BITS (v[i]);
#if ELEMENT > 1
  for (uint k = 1; k < ELEMENT; k++)
    if (used >> k & 1)
      {
        transpose_128 (planes + 8 * k * stride, stride, v);
UNROLL
        for (uint i = 0; i < 8; i++)
          values[i] |= TO_BITS (v[i]) << (BITS) (8 * k);
      }
#endif
UNROLL
  for (uint i = 0; i < 8; i++)
    vstore16 (TO_OUT_16 (values[i]), 0, out + 16 * i);
}

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
bitshuffle_item (global const uchar *restrict batch, global OUT *restrict out, global uint *damaged,
                 SCRATCH uint *scratch, ulong n_values, uint block_values, uint n_blocks, uint n_chunks)
{
  uint index = get_group_id (0), chunk = get_group_id (1);
  block_t block = find_block (batch, chunk, index, n_values, block_values, n_blocks, n_chunks);
  uint size = block.n * ELEMENT, stride = block.n / 8, used, j = 0;
  SCRATCH uchar *bytes;

#ifdef SCRATCH_IS_GLOBAL
  scratch += ((ulong) chunk * n_blocks + index) * BITSHUFFLE_SCRATCH ((ulong) block_values * ELEMENT) / 4;
#endif
  bytes = (SCRATCH uchar *) scratch;
  out += (ulong) chunk * n_values;
  write_plain (&block, out, 0, 1);
  if (block.coding > BITSHUFFLE_PLANES || block.n == 0)
    return;
  if (block.coding == BITSHUFFLE_PLANES)
    for (uint i = 0; i < size; i++)
      bytes[i] = block.source[block.first * ELEMENT + i];
  else if (!decode_lz4 (block.source, block.begin, block.end, bytes, size))
    atomic_min (damaged + chunk, index);
  used = used_bytes (bytes, stride);
  for (; j + 16 <= stride; j += 16)
    write_128 (bytes + j, stride, used, out + block.first + 8 * j);
  for (; j < stride; j++)
    write_eight (bytes, stride, j, out + block.first);
}
