/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: connected components by runs, the first step. Packs a mask, in > 0 (NaN is background), into 64-bit words
 * along rows: bits[y * words + i] holds the pixels of row y from 64 * i on, with words = LABEL_RUNS_WORDS (width). Rows
 * below the image, up to `rows`, become 0. A work-item packs a strip of `lines` rows. This is a separate program, as
 * it alone depends on the type of the mask.
 *
 * Macros: IN (type of the mask), IN8 (its vector of 8). */

#include "bits.clh"
#include "label-params.h"

inline ulong
pack (global const IN *in)
{
  int8 low = 0, high = 0;

  for (int i = 0; i < 4; i++)
    {
      low |= convert_int8 (vload8 (i, in) > (IN8) (0)) & BIT_VALUES (i);
      high |= convert_int8 (vload8 (i + 4, in) > (IN8) (0)) & BIT_VALUES (i);
    }
  return gather_bits (low, high);
}

kernel void
label_runs_pack (global const IN *in, global ulong *bits, uint width, uint height, uint rows,
                 uint lines)
{
  uint words = LABEL_RUNS_WORDS (width), begin = get_global_id (0) * lines;

  for (uint y = begin; y < min (begin + lines, rows); y++)
    {
      global const IN *row = in + (size_t) y * width;
      global ulong *out = bits + (size_t) y * words;

      for (uint i = 0; i < words; i++)
        {
          uint rest = y < height ? width - i * 64 : 0;
          ulong word = 0;

          if (rest >= 64)
            word = pack (row + i * 64);
          else
            for (uint j = 0; j < rest; j++)
              word |= (ulong) (row[i * 64 + j] > 0) << j;
          out[i] = word;
        }
    }
}
