/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the box blur against sums in double precision, in every variant. */
#include <math.h>

#include "tests/support/support-filter.h"

static const char *const variants[] = {
  "taps.variant=vector,box-blur.variant=vector",
  "taps.variant=group,box-blur.variant=group",
};

/* Runs the following statement with each variant. */
#define FOR_EACH_VARIANT(v) for (guint v = 0; v < G_N_ELEMENTS (variants) && support_force_tuning (variants[v]); v++)

static double
largest (const double *values, gsize count)
{
  double max = 0.0;

  for (gsize i = 0; i < count; i++)
    max = MAX (max, fabs (values[i]));
  return max;
}

static void
check_whole (CapraDevice *device, const CapraShape *shape, const int radius[3], CapraBorder border)
{
  g_autofree double *values = NULL;
  g_autoptr (CapraArray) input = support_typed_noise (device, shape, 7, &values);
  ReferenceImage image = { shape->width, shape->height, shape->depth, shape->channels, values };
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height };
  g_autofree double *expected = reference_box (&image, radius, border, whole);
  gsize count = capra_shape_count (shape);

  FOR_EACH_VARIANT (v)
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (CapraArray) output = capra_box_blur (input, radius, border, NULL, &error);
    g_autofree float *got = NULL;
    g_autofree char *name = g_strdup_printf (
      "%zux%zux%zu, %u channels of %s, radius %d %d %d, border %d, %s", shape->width, shape->height, shape->depth,
      shape->channels, capra_type_name (shape->type), radius[0], radius[1], radius[2], border, variants[v]);

    g_assert_no_error (error);
    got = support_download (output);
    support_assert_close (got, expected, count, 1e-5 * largest (values, count), name);
  }
}

static void
test_sizes (void)
{
  for (guint i = 0; i < support_n_sizes; i++)
    for (int border = 0; border < 4; border++)
      {
        CapraShape shape = CAPRA_SHAPE_2D (support_sizes[i].width, support_sizes[i].height, CAPRA_F32);

        check_whole (support_device (i & 1), &shape, (int[]){ 2, 1, 0 }, border);
        check_whole (support_device (i & 1), &shape, (int[]){ 11, 9, 0 }, border);
      }
}

/* Both axes in one pass: several strips, groups of runs and planes, and a result that is stored around the caches, in
 * rows that are not aligned. */
static void
test_strips (void)
{
  static const CapraShape planes = { 701, 97, 2, 3, CAPRA_U8 }, rgba = { 530, 131, 1, 4, CAPRA_F32 };
  static const CapraShape large = { 1501, 1409, 1, 1, CAPRA_F32 };

  for (int border = 0; border < 4; border++)
    {
      check_whole (support_device (0), &planes, (int[]){ 30, 9, 0 }, border);
      check_whole (support_device (1), &rgba, (int[]){ 17, 40, 0 }, border);
    }
  check_whole (support_device (0), &large, (int[]){ 20, 13, 0 }, CAPRA_BORDER_CLAMP);
}

/* The kernels are built for each type. The other types use the same code. */
static void
test_types (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_I16, CAPRA_U32, CAPRA_F32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i += support_step (4))
    {
      CapraShape shape = { 77, 19, 1, i + 1, types[i] };
      CapraShape long_row = { 700, 1, 1, i + 1, types[i] };
      CapraShape volume = { 9, 7, 25, i + 1, types[i] };

      check_whole (support_device (0), &shape, (int[]){ 15, 0, 0 }, CAPRA_BORDER_MIRROR);
      check_whole (support_device (0), &shape, (int[]){ 40, 0, 0 }, CAPRA_BORDER_WRAP);
      if (i % 3 != 0)
        continue;
      check_whole (support_device (0), &long_row, (int[]){ 260, 0, 0 }, CAPRA_BORDER_CLAMP);
      check_whole (support_device (1), &volume, (int[]){ 0, 0, 10 }, CAPRA_BORDER_WRAP);
    }
}

/* Radii near the lengths of runs and blocks, and much larger than the image. */
static void
test_radii (void)
{
  static const int radii[] = { 0, 7, 8, 31, 63, 127, 128, 255, 256, 300, 700, 1023, 5000, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i += support_step (3))
    for (int border = 0; border < 4; border++)
      {
        CapraShape line = CAPRA_SHAPE_2D (700, 1, CAPRA_F32), column = CAPRA_SHAPE_2D (17, 270, CAPRA_F32);
        CapraShape small = CAPRA_SHAPE_2D (20, 3, CAPRA_F32);

        if (g_test_slow ())
          check_whole (support_device (0), &small, (int[]){ radii[i], 1, 0 }, border);
        if (radii[i] > 5000)
          continue;
        check_whole (support_device (0), &line, (int[]){ radii[i], 0, 0 }, border);
        if (radii[i] < 1024)
          check_whole (support_device (1), &column, (int[]){ 0, radii[i], 0 }, border);
      }
}

/* Rows of several work-groups, and columns of many runs, which are computed in two strips. */
static void
test_long (void)
{
  static const int radii[] = { 130, 310, 700, 2500 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i += support_step (2))
    for (int border = 0; border < 4; border++)
      {
        CapraShape line = { 5000, 1, 1, i % 3 == 0 ? 1 : 4, CAPRA_F32 };
        CapraShape column = { 2 + i, 2300, 1, 1, i % 2 ? CAPRA_U8 : CAPRA_F32 };

        check_whole (support_device (0), &line, (int[]){ radii[i], 0, 0 }, border);
        check_whole (support_device (1), &column, (int[]){ 0, radii[i], 0 }, border);
      }
}

