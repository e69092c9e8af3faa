/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: replaces each of `count` labels by its entry in `numbers`. No macros. */
kernel void
label_renumber (global uint *labels, ulong count, global const uint *restrict numbers)
{
  size_t i = get_global_id (0);

  if (i < count)
    labels[i] = numbers[labels[i]];
}
