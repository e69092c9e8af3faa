/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: out = the color of each of `count` labels (label-color.clh). No macros. */
#include "label-color.clh"

kernel void
label_colors (global const uint *labels, global uint *out, ulong count)
{
  size_t i = get_global_id (0);

  if (i < count)
    out[i] = label_color (labels[i]);
}
