/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: masks of colors. out = 1 where low <= luminance <= high, else 0 (NaN: 0), in all color channels; with the
 * alpha of the input if the result has one.
 *
 * `count` pixels are converted to luminance by `steps`, as in convert.cl. A work-item takes VEC pixels; the last one
 * may take pixels of the one before it again. Assumption: at least VEC pixels. `curve`: see convert.cl.
 *
 * Macros: those of color-store.clh. */
#include "color-store.clh"

#ifdef CURVED
#define STEPS CURVED
#else
#define STEPS steps
#endif

/* The alpha of the result. Single conversions are slow, so it is copied if the type stays the same. */
#if VEC == 1 && FROM % 2 == 0 && LARGEST == OUT_LARGEST
#define ALPHA in[i * FROM + FROM - 1]
#else
#define ALPHA quantize (color.alpha)
#endif

kernel void
threshold_colors (global const IN *restrict in, global OUT *restrict out, constant float *restrict curve, ulong count,
                  int steps, float red, float green, float blue, float low, float high)
{
  ulong i = (ulong) get_global_id (0) * VEC;
  color_t color;
  lanes_t value;
  outs_t mask;

  if (i >= count)
    return;
  i = min (i, count - VEC);
  color = straighten (load_color (in + i * FROM, curve), STEPS);
  value = luminance (color, red, green, blue);
  if (STEPS & CONVERT_ENCODE)
    value = encode (value);
#if VEC == 1
  mask = value >= low && value <= high ? OUT_LARGEST : 0;
#else
  mask = quantize (value >= low && value <= high ? (lanes_t) (1) : (lanes_t) (0));
#endif
  store_channels (mask, mask, mask, ALPHA, out + i * TO);
}
