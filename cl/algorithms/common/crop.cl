/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Copies a rectangle of each plane: out (i, j) = in (i + x, j + y), zero outside the input.
 *
 * Layout: a pixel has `units` values of type UNIT.
 * Dimensions: pixels of a row, rows of all planes.
 * Macros: UNIT (a type of 1 to 16 bytes). */
kernel void
crop (global const UNIT *in, global UNIT *out, uint units, int x, int y, uint in_width,
      uint in_height, uint out_width, uint out_height, uint depth)
{
  size_t i = get_global_id (0), row = get_global_id (1);
  size_t plane = row / out_height;
  long from_x = (long) i + x, from_y = (long) (row % out_height) + y;

  if (i >= out_width || plane >= depth)
    return;

  bool inside = from_x >= 0 && from_x < in_width && from_y >= 0 && from_y < in_height;
  size_t from = inside ? ((plane * in_height + from_y) * in_width + from_x) * units : 0;
  size_t to = (row * out_width + i) * units;

  for (uint p = 0; p < units; p++)
    out[to + p] = inside ? in[from + p] : (UNIT) (0);
}
