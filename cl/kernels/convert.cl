/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of `count` pixels between colour layouts, as babl converts.
 *
 * In this order, each where its bit is set in `steps` (but the spreading of one channel to three goes
 * without saying):
 *   DIVIDE    associated colours are divided by alpha
 *   DECODE    perceptual values become linear by the sRGB curve
 *   (R, G, B become luminance by the weights where the result has one colour channel)
 *   ENCODE    linear values become perceptual
 *   MULTIPLY  colours are multiplied by alpha
 * An alpha within 1/65536 of 0 counts as that much in divisions and multiplications, so that colours
 * survive; it is itself kept. Without alpha it is 1. The curve goes on beyond 1, and straight below 0.
 * Whole numbers count as that share of their largest.
 * Macros: FROM, TO (channels, 1 to 4; 2 and 4 have an alpha), IN (uchar, ushort or float), LARGEST (of
 * IN: 255, 65535; 1 for float). */
#define DIVIDE 1
#define DECODE 2
#define ENCODE 4
#define MULTIPLY 8

#define FROM_COLORS (FROM < 3 ? 1 : 3)
#define TO_COLORS (TO < 3 ? 1 : 3)
#define ALPHA_FLOOR (1.0f / 65536)

inline float
decode (float v)
{
  return v > 0.04045f ? powr ((v + 0.055f) * (1 / 1.055f), 2.4f) : v * (1 / 12.92f);
}

inline float
encode (float v)
{
  return v > 0.003130804954f ? 1.055f * powr (v, 1 / 2.4f) - 0.055f : v * 12.92f;
}

kernel void
convert (global const IN *restrict in, global float *restrict out, ulong count, int steps,
         float red, float green, float blue)
{
  size_t i = get_global_id (0);
  float color[3], alpha = 1, factor;

  if (i >= count)
    return;
  in += i * FROM;
  out += i * TO;
  for (int c = 0; c < FROM_COLORS; c++)
    color[c] = in[c] / (float) LARGEST;
  if (FROM > FROM_COLORS)
    alpha = in[FROM - 1] / (float) LARGEST;
  factor = fabs (alpha) > ALPHA_FLOOR ? alpha : ALPHA_FLOOR;

  for (int c = 0; c < FROM_COLORS; c++)
    {
      if (steps & DIVIDE)
        color[c] /= factor;
      if (steps & DECODE)
        color[c] = decode (color[c]);
    }
  if (FROM_COLORS > TO_COLORS)
    color[0] = color[0] * red + color[1] * green + color[2] * blue;
  if (FROM_COLORS < TO_COLORS)
    color[1] = color[2] = color[0];
  for (int c = 0; c < TO_COLORS; c++)
    {
      if (steps & ENCODE)
        color[c] = encode (color[c]);
      out[c] = steps & MULTIPLY ? color[c] * factor : color[c];
    }
  if (TO > TO_COLORS)
    out[TO - 1] = alpha;
}
