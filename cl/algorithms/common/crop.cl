/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Rectangles out of arrays: out (i, j) = in (i + x, j + y), zero where that lies outside, for each
 * plane; a pixel is `pieces` times PIECE. One work-item a pixel; dimension 1 runs over the rows of all planes.
 *
 * Macros: PIECE (a type of 1 to 16 bytes). */
kernel void
crop (global const PIECE *in, global PIECE *out, uint pieces, int x, int y, uint in_width,
      uint in_height, uint out_width, uint out_height, uint depth)
{
  size_t i = get_global_id (0), row = get_global_id (1);
  size_t plane = row / out_height;
  long from_x = (long) i + x, from_y = (long) (row % out_height) + y;

  if (i >= out_width || plane >= depth)
    return;

  bool inside = from_x >= 0 && from_x < in_width && from_y >= 0 && from_y < in_height;
  size_t from = inside ? ((plane * in_height + from_y) * in_width + from_x) * pieces : 0;
  size_t to = (row * out_width + i) * pieces;

  for (uint p = 0; p < pieces; p++)
    out[to + p] = inside ? in[from + p] : (PIECE) (0);
}
