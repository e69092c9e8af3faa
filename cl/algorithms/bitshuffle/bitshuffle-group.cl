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
/* Words of @stage for a work-item: eight and one more, so that work-items access different banks. */
#define STAGE_WORDS 9

#ifdef cl_nv_pragma_unroll
/* Writes the values whose planes have the words from @first on, 32 values for a word and up to GROUP words; @words:
 * words of a plane. Each work-item transposes the bits of one word of eight planes, to byte k of 32 values. Through
 * @stage the work-items get the bytes of neighboring values, so that they write these together. */
static inline void
write_words (SCRATCH const uint *planes, uint words, uint first, global OUT *out, local uint *stage, uint lane)
{
  BITS values[GROUP];
  uint n = min (words - first, (uint) GROUP);

UNROLL
  for (uint r = 0; r < GROUP; r++)
    values[r] = 0;
UNROLL
  for (uint k = 0; k < ELEMENT; k++)
    {
      uint x[8], any = 0;

UNROLL
      for (uint b = 0; b < 8; b++)
        {
          x[b] = lane < n ? planes[(8 * k + b) * words + first + lane] : 0;
          any |= x[b];
        }
      /* Counts are small: usually only the first eight planes are not empty. */
      if (k == 0 || ballot (any))
        {
          TRANSPOSE_BITS (uint, 0x01010101u *, x)
          MEET ();
UNROLL
          for (uint i = 0; i < 8; i++)
            stage[lane * STAGE_WORDS + i] = x[i];
          MEET ();
UNROLL
          for (uint r = 0; r < GROUP; r++)
            values[r] |= (BITS) ((BITS) (stage[r * STAGE_WORDS + lane % 8] >> lane / 8 * 8 & 0xff) << 8 * k);
        }
    }
  out += 32 * first + lane;
UNROLL
  for (uint r = 0; r < GROUP; r++)
    if (r < n)
      out[32 * r] = TO_OUT (values[r]);
}

#else

/* The same without exchange: each work-item writes the 32 values of a word. */
static inline void
write_words (SCRATCH const uint *planes, uint words, uint first, global OUT *out, local uint *stage, uint lane)
{
  uint w = first + lane;
  BITS values[32];

  if (w >= words)
    return;
  for (uint i = 0; i < 32; i++)
    values[i] = 0;
  for (uint k = 0; k < ELEMENT; k++)
    {
      uint x[8];

UNROLL
      for (uint b = 0; b < 8; b++)
        x[b] = planes[(8 * k + b) * words + w];
      TRANSPOSE_BITS (uint, 0x01010101u *, x)
UNROLL
      for (uint i = 0; i < 32; i++)
        values[i] |= (BITS) ((BITS) (x[i % 8] >> i / 8 * 8 & 0xff) << 8 * k);
    }
  for (uint i = 0; i < 32; i++)
    out[32 * w + i] = TO_OUT (values[i]);
}
#endif

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
bitshuffle_group (global const uchar *restrict batch, global OUT *restrict out, global uint *damaged,
                  SCRATCH uint *scratch, ulong n_values, uint block_values, uint n_blocks, uint n_chunks)
{
  uint index = get_group_id (0), chunk = get_group_id (1), lane = get_local_id (0);
  block_t block = find_block (batch, chunk, index, n_values, block_values, n_blocks, n_chunks);
  bool good = true, planes = block.coding <= BITSHUFFLE_PLANES;
  local uint stage[GROUP * STAGE_WORDS];
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
    for (uint w = 0; w < block.n / 32; w += GROUP)
      write_words (scratch, block.n / 32, w, out + block.first, stage, lane);
  else if (planes)
    for (uint j = lane; j < block.n / 8; j += GROUP)
      write_eight (bytes, block.n / 8, j, out + block.first);
}
