/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of color conversion, against the formulas in double precision and against babl. */
#include <math.h>
#ifdef HAVE_BABL
#include <babl/babl.h>
#endif

#include "tests/support/support.h"
#include "ui/cli/check/reference-color.h"

static const double srgb[3] = { 0.22248840, 0.71690369, 0.06060791 };

static void
check (CapraDevice *device, CapraEncoding from, CapraEncoding to, gsize width, gsize height)
{
  g_autoptr (GError) error = NULL;
  guint n = capra_color_channels (from.color), m = capra_color_channels (to.color);
  g_autofree float *values = reference_pixels (from.color, width * height), *found = NULL;
  g_autoptr (CapraArray) input = support_array (device, width, height, 1, n, values);
  g_autoptr (CapraArray) output = capra_convert (input, from, to, srgb, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (capra_array_get_shape (output)->channels, ==, m);
  if (from.color == to.color && from.perceptual == to.perceptual)
    g_assert_true (output == input);

  found = support_download (output);
  for (gsize i = 0; i < width * height; i++)
    {
      const float *p = values + i * n;
      double wanted[4] = { 0 };

      reference_convert (p, wanted, from, to, srgb);
      for (guint c = 0; c < m; c++)
        if (!(fabs (found[i * m + c] - wanted[c]) <= reference_convert_tolerance (p, from, wanted[c])))
          g_error ("%d%s to %d%s: pixel %zu (%g %g %g %g), value %u is %.9g, not %.9g", from.color,
                   from.perceptual ? "'" : "", to.color, to.perceptual ? "'" : "", i, p[0], p[1 % n], p[2 % n],
                   p[3 % n], c, found[i * m + c], wanted[c]);
    }
}

static void
test_pairs (void)
{
  for (int from = 0; from < 12; from++)
    for (int to = 0; to < 12; to++)
      check (support_device (to % 2), (CapraEncoding){ from / 2, from % 2 }, (CapraEncoding){ to / 2, to % 2 }, 37, 23);
}

/* Integers are scaled by the maximum of their type. */
static void
test_integers (void)
{
  for (guint run = 0; run < 6 * 6 * 4; run += support_step (11))
    {
      CapraType type = run % 2 ? CAPRA_U16 : CAPRA_U8;
      CapraEncoding from = { run / 24, run / 2 % 2 }, to = { run / 4 % 6, run % 3 == 0 };
      guint n = capra_color_channels (from.color), m = capra_color_channels (to.color);
      CapraShape shape = { 37, 23, 1, n, type };
      gsize count = capra_shape_count (&shape);
      g_autofree float *noise = support_noise (count, 0, type == CAPRA_U8 ? 256 : 65536, run);
      g_autofree guint8 *bytes = g_malloc (capra_shape_bytes (&shape));
      g_autoptr (CapraArray) input = NULL, output = NULL;
      g_autofree float *found = NULL;

      for (gsize i = 0; i < count; i++)
        if (type == CAPRA_U8)
          noise[i] = (float) ((bytes[i] = (guint8) noise[i]) / 255.0);
        else
          noise[i] = (float) ((((guint16 *) bytes)[i] = (guint16) noise[i]) / 65535.0);
      input = capra_array_new_from_data (support_device (run / 2 % 2), &shape, bytes, NULL);
      output = capra_convert (input, from, to, srgb, NULL);
      g_assert_cmpint (capra_array_get_shape (output)->type, ==, CAPRA_F32);
      found = support_download (output);
      for (gsize i = 0; i < 37 * 23 * m; i++)
        {
          const float *p = noise + i / m * n;
          double wanted[4];

          reference_convert (p, wanted, from, to, srgb);
          g_assert_cmpfloat (fabs (found[i] - wanted[i % m]), <=, reference_convert_tolerance (p, from, wanted[i % m]));
        }
    }
}

static double
largest (CapraType type)
{
  return type == CAPRA_U8 ? 255 : 65535;
}

/* Results in integers are rounded, and clipped to the range of their type. */
static void
check_rounded (CapraEncoding from, CapraEncoding to, CapraType type, gsize width, gsize height)
{
  g_autoptr (GError) error = NULL;
  guint n = capra_color_channels (from.color), m = capra_color_channels (to.color);
  g_autofree float *values = reference_pixels (from.color, width * height);
  g_autoptr (CapraArray) input = support_array (support_device (0), width, height, 1, n, values);
  g_autoptr (CapraArray) output = capra_convert_to_type (input, from, to, srgb, type, &error);
  g_autofree guint8 *found = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (capra_array_get_shape (output)->type, ==, type);
  found = g_malloc (capra_shape_bytes (capra_array_get_shape (output)));
  g_assert_true (capra_array_download (output, found, NULL));
  for (gsize i = 0; i < width * height * m; i++)
    {
      const float *p = values + i / m * n;
      double value = type == CAPRA_U8 ? found[i] : ((const guint16 *) found)[i], wanted[4];

      reference_convert (p, wanted, from, to, srgb);
      g_assert_cmpfloat (fabs (value - CLAMP (wanted[i % m], 0, 1) * largest (type)), <=,
                         0.5 + largest (type) * reference_convert_tolerance (p, from, CLAMP (wanted[i % m], -1, 1)));
    }
}

static void
test_rounded (void)
{
  for (guint run = 0; run < 12 * 12 * 2; run += 5 * support_step (3))
    check_rounded ((CapraEncoding){ run / 48, run / 24 % 2 }, (CapraEncoding){ run / 4 % 6, run / 2 % 2 },
                   run % 2 ? CAPRA_U16 : CAPRA_U8, run % 7 ? 37 : 5, run % 7 ? 23 : 3);
}

static void
test_sizes (void)
{
  for (guint i = 0; i < support_n_sizes; i++)
    check (support_device (0), (CapraEncoding){ CAPRA_COLOR_RGBA, FALSE }, (CapraEncoding){ CAPRA_COLOR_Y, FALSE },
           support_sizes[i].width, support_sizes[i].height);
}

static void
test_not_finite (void)
{
  const float values[] = { NAN, INFINITY, -INFINITY };
  const CapraEncoding linear = { CAPRA_COLOR_Y, FALSE }, perceptual = { CAPRA_COLOR_Y, TRUE };
  g_autoptr (CapraArray) input = support_array (support_device (0), 3, 1, 1, 1, values);

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (CapraArray) output = capra_convert (input, i ? perceptual : linear, i ? linear : perceptual, NULL,
                                                     NULL);
      g_autofree float *found = support_download (output);

      g_assert_true (isnan (found[0]));
      g_assert_true (found[1] == INFINITY && found[2] == -INFINITY);
    }
}

