/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of filling and cropping arrays: exact. */
#include <math.h>

#include "ui/cli/check/check-families.h"

/* What an array of a type holds after it was filled with @value. */
static double
filled_value (CapraType type, double value)
{
  static const double lows[] = { 0, -128, 0, -32768, 0, -2147483648.0 };
  static const double highs[] = { 255, 127, 65535, 32767, 4294967295.0, 2147483647.0 };

  if (type == CAPRA_F32)
    return (float) value;
  return isnan (value) ? 0 : CLAMP (rint (value), lows[type], highs[type]);
}

static gboolean
run_fill (Check *check)
{
  static const double levels[] = { 0, 1, -3.7, 300, 1e30, NAN };

  for (CapraType type = CAPRA_U8; type <= CAPRA_F32; type++)
    for (guint s = 0; s < check_n_sizes (check); s++)
      for (guint l = 0; l < G_N_ELEMENTS (levels); l++)
        {
          CapraShape shape = { check_sizes[s].width, check_sizes[s].height, 1 + s % 2, 1 + (type + s) % 4, type };
          gsize count = capra_shape_count (&shape);
          g_autofree double *expected = g_new (double, count);
          CapraArray *array = capra_array_new_for_upload (check->device, &shape, &check->error);

          check_case (check, "%zux%zu, %u channels of %s, value %g", shape.width, shape.height, shape.channels,
                      capra_type_name (type), levels[l]);
          for (gsize i = 0; i < count; i++)
            expected[i] = filled_value (type, levels[l]);
          if (array && !capra_array_fill (array, levels[l], &check->error))
            g_clear_pointer (&array, capra_array_unref);
          if (!check_values (check, array, expected, 0))
            return FALSE;
        }
  return TRUE;
}

const CheckFamily check_fill = { .name = "fill", .basic = TRUE, .run = run_fill };

/* The rectangle of an image, with zeros outside it. */
static double *
cropped_values (const double *values, const CapraShape *shape, CapraRect rect)
{
  gsize width = (gsize) rect.width, height = (gsize) rect.height, n = shape->channels;
  double *out = g_new0 (double, width *height *shape->depth *n);

  for (gsize i = 0; i < width * height * shape->depth; i++)
    {
      gint64 x = (gint64) (i % width) + rect.x, y = (gint64) (i / width % height) + rect.y;
      gsize plane = i / (width * height);

      if (x < 0 || y < 0 || x >= (gint64) shape->width || y >= (gint64) shape->height)
        continue;
      for (gsize c = 0; c < n; c++)
        out[i * n + c] = values[((plane * shape->height + (gsize) y) * shape->width + (gsize) x) * n + c];
    }
  return out;
}

static gboolean
run_crop (Check *check)
{
  static const CapraType types[] = { CAPRA_F32, CAPRA_U8, CAPRA_U16 };
  static const CapraRect rects[] = {
    { 3, 2, 5, 4 }, { -4, -3, 30, 20 }, { 12, 8, 1, 1 }, { 100, 100, 3, 2 }, { -7, 4, 9, 3 }
  };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint channels = 1; channels <= 4; channels++)
      for (guint r = 0; r < G_N_ELEMENTS (rects); r++)
        {
          CapraShape shape = { 13, 9, 1 + r % 2, channels, types[t] };
          g_autofree double *values = NULL;
          g_autoptr (CapraArray) input = check_noise (check, &shape, r, &values);
          g_autofree double *expected = cropped_values (values, &shape, rects[r]);

          check_case (check, "%ux%u at %d, %d of 13x9, %u channels of %s", (guint) rects[r].width,
                      (guint) rects[r].height, rects[r].x, rects[r].y, channels, capra_type_name (types[t]));
          if (!input || !check_values (check, capra_crop (input, &rects[r], &check->error), expected, 0))
            return FALSE;
        }
  return TRUE;
}

const CheckFamily check_crop = { .name = "crop", .basic = TRUE, .run = run_crop };
