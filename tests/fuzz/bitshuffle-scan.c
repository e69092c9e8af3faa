/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for the blocks of a bitshuffle chunk: all blocks that it returns are inside of the chunk. Input: the size
 * of values as a power of two, the number of values (16 bits), the chunk. */
#include "algorithms/bitshuffle/bitshuffle.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes);

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t bytes)
{
  CapraBitshuffleLayout layout;
  guint element = 0, n = 0;

  if (bytes < 3)
    return 0;
  element = 1u << data[0] % 4;
  n = data[1] | (guint) data[2] << 8;
  data += 3;
  bytes -= 3;
  if (capra_bitshuffle_layout_init_from_chunk (&layout, CAPRA_BITSHUFFLE_UNSIGNED, element, n, data, bytes, NULL))
    {
      g_autofree guint32 *offsets = g_new (guint32, layout.n_blocks + 1);
      gsize end = 12, tail = n % 8 * element;

      if (capra_bitshuffle_scan (&layout, data, bytes, offsets, NULL))
        {
          for (guint i = 0; i <= layout.n_blocks; i++)
            {
              g_assert_cmpuint (offsets[i], ==, end + 4);
              if (i < layout.n_blocks)
                end = offsets[i + 1] - 4;
            }
          g_assert_cmpuint (end, <=, bytes);
          g_assert_cmpuint (tail, <=, bytes - end);
        }
    }
  return 0;
}