#ifdef HAVE_BABL
/* For colors that are much brighter than white, the error of babl's transfer curve exceeds the tolerance. */
static gboolean
in_usual_range (const float *pixel, CapraEncoding encoding)
{
  double color[4];

  reference_convert (pixel, color, encoding, (CapraEncoding){ CAPRA_COLOR_RGB, encoding.perceptual }, srgb);
  return MAX (color[0], MAX (color[1], color[2])) <= 2;
}
#endif

static void
test_babl (void)
{
#ifdef HAVE_BABL
  static const char *const names[] = { "Y",   "Y'",     "YA",   "Y'A",     "YaA",     "Y'aA",
                                       "RGB", "R'G'B'", "RGBA", "R'G'B'A", "RaGaBaA", "R'aG'aB'aA" };
  enum { N = 1000 };
  double weights[3];

  babl_init ();
  babl_space_get_rgb_luminance (babl_space ("sRGB"), &weights[0], &weights[1], &weights[2]);
  for (int from = 0; from < 12; from++)
    for (int to = 0; to < 12; to++)
      {
        g_autoptr (GError) error = NULL;
        CapraEncoding a = { from / 2, from % 2 }, b = { to / 2, to % 2 };
        guint n = capra_color_channels (a.color), m = capra_color_channels (b.color);
        g_autofree char *a_name = g_strconcat (names[from], " float", NULL);
        g_autofree char *b_name = g_strconcat (names[to], " float", NULL);
        g_autofree float *values = reference_pixels (a.color, N), *wanted = g_new (float, N * m);
        g_autofree float *found = NULL;
        g_autoptr (CapraArray) input = support_array (support_device (0), N, 1, 1, n, values);
        g_autoptr (CapraArray) output = capra_convert (input, a, b, weights, &error);

        g_assert_no_error (error);
        /* babl 0.1.98 writes beyond the end of a buffer when it looks for this conversion. */
        if (g_str_equal (a_name, "YaA float") && g_str_equal (b_name, "Y'aA float"))
          continue;
        found = support_download (output);
        babl_process (babl_fish (babl_format (a_name), babl_format (b_name)), values, wanted, N);
        for (gsize i = 0; i < N * m; i++)
          {
            const float *p = values + i / m * n;

            if (!in_usual_range (p, a))
              continue;
            if (!(fabs (found[i] - wanted[i]) <= reference_convert_tolerance (p, a, wanted[i])))
              g_error ("%s to %s: pixel %zu (%g %g %g %g), value %zu is %.9g, babl's %.9g", a_name, b_name, i / m, p[0],
                       p[1 % n], p[2 % n], p[3 % n], i % m, found[i], wanted[i]);
          }
      }
  babl_exit ();
#else
  g_test_skip ("babl is not installed");
#endif
}

static void
test_errors (void)
{
  const float values[] = { 1, 2, 3, 4, 5, 6 };
  const CapraEncoding rgb = { CAPRA_COLOR_RGB, FALSE }, gray = { CAPRA_COLOR_Y, FALSE };
  g_autoptr (CapraArray) two = support_array (support_device (0), 3, 1, 1, 2, values);
  g_autoptr (CapraArray) three = support_array (support_device (0), 2, 1, 1, 3, values);
  g_autoptr (CapraArray) whole = capra_array_new (support_device (0), &(CapraShape){ 2, 1, 1, 3, CAPRA_I16 }, NULL);

  for (int i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_convert (i == 0 ? two : i == 1 ? whole : three, rgb, gray, i == 2 ? NULL : srgb, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  g_assert_cmpuint (capra_color_channels (CAPRA_COLOR_YaA), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/convert/pairs", test_pairs);
  g_test_add_func ("/convert/integers", test_integers);
  g_test_add_func ("/convert/rounded", test_rounded);
  g_test_add_func ("/convert/sizes", test_sizes);
  g_test_add_func ("/convert/not-finite", test_not_finite);
  g_test_add_func ("/convert/babl", test_babl);
  g_test_add_func ("/convert/errors", test_errors);
  return g_test_run ();
}
