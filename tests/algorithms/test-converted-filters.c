/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of filters that convert the colors of their input and of their result, against the formulas in double
 * precision, in every variant, and of parts of an image against the whole. */
#include <math.h>

#include "tests/support/support-filter.h"

#include "ui/cli/check/reference-color.h"

static const double srgb[3] = { 0.22248840, 0.71690369, 0.06060791 };

static const char *const variants[] = {
  "box-blur.variant=vector,gaussian.variant=vector",
  "box-blur.variant=group,gaussian.variant=group",
};

/* Runs the following statement with each variant. */
#define FOR_EACH_VARIANT(v) for (guint v = 0; v < G_N_ELEMENTS (variants) && support_force_tuning (variants[v]); v++)

/* Encodings that operations are asked for, and those in which they average. */
static const struct {
  CapraEncoding from, to;
  CapraType type;
} cases[] = {
  { { CAPRA_COLOR_Y, TRUE }, { CAPRA_COLOR_Y, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_YA, TRUE }, { CAPRA_COLOR_YaA, FALSE }, CAPRA_U16 },
  { { CAPRA_COLOR_RGB, TRUE }, { CAPRA_COLOR_RGB, FALSE }, CAPRA_F32 },
  { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, CAPRA_U16 },
  { { CAPRA_COLOR_RGBA, FALSE }, { CAPRA_COLOR_RaGaBaA, FALSE }, CAPRA_F32 },
  { { CAPRA_COLOR_YA, FALSE }, { CAPRA_COLOR_YaA, FALSE }, CAPRA_F32 },
  { { CAPRA_COLOR_Y, FALSE }, { CAPRA_COLOR_Y, FALSE }, CAPRA_U16 },
  { { CAPRA_COLOR_YA, TRUE }, { CAPRA_COLOR_YaA, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_RGBA, FALSE }, { CAPRA_COLOR_RaGaBaA, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_YA, FALSE }, { CAPRA_COLOR_YaA, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_RGB, TRUE }, { CAPRA_COLOR_RGB, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_Y, FALSE }, { CAPRA_COLOR_Y, FALSE }, CAPRA_U8 },
  /* The channels change, or alpha divides: these are converted before. */
  { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_Y, FALSE }, CAPRA_U8 },
  { { CAPRA_COLOR_RaGaBaA, FALSE }, { CAPRA_COLOR_RGBA, FALSE }, CAPRA_F32 },
};

typedef struct {
  CapraShape shape;
  CapraConversion conversion;
  guchar *data;
  double *converted; /* in double precision */
} Image;

static void
image_clear (Image *image)
{
  g_free (image->data);
  g_free (image->converted);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Image, image_clear)

static void
image_init (Image *image, guint i, gsize width, gsize height, gsize depth)
{
  guint n = capra_color_channels (cases[i].from.color), m = capra_color_channels (cases[i].to.color);
  gsize count = width * height * depth;
  g_autofree float *noise = support_noise (count * n, 0.0, 1.0, i);

  *image = (Image){ { width, height, depth, n, cases[i].type }, { cases[i].from, cases[i].to } };
  memcpy (image->conversion.luminance, srgb, sizeof srgb);
  image->data = g_malloc (capra_shape_bytes (&image->shape));
  image->converted = g_new (double, count *m);
  for (gsize k = 0; k < count * n; k++)
    if (cases[i].type == CAPRA_U8)
      noise[k] = (float) ((image->data[k] = (guint8) (noise[k] * 255.0f)) / 255.0);
    else if (cases[i].type == CAPRA_U16)
      noise[k] = (float) ((((guint16 *) image->data)[k] = (guint16) (noise[k] * 65535.0f)) / 65535.0);
    else
      ((float *) image->data)[k] = noise[k];
  for (gsize k = 0; k < count; k++)
    {
      double pixel[4];

      reference_convert (noise + k * n, pixel, cases[i].from, cases[i].to, srgb);
      for (guint c = 0; c < m; c++)
        image->converted[k * m + c] = pixel[c];
    }
}

static ReferenceImage
get_reference (const Image *image)
{
  return (ReferenceImage){ image->shape.width, image->shape.height, image->shape.depth,
                           capra_color_channels (image->conversion.to.color), image->converted };
}

static void
check_close (CapraArray *output, const double *expected, gsize count, const char *text)
{
  g_autofree float *got = support_download (output);
  double largest = 1.0; /* where alpha divides */

  for (gsize i = 0; i < count; i++)
    largest = MAX (largest, expected[i]);
  support_assert_close (got, expected, count, 1e-5 * largest, text);
}

