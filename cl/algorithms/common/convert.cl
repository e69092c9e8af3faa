/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Converts `count` pixels between color layouts, as babl does.
 *
 * Carries out the steps of convert-params.h whose bits are set in `steps`, in the order of the bits. Between decoding
 * and encoding, R, G and B become luminance by the weights `red`, `green` and `blue` if the result has one color
 * channel. One color channel becomes three equal ones if the result has three. If the result has integers, values are
 * rounded, and those outside of 0 to 1 are clipped.
 *
 * A work-item converts VEC pixels; the last one may convert pixels of the one before it again. Assumption: count >= VEC.
 * If CURVED is defined, its value replaces `steps`, without the bit for decoding, and `curve` holds the linear value of
 * each integer.
 *
 * Macros: those of color.clh, TO (channels of the result), OUT (uchar, ushort or float), OUT_LARGEST (like LARGEST). */
#include "color.clh"

#ifdef CURVED
#define STEPS CURVED
#else
#define STEPS steps
#endif

#if VEC == 1
typedef OUT outs_t;
#else
typedef JOIN (OUT, VEC) outs_t;
#endif

/* The values in the type of the result. */
inline outs_t
quantize (lanes_t v)
{
#if OUT_LARGEST == 1
  return v;
#elif VEC == 1
  return JOIN (JOIN (convert_, OUT), _sat) (v * OUT_LARGEST + 0.5f);
#else
  return JOIN (JOIN (JOIN (convert_, OUT), VEC), _sat) (v * OUT_LARGEST + 0.5f);
#endif
}

#define PIXEL_2(n) x.s##n, w.s##n
#define PIXEL_3(n) x.s##n, y.s##n, z.s##n
#define PIXEL_4(n) x.s##n, y.s##n, z.s##n, w.s##n

inline void
store_channels (outs_t x, outs_t y, outs_t z, outs_t w, global OUT *restrict out)
{
#if VEC == 1
  out[0] = x;
#if TO == 2
  out[1] = w;
#elif TO >= 3
  out[1] = y;
  out[2] = z;
#endif
#if TO == 4
  out[3] = w;
#endif
#elif TO == 1
  vstore16 (x, 0, out);
#elif TO == 2
  vstore16 ((outs_t) (PIXEL_2 (0), PIXEL_2 (1), PIXEL_2 (2), PIXEL_2 (3), PIXEL_2 (4), PIXEL_2 (5),
                      PIXEL_2 (6), PIXEL_2 (7)), 0, out);
  vstore16 ((outs_t) (PIXEL_2 (8), PIXEL_2 (9), PIXEL_2 (a), PIXEL_2 (b), PIXEL_2 (c), PIXEL_2 (d),
                      PIXEL_2 (e), PIXEL_2 (f)), 1, out);
#elif TO == 3
  vstore16 ((outs_t) (PIXEL_3 (0), PIXEL_3 (1), PIXEL_3 (2), PIXEL_3 (3), PIXEL_3 (4), x.s5), 0, out);
  vstore16 ((outs_t) (y.s5, z.s5, PIXEL_3 (6), PIXEL_3 (7), PIXEL_3 (8), PIXEL_3 (9), x.sa, y.sa), 1, out);
  vstore16 ((outs_t) (z.sa, PIXEL_3 (b), PIXEL_3 (c), PIXEL_3 (d), PIXEL_3 (e), PIXEL_3 (f)), 2, out);
#else
  vstore16 ((outs_t) (PIXEL_4 (0), PIXEL_4 (1), PIXEL_4 (2), PIXEL_4 (3)), 0, out);
  vstore16 ((outs_t) (PIXEL_4 (4), PIXEL_4 (5), PIXEL_4 (6), PIXEL_4 (7)), 1, out);
  vstore16 ((outs_t) (PIXEL_4 (8), PIXEL_4 (9), PIXEL_4 (a), PIXEL_4 (b)), 2, out);
  vstore16 ((outs_t) (PIXEL_4 (c), PIXEL_4 (d), PIXEL_4 (e), PIXEL_4 (f)), 3, out);
#endif
}

/* Statements for each color of the result. */
#if TO < 3 || FROM < 3
#define FOR_RESULT(x, y, z) x
#else
#define FOR_RESULT(x, y, z) x, y, z
#endif

kernel void
convert (global const IN *restrict in, global OUT *restrict out, constant float *restrict curve,
         ulong count, int steps, float red, float green, float blue)
{
  ulong i = (ulong) get_global_id (0) * VEC;
  color_t color;

  if (i >= count)
    return;
  i = min (i, count - VEC);
  color = straighten (load_color (in + i * FROM, curve), STEPS);
#if TO < 3
  color.x = luminance (color, red, green, blue);
#endif
  if (STEPS & CONVERT_ENCODE)
    FOR_RESULT (color.x = encode (color.x), color.y = encode (color.y), color.z = encode (color.z));
  if (STEPS & CONVERT_MULTIPLY)
    {
      lanes_t factor = color_factor (color.alpha);

      FOR_RESULT (color.x *= factor, color.y *= factor, color.z *= factor);
    }
#if FROM < 3
  color.y = color.z = color.x;
#endif
  store_channels (quantize (color.x), quantize (color.y), quantize (color.z), quantize (color.alpha), out + i * TO);
}
