/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Packs a mask, in > 0 (NaN is not), into 64-bit words along rows.
 *
 * label_pack_rows: bits[y * words + i] holds the pixels 64 * i … of row y, with
 *   words = ceil (width / 64); rows below the image, up to `rows`, are 0. One work-item a stripe of
 *   `lines` rows.
 *
 * Macros: IN (element type), IN8 (its vector of 8). */

#include "bits.clh"

inline ulong
pack (global const IN *in)
{
  int8 low = 0, high = 0;

  for (int i = 0; i < 4; i++)
    {
      low |= convert_int8 (vload8 (i, in) > (IN8) (0)) & PLACES (i);
      high |= convert_int8 (vload8 (i + 4, in) > (IN8) (0)) & PLACES (i);
    }
  return gather_bits (low, high);
}

kernel void
label_pack_rows (global const IN *in, global ulong *bits, uint width, uint height, uint rows,
                 uint lines)
{
  uint words = (width + 63) / 64, begin = get_global_id (0) * lines;

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