typedef double *(*Reference) (const ReferenceImage *image, const void *arguments, CapraBorder border, CapraRect result);
typedef CapraArray *(*Filter) (CapraArray *input, const CapraConversions *conversions, const void *arguments,
                               CapraBorder border, const CapraWindow *window);

/* With and without a conversion of the result. */
static void
check_results (Filter filter, CapraArray *input, const Image *image, const void *arguments, CapraBorder border,
               double *expected, const char *text)
{
  CapraConversion straight = reference_straight (image->conversion.to);
  CapraConversions to_straight = { &image->conversion, &straight };
  g_autoptr (CapraArray) output = filter (input, &(CapraConversions){ &image->conversion }, arguments, border, NULL);
  g_autoptr (CapraArray) result = filter (input, &to_straight, arguments, border, NULL);
  g_autoptr (CapraArray) converted = capra_convert_by (output, &straight, NULL);
  g_autofree float *got = support_download (result), *same = support_download (converted);
  gsize count = image->shape.width * image->shape.height * image->shape.depth;
  guint n = capra_color_channels (image->conversion.to.color);

  check_close (output, expected, count * n, text);
  reference_convert_pixels (expected, count, &straight);
  check_close (result, expected, count * n, text);
  support_assert_same (got, same, count * n);
}

/* The filter of an image of every @step-th case, in each variant. */
static void
check_filter (Filter filter, Reference reference, const void *arguments, guint step, gsize width, gsize height,
              gsize depth)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i += step)
    FOR_EACH_VARIANT (v)
    {
      CapraBorder border = (CapraBorder) ((i + width) % 4);
      CapraRect all = { 0, 0, (int) width, (int) height };
      g_auto (Image) image = { 0 };
      g_autofree char *text = g_strdup_printf ("case %u, %zux%zux%zu, border %d, %s", i, width, height, depth, border,
                                               variants[v]);
      g_autoptr (CapraArray) input = NULL;
      g_autofree double *expected = NULL;
      ReferenceImage converted;

      image_init (&image, i, width, height, depth);
      converted = get_reference (&image);
      expected = reference (&converted, arguments, border, all);
      input = capra_array_new_from_data (support_device (i & 1), &image.shape, image.data, NULL);
      check_results (filter, input, &image, arguments, border, expected, text);
    }
}

/* A part of the result has the bytes of the whole, whatever window of the input is given. */
static void
check_parts (Filter filter, const void *arguments, int reach)
{
  static const CapraRect parts[] = { { 0, 0, 50, 40 }, { 301, 20, 64, 30 }, { 512, 61, 101, 10 }, { -9, -9, 30, 30 } };
  CapraRect extent = { 0, 0, 613, 171 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i += 2)
    {
      g_auto (Image) image = { 0 };
      g_autoptr (CapraArray) input = NULL;
      CapraConversion straight;
      CapraConversions conversions = { &image.conversion, &straight };

      image_init (&image, i, (gsize) extent.width, (gsize) extent.height, 1);
      straight = reference_straight (image.conversion.to);
      input = capra_array_new_from_data (support_device (0), &image.shape, image.data, NULL);
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        {
          CapraRect source = capra_window_source (&extent, &parts[k], reach, reach, reach, reach, CAPRA_BORDER_MIRROR);
          CapraWindow window = { extent, extent, parts[k] }, small = { extent, source, parts[k] };
          g_autoptr (CapraArray) piece = capra_crop (input, &source, NULL);
          g_autoptr (CapraArray) output = filter (input, &conversions, arguments, CAPRA_BORDER_MIRROR, &window);
          g_autoptr (CapraArray) part = filter (piece, &conversions, arguments, CAPRA_BORDER_MIRROR, &small);
          g_autofree float *expected = support_download (output), *got = support_download (part);

          support_assert_same (got, expected, capra_shape_count (capra_array_get_shape (part)));
        }
    }
}

static double *
make_box (const ReferenceImage *image, const void *radius, CapraBorder border, CapraRect result)
{
  return reference_box (image, radius, border, result);
}

static CapraArray *
blur_box (CapraArray *input, const CapraConversions *conversions, const void *radius, CapraBorder border,
          const CapraWindow *window)
{
  return capra_box_blur_converted (capra_array_ref (input), conversions, radius, border, window, NULL);
}

