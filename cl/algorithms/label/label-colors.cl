/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: out = R'G'B'A of each of `count` labels (label-color.h), opaque; (0, 0, 0, 0) for label 0. No macros. */
#include "label-color.h"

kernel void
label_colors (global const uint *labels, global float4 *out, ulong count)
{
  size_t i = get_global_id (0);
  uint label;

  if (i >= count)
    return;
  label = labels[i];
  out[i] = label ? (float4) (label_color_channel (label, 0), label_color_channel (label, 1),
                             label_color_channel (label, 2), 1.0f)
                 : (float4) (0.0f);
}
