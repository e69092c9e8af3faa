/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Converts `count` pixels between color layouts, as babl does.
 *
 * Carries out the steps of convert-params.h whose bits are set in `steps`, in the order of the bits. Between decoding
 * and encoding, R, G and B become luminance by the weights `red`, `green` and `blue` if the result has one color
 * channel. One color channel becomes three equal ones if the result has three. If the result has integers, values are
 * rounded, and those outside of 0 to 1 are clipped.
 *
 * A work-item converts VEC pixels; the last one may convert pixels of the one before it again. Assumption: at least VEC
 * pixels. If CURVED is defined, its value replaces `steps`, without the bit for decoding, and `curve` holds the linear
 * value of each integer.
 *
 * Macros: those of color-store.clh. */
#include "color-store.clh"

#ifdef CURVED
#define STEPS CURVED
#else
#define STEPS steps
#endif

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
