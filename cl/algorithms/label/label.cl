/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Colours of labels: out = R'G'B'A of each of `count` labels, (0, 0, 0, 0) for label 0.
 *
 * The hue walks by the golden ratio, so that numbers near each other lie far apart on the circle;
 * every second and third number also differs in lightness and saturation. */

inline float
component (uint hue, uint turn, float value, float saturation)
{
  /* A trapezium of six sides over the circle, `turn` ahead. */
  float place = (float) ((hue + turn) & 0xffff) * (6.0f / 65536.0f);
  float part = clamp (min (place, 4.0f - place), 0.0f, 1.0f);

  return value * (1.0f - saturation * part);
}

kernel void
label_colors (global const uint *labels, global float4 *out, ulong count)
{
  size_t i = get_global_id (0);
  uint label, hue;
  float value, saturation;

  if (i >= count)
    return;
  label = labels[i];
  /* 2^32 divided by the golden ratio. */
  hue = label * 2654435769u >> 16;
  value = 1.0f - 0.15f * (float) (label % 3);
  saturation = 0.55f + 0.3f * (float) (label % 2);
  out[i] = label ? (float4) (component (hue, 5 * 65536 / 6, value, saturation),
                             component (hue, 3 * 65536 / 6, value, saturation),
                             component (hue, 1 * 65536 / 6, value, saturation), 1.0f)
                 : (float4) (0.0f);
}
