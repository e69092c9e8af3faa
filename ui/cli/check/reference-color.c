/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colors by the formulas of sRGB, pixel by pixel. */
#include "ui/cli/check/reference-color.h"

#include <math.h>

/* Below this, alpha counts as 0, as in babl. */
#define FLOOR (1.0 / 65536)

static gboolean
has_alpha (CapraColor color)
{
  return color != CAPRA_COLOR_Y && color != CAPRA_COLOR_RGB;
}

static gboolean
is_associated (CapraColor color)
{
  return color == CAPRA_COLOR_YaA || color == CAPRA_COLOR_RaGaBaA;
}

static int
n_colors (CapraColor color)
{
  return color >= CAPRA_COLOR_RGB ? 3 : 1;
}

void
reference_convert (const float *in, double *out, CapraEncoding from, CapraEncoding to, const double weights[3])
{
  double alpha = has_alpha (from.color) ? in[n_colors (from.color)] : 1;
  double factor = fabs (alpha) > FLOOR ? alpha : FLOOR, color[3];

  for (int c = 0; c < 3; c++)
    {
      double v = in[n_colors (from.color) == 3 ? c : 0];

      if (is_associated (from.color))
        v /= factor;
      if (from.perceptual)
        v = v > 0.04045 ? pow ((v + 0.055) / 1.055, 2.4) : v / 12.92;
      color[c] = v;
    }
  if (n_colors (from.color) == 3 && n_colors (to.color) == 1)
    color[0] = color[0] * weights[0] + color[1] * weights[1] + color[2] * weights[2];
  for (int c = 0; c < n_colors (to.color); c++)
    {
      double v = color[c];

      if (to.perceptual)
        v = v > 0.003130804954 ? 1.055 * pow (v, 1 / 2.4) - 0.055 : v * 12.92;
      if (is_associated (to.color))
        v *= factor;
      out[c] = v;
    }
  if (has_alpha (to.color))
    out[n_colors (to.color)] = alpha;
}

double
reference_color_unit (CapraType type)
{
  return type == CAPRA_U8 ? 255 : type == CAPRA_U16 ? 65535 : 1;
}

float *
reference_pixels (CapraColor color, gsize count)
{
  static const float colors[] = { 0, 1, 0.5f, -0.25f, 0.0031308f, 0.00313081f, 0.04045f, 0.0405f, 2, 4, 1e-6f };
  static const float alphas[] = { 1, 0.5f, 0.01f, 2, -0.5f };
  static const float small[] = { 0, 1e-7f, 1.0f / 65536, -1e-7f, 1e-5f };
  guint channels = capra_color_channels (color);
  g_autoptr (GRand) random = g_rand_new_with_seed (color);
  float *values = g_new (float, count * channels);

  for (gsize i = 0; i < count * channels; i++)
    values[i] = (float) (0.001 + 0.999 * (g_rand_int (random) / 4294967296.0));
  for (gsize i = 0; i < count; i++)
    {
      float *p = values + i * channels;

      if (i < 200 && i % 4 != 3)
        for (int c = 0; c < n_colors (color); c++)
          p[c] = colors[(i + 3 * c) % G_N_ELEMENTS (colors)];
      if (has_alpha (color))
        p[channels - 1] = i % 4 == 3 ? small[i / 4 % 5] : i % 4 == 2 ? alphas[i / 4 % 5] : p[channels - 1] + 0.01f;
    }
  return values;
}

CapraConversion
reference_straight (CapraEncoding from)
{
  CapraEncoding to = from;

  if (from.color == CAPRA_COLOR_YaA || from.color == CAPRA_COLOR_RaGaBaA)
    to.color = from.color == CAPRA_COLOR_YaA ? CAPRA_COLOR_YA : CAPRA_COLOR_RGBA;
  return (CapraConversion){ from, to, { 0 } };
}

void
reference_convert_pixels (double *values, gsize count, const CapraConversion *conversion)
{
  guint n = capra_color_channels (conversion->from.color);

  for (gsize k = 0; k < count; k++)
    {
      float pixel[4];

      for (guint c = 0; c < n; c++)
        pixel[c] = (float) values[k * n + c];
      reference_convert (pixel, values + k * n, conversion->from, conversion->to, conversion->luminance);
    }
}

double
reference_convert_tolerance (const float *in, CapraEncoding from, double wanted)
{
  float alpha = has_alpha (from.color) ? in[n_colors (from.color)] : 1;

  /* Where alpha is almost 0, results are tiny or huge. The colors are positive, so nothing cancels. */
  return 1e-5 * (fabsf (alpha) < 0.005f ? fabs (wanted) : MAX (1, fabs (wanted)));
}

double
reference_luminance (const double *pixel, CapraEncoding encoding, gboolean perceptual, const double weights[3],
                     double *alpha)
{
  guint channels = capra_color_channels (encoding.color);
  double sum = 0;

  *alpha = channels % 2 == 0 ? pixel[channels - 1] : 1;
  for (guint c = 0; c < (channels < 3 ? 1 : 3); c++)
    {
      double v = pixel[c];

      if (encoding.color == CAPRA_COLOR_YaA || encoding.color == CAPRA_COLOR_RaGaBaA)
        v /= *alpha;
      if (encoding.perceptual)
        v = v > 0.04045 ? pow ((v + 0.055) / 1.055, 2.4) : v / 12.92;
      sum += channels < 3 ? v : v * weights[c];
    }
  return perceptual ? (sum > 0.0031308 ? 1.055 * pow (sum, 1 / 2.4) - 0.055 : sum * 12.92) : sum;
}
