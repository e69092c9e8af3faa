/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of blurs that convert colors while they load their input and store their result. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-color.h"
#include "ui/cli/check/reference-filter.h"

#define TOLERANCE 1e-5
/* Both pass over several rows of work-items. */
#define WIDTH 331
#define HEIGHT 53

/* Pixels as they are in images, and encodings that can be averaged: those of a quick check first. */
static const struct {
  CapraType type;
  CapraConversion conversion;
} cases[] = {
  { CAPRA_U8, { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, { 0 } } },
  { CAPRA_U16, { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, { 0 } } },
  { CAPRA_F32, { { CAPRA_COLOR_RGBA, FALSE }, { CAPRA_COLOR_RaGaBaA, FALSE }, { 0 } } },
  { CAPRA_U8, { { CAPRA_COLOR_RGB, TRUE }, { CAPRA_COLOR_RGB, FALSE }, { 0 } } },
  { CAPRA_F32, { { CAPRA_COLOR_YA, TRUE }, { CAPRA_COLOR_YaA, FALSE }, { 0 } } },
  { CAPRA_U16, { { CAPRA_COLOR_Y, TRUE }, { CAPRA_COLOR_Y, FALSE }, { 0 } } },
};
#define QUICK_CASES 1

static CapraArray *
blur_box (CapraArray *input, const CapraConversions *conversions, CapraBorder border, GError **error)
{
  return capra_box_blur_converted (input, conversions, (const int[]){ 9, 12, 0 }, border, NULL, error);
}

static double *
expect_box (const ReferenceImage *image, CapraBorder border, CapraRect result)
{
  return reference_box (image, (const int[]){ 9, 12, 0 }, border, result);
}

/* With few weights at the full size. */
static CapraArray *
blur_sampled (CapraArray *input, const CapraConversions *conversions, CapraBorder border, GError **error)
{
  return capra_gaussian_blur_converted (input, conversions, (const double[]){ 1.2, 1.2, 0 }, CAPRA_GAUSSIAN_SAMPLED, 4,
                                        border, NULL, error);
}

static double *
expect_sampled (const ReferenceImage *image, CapraBorder border, CapraRect result)
{
  return reference_gaussian (image, (const double[]){ 1.2, 1.2, 0 }, 4, border, result);
}

/* Decimated. */
static CapraArray *
blur_whole (CapraArray *input, const CapraConversions *conversions, CapraBorder border, GError **error)
{
  return capra_gaussian_blur_converted (input, conversions, (const double[]){ 6, 6, 0 }, CAPRA_GAUSSIAN_WHOLE, 4,
                                        border, NULL, error);
}

static double *
expect_whole (const ReferenceImage *image, CapraBorder border, CapraRect result)
{
  return reference_gaussian_whole (image, (const double[]){ 6, 6, 0 }, border, result);
}

static const struct {
  const char *name;
  CapraArray *(*run) (CapraArray *input, const CapraConversions *conversions, CapraBorder border, GError **error);
  double *(*expect) (const ReferenceImage *image, CapraBorder border, CapraRect result);
} blurs[] = {
  { "box", blur_box, expect_box },
  { "Gaussian of sigma 1.2", blur_sampled, expect_sampled },
  { "Gaussian of sigma 6", blur_whole, expect_whole },
};

/* Noise from 0 to 1 of case @i, and the same converted, in double precision. */
static CapraArray *
upload_case (Check *check, guint i, double *converted)
{
  const CapraConversion *conversion = &cases[i].conversion;
  guint n = capra_color_channels (conversion->from.color);
  CapraShape shape = { WIDTH, HEIGHT, 1, n, cases[i].type };
  g_autofree double *values = g_new (double, capra_shape_count (&shape));
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (&shape));

  reference_noise (&shape, 3, data, values);
  for (gsize k = 0; k < WIDTH * HEIGHT; k++)
    {
      float pixel[4];
      double wanted[4];

      for (guint c = 0; c < n; c++)
        {
          pixel[c] = (float) fabs (values[k * n + c] / reference_color_unit (shape.type));
          if (shape.type == CAPRA_F32)
            ((float *) data)[k * n + c] = pixel[c] = fminf (pixel[c], 1.0f);
        }
      reference_convert (pixel, wanted, conversion->from, conversion->to, conversion->luminance);
      for (guint c = 0; c < n; c++)
        converted[k * n + c] = wanted[c];
    }
  return check_upload (check, &shape, data);
}

static gboolean
run_converted (Check *check)
{
  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (cases) : QUICK_CASES); i++)
    for (guint k = 0; k < G_N_ELEMENTS (blurs); k++)
      {
        const CapraConversion *conversion = &cases[i].conversion, straight = reference_straight (conversion->to);
        const CapraConversions conversions = { conversion, &straight };
        guint n = capra_color_channels (conversion->from.color);
        g_autofree double *converted = g_new (double, WIDTH *HEIGHT *n), *expected = NULL;
        ReferenceImage image = { WIDTH, HEIGHT, 1, n, converted };
        CapraBorder border = (CapraBorder) ((i + k) % 4);
        CapraArray *input = NULL;

        check_case (check, "%s, color %d%s of %s to color %d, border %d", blurs[k].name, conversion->from.color,
                    conversion->from.perceptual ? "'" : "", capra_type_name (cases[i].type), straight.to.color, border);
        input = upload_case (check, i, converted);
        if (!input)
          return FALSE;
        expected = blurs[k].expect (&image, border, (CapraRect){ 0, 0, WIDTH, HEIGHT });
        reference_convert_pixels (expected, WIDTH * HEIGHT, &straight);
        if (!check_values (check, blurs[k].run (input, &conversions, border, &check->error), expected, TOLERANCE))
          return FALSE;
      }
  return TRUE;
}

static const char *const converted_variants[] = { "gaussian.variant=vector,box-blur.variant=vector",
                                                  "gaussian.variant=group,box-blur.variant=group", NULL };
const CheckFamily check_converted = { .name = "blur-converted", .variants = converted_variants, .run = run_converted };
