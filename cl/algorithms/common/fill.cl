/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fills a buffer of `count` * 16 bytes with a 32-bit word. The last 16 bytes may extend past the array, since the sizes
 * of memory blocks are multiples of 4096 bytes. */
kernel void
fill (global uint4 *out, ulong count, uint word)
{
  size_t i = get_global_id (0);

  if (i < count)
    out[i] = (uint4) (word);
}
