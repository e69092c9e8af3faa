/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of conversions between colors, and of thresholds of luminance. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-color.h"

static const double weights[3] = { 0.25, 0.5, 0.25 };

/* Whether a converted array is right. Integers are rounded, so that they may be off by a half. */
static gboolean
check_pixels (Check *check, CapraArray *result, const float *pixels, gsize count, CapraEncoding from, CapraEncoding to)
{
  g_autoptr (CapraArray) owned = result;
  guint n = capra_color_channels (from.color), m = capra_color_channels (to.color);
  CapraType type = result ? capra_array_get_shape (result)->type : CAPRA_F32;
  g_autofree guint8 *found = g_malloc (count * m * 4);

  if (!result || !capra_array_download (result, found, &check->error))
    return FALSE;
  for (gsize i = 0; i < count * m; i++)
    {
      const float *p = pixels + i / m * n;
      double wanted[4] = { 0 }, unit = reference_color_unit (type), tolerance = 0,
             value = reference_value (type, found, i);

      reference_convert (p, wanted, from, to, weights);
      tolerance = reference_convert_tolerance (p, from, wanted[i % m]);
      if (type != CAPRA_F32)
        {
          wanted[i % m] = CLAMP (wanted[i % m], 0, 1);
          tolerance = 0.5 / unit + MIN (tolerance, 1e-5);
        }
      if (!(fabs (value / unit - wanted[i % m]) <= tolerance))
        return check_difference (check, "pixel %zu (%g %g %g %g), channel %zu: found %.9g, expected %.9g", i / m, p[0],
                                 p[1 % n], p[2 % n], p[3 % n], i % m, value, wanted[i % m] * unit);
    }
  return TRUE;
}

/* Pixels of integers, and the same as floats from 0 to 1. */
static CapraArray *
upload_integers (Check *check, const CapraShape *shape, float *pixels)
{
  g_autofree double *values = g_new (double, capra_shape_count (shape));
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));

  reference_noise (shape, 3, data, values);
  for (gsize i = 0; i < capra_shape_count (shape); i++)
    pixels[i] = (float) (values[i] / reference_color_unit (shape->type));
  return check_upload (check, shape, data);
}

static gboolean
check_pair (Check *check, CapraEncoding from, CapraType type, CapraEncoding to, CapraType result_type)
{
  CapraShape shape = { 37, 23, 1, capra_color_channels (from.color), type };
  gsize count = shape.width * shape.height;
  g_autofree float *pixels = reference_pixels (from.color, count);
  g_autoptr (CapraArray) input = NULL;
  CapraArray *output = NULL;

  check_case (check, "color %d%s of %s to color %d%s of %s", from.color, from.perceptual ? "'" : "",
              capra_type_name (type), to.color, to.perceptual ? "'" : "", capra_type_name (result_type));
  input = type == CAPRA_F32 ? check_upload (check, &shape, pixels) : upload_integers (check, &shape, pixels);
  if (input)
    output = capra_convert_to_type (input, from, to, weights, result_type, &check->error);
  return check_pixels (check, output, pixels, count, from, to);
}

/* Each pair of encodings has a kernel. A quick check runs some. */
static gboolean
run_convert (Check *check)
{
  static const CapraType types[] = { CAPRA_F32, CAPRA_U8, CAPRA_U16 };

  for (int pair = 0; pair < 12 * 12; pair += (int) check_step (check, 29))
    {
      CapraEncoding from = { pair / 24, pair / 12 % 2 }, to = { pair % 12 / 2, pair % 2 };
      CapraType result = types[(pair + pair / 12) % 3];

      if (!check_pair (check, from, CAPRA_F32, to, CAPRA_F32) || !check_pair (check, from, CAPRA_F32, to, result))
        return FALSE;
    }
  for (int run = 0; run < 12; run += (int) check_step (check, 5))
    {
      CapraEncoding from = { run / 2, run % 2 };

      if (!check_pair (check, from, run % 4 < 2 ? CAPRA_U8 : CAPRA_U16, (CapraEncoding){ (run + 3) % 6, FALSE },
                       CAPRA_F32))
        return FALSE;
    }
  return TRUE;
}

const CheckFamily check_convert = { .name = "convert", .basic = TRUE, .run = run_convert };

/* Masks of luminance from 0.3 to 0.8; values so near to a limit that rounding decides are left out. */
static gboolean
check_mask (Check *check, CapraEncoding from, CapraColor to, CapraType type, gboolean perceptual)
{
  enum { COUNT = 1003 };
  guint n = capra_color_channels (from.color), m = capra_color_channels (to);
  CapraShape shape = { COUNT, 1, 1, n, CAPRA_F32 };
  g_autofree float *pixels = g_new (float, COUNT * n);
  g_autofree double *values = g_new (double, COUNT * n);
  g_autofree guint8 *found = g_malloc (COUNT * m * 4);
  g_autoptr (CapraArray) input = NULL, mask = NULL;

  check_case (check, "color %d%s, %s luminance, mask %d of %s", from.color, from.perceptual ? "'" : "",
              perceptual ? "perceptual" : "linear", to, capra_type_name (type));
  reference_noise (&shape, n, pixels, values);
  for (gsize i = 0; i < COUNT * n; i++)
    values[i] = pixels[i] = 0.01f + 0.99f * fabsf (pixels[i]);
  input = check_upload (check, &shape, pixels);
  if (input)
    mask = capra_threshold_colors (input, from, perceptual, weights, 0.3, 0.8, to, type, &check->error);
  if (!mask || !capra_array_download (mask, found, &check->error))
    return FALSE;
  for (gsize i = 0; i < COUNT; i++)
    {
      double alpha = 1, value = reference_luminance (values + i * n, from, perceptual, weights, &alpha);
      double set = value >= 0.3 && value <= 0.8 ? reference_color_unit (type) : 0;
      gboolean close = fabs (value - 0.3) < 1e-4 || fabs (value - 0.8) < 1e-4;

      for (guint c = 0; c < m; c++)
        {
          gboolean is_alpha = m % 2 == 0 && c == m - 1;
          double wanted = is_alpha ? alpha * reference_color_unit (type) : set,
                 tolerance = is_alpha && type != CAPRA_F32 ? 0.51 : 0;

          if ((is_alpha || !close)
              && !(fabs (reference_value (type, found, i * m + c) - wanted) <= tolerance + 1e-7 * is_alpha))
            return check_difference (check, "pixel %zu, channel %u: found %g, expected %g", i, c,
                                     reference_value (type, found, i * m + c), wanted);
        }
    }
  return TRUE;
}

static gboolean
run_threshold_colors (Check *check)
{
  static const CapraColor masks[] = { CAPRA_COLOR_Y, CAPRA_COLOR_YA, CAPRA_COLOR_RGB, CAPRA_COLOR_RGBA };
  static const CapraType types[] = { CAPRA_F32, CAPRA_U8, CAPRA_U16 };

  for (guint run = 0; run < 12 * 4; run += check_step (check, 17))
    if (!check_mask (check, (CapraEncoding){ run / 8, run / 4 % 2 }, masks[(run + run / 16) % 4], types[run % 3],
                     run % 7 < 3))
      return FALSE;
  return TRUE;
}

const CheckFamily check_threshold_colors = { .name = "threshold-colors", .run = run_threshold_colors };
