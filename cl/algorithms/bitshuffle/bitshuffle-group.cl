/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Decodes chunks of the HDF5 filter 32008: 32 work-items decode a block into SCRATCH memory, then transpose its bits.
 * All of them read the same tokens and copy literals and matches together. Layouts: bitshuffle-params.h and
 * bitshuffle.clh.
 *
 * A block is decoded in local memory, or, if it does not fit, in `scratch`, which has the size of all blocks.
 * Every read is inside of the block's data, every write inside of its memory: `damaged` gets the number of a chunk's
 * first block whose data are wrong; the bytes that such a block lacks are zeros. */
#include "bitshuffle-lz4-group.clh"

#define GROUP BITSHUFFLE_LANES

/* Writes the 32 values whose planes have word @w; @words: words of a plane. */
static inline void
write_word (SCRATCH const uint *planes, uint words, uint w, global OUT *out)
{
  uint x[ELEMENT][8], above = 0;

UNROLL
  for (uint k = 0; k < ELEMENT; k++)
UNROLL
    for (uint b = 0; b < 8; b++)
      {
        x[k][b] = planes[(8 * k + b) * words + w];
        above |= k > 0 ? x[k][b] : 0;
      }
  out += 32 * w;
  TRANSPOSE_BITS (uint, 0x01010101u *, x[0])
  /* Counts are small: usually only the first eight planes are not empty. */
  if (above == 0)
    {
UNROLL
      for (uint q = 0; q < 4; q++)
UNROLL
        for (uint i = 0; i < 8; i++)
          out[8 * q + i] = TO_OUT ((BITS) (x[0][i] >> 8 * q & 0xff));
      return;
    }
UNROLL
  for (uint k = 1; k < ELEMENT; k++)
    TRANSPOSE_BITS (uint, 0x01010101u *, x[k])
UNROLL
  for (uint q = 0; q < 4; q++)
UNROLL
    for (uint i = 0; i < 8; i++)
      {
        BITS value = 0;

UNROLL
        for (uint k = 0; k < ELEMENT; k++)
          value |= (BITS) ((BITS) (x[k][i] >> 8 * q & 0xff) << 8 * k);
        out[8 * q + i] = TO_OUT (value);
      }
}

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
bitshuffle_group (global const uchar *restrict batch, global OUT *restrict out, global uint *damaged,
                  SCRATCH uint *scratch, ulong n_values, uint block_values, uint n_blocks, uint n_chunks)
{
  uint index = get_group_id (0), chunk = get_group_id (1), lane = get_local_id (0);
  block_t block = find_block (batch, chunk, index, n_values, block_values, n_blocks, n_chunks);
  bool good = true, planes = block.coding <= BITSHUFFLE_PLANES;
  SCRATCH uchar *bytes;

#ifdef SCRATCH_IS_GLOBAL
  scratch += ((ulong) chunk * n_blocks + index) * BITSHUFFLE_SCRATCH ((ulong) block_values * ELEMENT) / 4;
#endif
  bytes = (SCRATCH uchar *) scratch;
  out += (ulong) chunk * n_values;
  if (block.coding == BITSHUFFLE_LZ4)
    good = decode_lz4 (block.source, block.begin, block.end, bytes, block.n * ELEMENT, lane);
  if (block.coding == BITSHUFFLE_PLANES)
    for (uint i = lane; i < block.n * ELEMENT; i += GROUP)
      bytes[i] = block.source[block.first * ELEMENT + i];
  barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  if (!good && lane == 0)
    atomic_min (damaged + chunk, index);
  write_plain (&block, out, lane, GROUP);
  if (planes && block.n % 32 == 0)
    for (uint w = lane; w < block.n / 32; w += GROUP)
      write_word (scratch, block.n / 32, w, out + block.first);
  else if (planes)
    for (uint j = lane; j < block.n / 8; j += GROUP)
      write_eight (bytes, block.n / 8, j, out + block.first);
}
