/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Converts `count` pixels between color layouts, as babl does.
 *
 * Carries out the steps of convert-params.h whose bits are set in `steps`, in the order of the bits. Between decoding
 * and encoding, R, G and B become luminance by the weights `red`, `green` and `blue` if the result has one color
 * channel. One color channel becomes three equal ones if the result has three.
 *
 * Divisions and multiplications use 1/65536 for an alpha whose magnitude is at most that, so that colors can be
 * recovered; the alpha itself is copied unchanged. A new alpha is 1. The sRGB curve continues above 1; below 0 it is
 * linear. Integers are divided by LARGEST. If CURVED is defined, its value replaces `steps`, without the bit for
 * decoding, and `curve` holds the linear value of each integer.
 *
 * Macros: FROM, TO (channels, 1 to 4; 2 and 4 include an alpha), IN (uchar, ushort or float), LARGEST (the largest
 * value of IN: 255 or 65535; 1 for float), CURVED (optional). */
#include "convert-params.h"

#ifdef CURVED
#define STEPS CURVED
#else
#define STEPS steps
#endif
#define FROM_COLORS (FROM < 3 ? 1 : 3)
#define TO_COLORS (TO < 3 ? 1 : 3)
#define ALPHA_FLOOR (1.0f / 65536)

/* The colors of a pixel: a scalar if input and result have one color channel. */
#if FROM < 3 && TO < 3
typedef float color_t;
typedef int whole_t;
#define as_color as_float
#define as_whole as_int
#define convert_whole convert_int
#define convert_color convert_float
#else
typedef float4 color_t;
typedef int4 whole_t;
#define as_color as_float4
#define as_whole as_int4
#define convert_whole convert_int4
#define convert_color convert_float4
#endif

/* x^p for x > 0.002 and |p| <= 2.4, with a relative error of at most 2e-6. It calls no functions, so that compilers
 * vectorize it (PoCL's powr() takes a hundred times as long). log2 is computed by the series of artanh on
 * [sqrt(1/2), sqrt(2)], exp2 by its Taylor series on [-1/2, 1/2]. */
inline color_t
power (color_t x, float p)
{
  whole_t e = (as_whole (x) - 0x3f3504f3) >> 23;
  color_t m = as_color (as_whole (x) - (e << 23));
  color_t t = (m - 1) / (m + 1), s = t * t;
  color_t y = p * (convert_color (e) + t * (2.885390082f + s * (0.961796694f + s * (0.577078016f
                                                                        + s * 0.412198583f))));
  color_t n, f, r;

  y = y < 128 ? y : (color_t) (128);
  n = (y + 12582912) - 12582912; /* rounds: adding 1.5 x 2^23 leaves no fraction */
  f = y - n;
  r = 1 + f * (0.69314718f + f * (0.24022651f + f * (0.05550411f + f * (0.00961813f
        + f * (0.00133336f + f * 0.00015404f)))));
  return r * as_color ((convert_whole (n) + 127) << 23);
}

/* power() returns about 2^128 for infinity, so infinities and NaN are returned unchanged. */
inline color_t
decode (color_t v)
{
  color_t curved = power ((v > 0.04f ? v + 0.055f : (color_t) (0.09f)) * (1 / 1.055f), 2.4f);

  return v > 0.04045f ? (v < INFINITY ? curved : v) : v * (1 / 12.92f);
}

inline color_t
encode (color_t v)
{
  color_t curved = 1.055f * power (v > 0.003f ? v : (color_t) (0.003f), 1 / 2.4f) - 0.055f;

  return v > 0.003130804954f ? (v < INFINITY ? curved : v) : v * 12.92f;
}

#ifdef CURVED
#define CHANNEL(n) curve[in[n]]
#else
#define CHANNEL(n) (in[n] / (float) LARGEST)
#endif

kernel void
convert (global const IN *restrict in, global float *restrict out, constant float *restrict curve,
         ulong count, int steps, float red, float green, float blue)
{
  size_t i = get_global_id (0);
  float alpha = 1, factor;
  color_t color;

  if (i >= count)
    return;
  in += i * FROM;
  out += i * TO;
#if FROM < 3
  color = CHANNEL (0);
#else
  color = (float4) (CHANNEL (0), CHANNEL (1), CHANNEL (2), 0);
#endif
  if (FROM > FROM_COLORS)
    alpha = in[FROM - 1] / (float) LARGEST;
  factor = fabs (alpha) > ALPHA_FLOOR ? alpha : ALPHA_FLOOR;

  if (STEPS & CONVERT_DIVIDE)
    color /= factor;
  if (STEPS & CONVERT_DECODE)
    color = decode (color);
#if FROM >= 3 && TO < 3
  color = color.x * red + color.y * green + color.z * blue;
#endif
  if (STEPS & CONVERT_ENCODE)
    color = encode (color);
  if (STEPS & CONVERT_MULTIPLY)
    color *= factor;
#if FROM < 3 && TO < 3
  out[0] = color;
#elif TO < 3
  out[0] = color.x;
#elif TO < 4
  out[0] = color.x;
  out[1] = color.y;
  out[2] = color.z;
#else
  vstore4 ((float4) (color.xyz, alpha), 0, out);
#endif
  if (TO == 2)
    out[1] = alpha;
}