/* Both axes in one pass, each in one of its own, one along z, and an image of one pixel. */
static void
test_box (void)
{
  check_filter (blur_box, make_box, (const int[]){ 9, 12, 0 }, 1, 331, 53, 1);
  check_filter (blur_box, make_box, (const int[]){ 2, 3, 0 }, 2, 31, 23, 1);
  check_filter (blur_box, make_box, (const int[]){ 9, 9, 1 }, 3, 40, 37, 3);
  check_filter (blur_box, make_box, (const int[]){ 10, 10, 0 }, 3, 1, 1, 1);
}

static void
test_box_parts (void)
{
  check_parts (blur_box, (const int[]){ 9, 11, 0 }, 11);
}

static double *
make_gaussian (const ReferenceImage *image, const void *sigma, CapraBorder border, CapraRect result)
{
  const double *s = sigma;

  return s[0] < CAPRA_GAUSSIAN_MIN_WHOLE_SIGMA ? reference_gaussian (image, s, CAPRA_GAUSSIAN_TRUNCATE, border, result)
                                               : reference_gaussian_whole (image, s, border, result);
}

static CapraArray *
blur_gaussian (CapraArray *input, const CapraConversions *conversions, const void *sigma, CapraBorder border,
               const CapraWindow *window)
{
  return capra_gaussian_blur_converted (capra_array_ref (input), conversions, sigma, CAPRA_GAUSSIAN_AUTO,
                                        CAPRA_GAUSSIAN_TRUNCATE, border, window, NULL);
}

/* Both axes in one pass, at the full size and decimated, each in one of its own, one along z, and one pixel. */
static void
test_gaussian (void)
{
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 1.2, 1.2, 0.0 }, 1, 331, 53, 1);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 7.0, 7.0, 0.0 }, 1, 331, 53, 1);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 2.6, 2.6, 0.0 }, 2, 331, 53, 1);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 1.2, 0.0, 0.0 }, 3, 37, 29, 1);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 0.0, 0.0, 0.0 }, 3, 37, 29, 1);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 1.2, 1.2, 1.0 }, 3, 40, 37, 3);
  check_filter (blur_gaussian, make_gaussian, (const double[]){ 12.0, 12.0, 0.0 }, 3, 1, 1, 1);
}

static void
test_gaussian_parts (void)
{
  check_parts (blur_gaussian, (const double[]){ 1.2, 1.2, 0.0 },
               capra_gaussian_source_radius (1.2, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE));
  check_parts (blur_gaussian, (const double[]){ 5.0, 5.0, 0.0 },
               capra_gaussian_source_radius (5.0, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE));
}

/* An infinity spoils only what the filter reaches, and its own channel; an infinite alpha spoils all of its pixel's. */
static void
test_spoilers (void)
{
  enum { WIDTH = 300, HEIGHT = 60, X = 130, Y = 20, REACH = 5 };
  const CapraConversion conversion = { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, { 0 } };
  g_autofree float *values = support_noise (WIDTH * HEIGHT * 4, 0.0, 1.0, 1);

  for (int channel = 1; channel < 4; channel += 2)
    FOR_EACH_VARIANT (v)
    {
      g_autoptr (CapraArray) input = NULL, output = NULL;
      g_autofree float *got = NULL;
      float kept = values[(Y * WIDTH + X) * 4 + channel];

      values[(Y * WIDTH + X) * 4 + channel] = INFINITY;
      input = support_array (support_device (0), WIDTH, HEIGHT, 1, 4, values);
      values[(Y * WIDTH + X) * 4 + channel] = kept;
      /* The weights of this sigma are padded. */
      output = blur_gaussian (input, &(CapraConversions){ &conversion }, (const double[]){ 1.2, 1.2, 0.0 },
                              CAPRA_BORDER_CLAMP, NULL);
      got = support_download (output);
      for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        {
          int x = i / 4 % WIDTH, y = i / 4 / WIDTH;
          gboolean reached = ABS (x - X) <= REACH && ABS (y - Y) <= REACH && (channel == 3 || i % 4 == channel);

          if (isfinite (got[i]) == reached)
            g_error ("%s, infinite channel %d: value %d of pixel %d %d is %g", variants[v], channel, i % 4, x - X,
                     y - Y, got[i]);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/converted-filters/box", test_box);
  g_test_add_func ("/converted-filters/box-parts", test_box_parts);
  g_test_add_func ("/converted-filters/gaussian", test_gaussian);
  g_test_add_func ("/converted-filters/gaussian-parts", test_gaussian_parts);
  g_test_add_func ("/converted-filters/spoilers", test_spoilers);
  return g_test_run ();
}
