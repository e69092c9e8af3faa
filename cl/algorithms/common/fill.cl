/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes one 32-bit word all over a buffer of `count` 16-byte pieces (blocks are multiples of 4096 bytes). */
kernel void
fill (global uint4 *out, ulong count, uint word)
{
  size_t i = get_global_id (0);

  if (i < count)
    out[i] = (uint4) (word);
}