/* A constant image is unchanged: rounding errors must not accumulate along a line. */
static void
test_constant (void)
{
  static const int radii[] = { 15, 1000, 9000, G_MAXINT };
  gsize n = 30011;
  g_autofree float *values = g_new (float, n);
  g_autofree double *expected = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    expected[i] = values[i] = 3e38f;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (radii); i += support_step (3))
    for (int border = CAPRA_BORDER_CLAMP; border <= CAPRA_BORDER_WRAP; border++)
      FOR_EACH_VARIANT (v)
      {
        int radius = radii[i / 2];
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) input = support_array (support_device (0), i & 1 ? n : 1, i & 1 ? 1 : n, 1, 1, values);
        g_autoptr (CapraArray) output = capra_box_blur (input, (int[]){ radius, radius, 0 }, border, NULL, &error);
        g_autofree float *got = NULL;

        g_assert_no_error (error);
        got = support_download (output);
        support_assert_close (got, expected, n, 1e-6 * 3e38, variants[v]);
      }
}

static void
test_windows (void)
{
  enum { WIDTH = 91, HEIGHT = 77 };
  const CapraRect results[] = {
    { 20, 10, 30, 20 }, { 0, 0, 5, 5 },     { 80, 70, 11, 7 }, { -9, -30, 110, 140 },
    { 90, 76, 1, 1 },   { -200, 10, 7, 5 }, { 33, 300, 4, 3 }, { 0, 20, 91, 1 },
  };
  const int radius[3] = { 10, 8, 0 };
  gsize count = WIDTH * HEIGHT * 2;
  g_autofree float *noise = support_noise (count, -1.0, 1.0, 3);
  g_autofree double *values = g_new (double, count);
  ReferenceImage image = { WIDTH, HEIGHT, 1, 2, values };

  for (gsize i = 0; i < count; i++)
    values[i] = noise[i];
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    for (int border = 0; border < 4; border++)
      {
        CapraRect extent = { 0, 0, WIDTH, HEIGHT };
        CapraRect source = capra_window_source (&extent, &results[i], 10, 10, 8, 8, border);
        CapraRect held = source.width > 0 ? source : (CapraRect){ 3, 4, 1, 1 };
        g_autofree double *expected = reference_box (&image, radius, border, results[i]);
        g_autoptr (CapraArray) input = support_crop (support_device (0), &image, held);
        CapraWindow window = { extent, held, results[i] };

        FOR_EACH_VARIANT (v)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CapraArray) output = capra_box_blur (input, radius, border, &window, &error);
          g_autofree float *got = NULL;

          g_assert_no_error (error);
          got = support_download (output);
          support_assert_close (got, expected, (gsize) results[i].width * (gsize) results[i].height * 2, 1e-5,
                                variants[v]);
        }
      }
}

/* NaN, infinity and huge values affect only the pixels whose window contains them. */
static void
check_spoiler (int width, int height, const int radius[3], float spoiler)
{
  int x0 = width / 2, y0 = height / 2;

  FOR_EACH_VARIANT (v)
  {
    g_autofree float *values = support_noise ((gsize) width * (gsize) height, -1.0, 1.0, 5);
    g_autofree float *clean = NULL;
    g_autofree float *got = NULL;
    g_autoptr (CapraArray) input = support_array (support_device (0), width, height, 1, 1, values);
    g_autoptr (CapraArray) before = capra_box_blur (input, radius, CAPRA_BORDER_CLAMP, NULL, NULL);
    g_autoptr (CapraArray) output = NULL;

    values[y0 * width + x0] = spoiler;
    g_assert_true (capra_array_upload (input, values, NULL));
    output = capra_box_blur (input, radius, CAPRA_BORDER_CLAMP, NULL, NULL);
    clean = support_download (before);
    got = support_download (output);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        {
          if (ABS (x - x0) <= radius[0] && ABS (y - y0) <= radius[1])
            g_assert_false (fabsf (got[y * width + x]) < 1e6f);
          else
            g_assert_cmpfloat (got[y * width + x], ==, clean[y * width + x]);
        }
  }
}

static void
test_spoilers (void)
{
  static const float spoilers[] = { NAN, INFINITY, -INFINITY, 1e30f };
  static const int radii[] = { 1, 9, 20, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    {
      check_spoiler (1400, 41, (int[]){ radii[i], MIN (radii[i], 20), 0 }, spoilers[i]);
      check_spoiler (6, 2500, (int[]){ 0, radii[i] + 300, 0 }, spoilers[i]);
    }
}

static void
test_errors (void)
{
  const float value = 1.0f;
  g_autoptr (CapraArray) input = support_array (support_device (0), 1, 1, 1, 1, &value);
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_box_blur (input, (int[]){ 0, -1, 0 }, CAPRA_BORDER_NONE, NULL, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/box-blur/sizes", test_sizes);
  g_test_add_func ("/box-blur/strips", test_strips);
  g_test_add_func ("/box-blur/types", test_types);
  g_test_add_func ("/box-blur/radii", test_radii);
  g_test_add_func ("/box-blur/long", test_long);
  g_test_add_func ("/box-blur/constant", test_constant);
  g_test_add_func ("/box-blur/windows", test_windows);
  g_test_add_func ("/box-blur/spoilers", test_spoilers);
  g_test_add_func ("/box-blur/errors", test_errors);
  return g_test_run ();
}
