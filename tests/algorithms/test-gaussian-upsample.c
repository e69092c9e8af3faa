/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of interpolation by all factors, against sums in double precision. */
#include <math.h>

#include "algorithms/gaussian/gaussian-upsample.h"
#include "tests/support/support-filter.h"

#define TOLERANCE 1e-6

typedef struct {
  guint width, height, depth, channels;
  int factor[2], taps[2], phase[2];
} Case;

/* Symmetric weights with a sum of 1 in each phase. */
static float *
make_weights (int factor, int taps)
{
  float *weights = g_new (float, factor * taps);
  int count = factor * taps;

  for (int p = 0; p < factor; p++)
    {
      double sum = 0.0;

      for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < taps; k++)
          {
            /* The order of positions, in which mirroring reverses both phases and weights. */
            double at = ((double) k * factor - p + factor - 1 - (count - 1) / 2.0) / (factor * taps / 4.0);
            double weight = taps == 1 ? 1.0 : exp (-at * at);

            if (pass)
              weights[p * taps + k] = (float) (weight / sum);
            else
              sum += weight;
          }
    }
  for (int i = 0; i < count / 2; i++) /* exactly symmetric */
    weights[count - 1 - i] = weights[i];
  return weights;
}

static double *
reference (const float *small, const CapraShape *shape, const CapraGaussianUpsampling ups[2])
{
  const CapraGaussianUpsampling *x = &ups[0], *y = &ups[1];
  gsize c = shape->channels;
  double *out = g_new0 (double, (gsize) (x->count * y->count) * c * shape->depth), *to = out;

  for (gsize z = 0; z < shape->depth; z++)
    for (int i = 0; i < y->count; i++)
      for (int j = 0; j < x->count; j++)
        for (gsize k = 0; k < c; k++, to++)
          for (int t = 0; t < y->taps; t++)
            {
              gsize row = (gsize) ((i + y->phase) / y->factor + t);
              double sum = 0.0;

              for (int u = 0; u < x->taps; u++)
                {
                  gsize at = (gsize) ((j + x->phase) / x->factor + u);

                  sum += (double) x->weights[(j + x->phase) % x->factor * x->taps + u]
                         * small[((z * shape->height + row) * shape->width + at) * c + k];
                }
              *to += sum * y->weights[(i + y->phase) % y->factor * y->taps + t];
            }
  return out;
}

/* The upsampling along both axes. The first output is in the given phase. */
static void
make_ups (CapraGaussianUpsampling ups[2], const Case *test)
{
  for (int i = 0; i < 2; i++)
    ups[i] = (CapraGaussianUpsampling){ test->factor[i], test->taps[i], make_weights (test->factor[i], test->taps[i]),
                                        test->phase[i], (int) (i ? test->height : test->width) };
}

static void
clear_ups (CapraGaussianUpsampling ups[2])
{
  for (int i = 0; i < 2; i++)
    capra_gaussian_upsampling_clear (&ups[i]);
}

static gsize
needed (const CapraGaussianUpsampling *up)
{
  return (gsize) ((up->phase + up->count - 1) / up->factor + up->taps);
}

static void
check (guint device, const Case *test)
{
  CapraGaussianUpsampling ups[2];
  CapraShape shape = { 1, 1, test->depth, test->channels, CAPRA_F32 };
  g_autofree char *name = g_strdup_printf (
    "%ux%ux%u, %u channels, factors %d %d, taps %d %d, phases %d %d", test->width, test->height, test->depth,
    test->channels, test->factor[0], test->factor[1], test->taps[0], test->taps[1], test->phase[0], test->phase[1]);
  g_autofree float *noise = NULL;
  g_autofree double *expected = NULL;
  g_autofree float *got = NULL;
  g_autoptr (CapraArray) small = NULL;
  g_autoptr (CapraArray) output = NULL;
  g_autoptr (GError) error = NULL;

  make_ups (ups, test);
  shape.width = needed (&ups[0]);
  shape.height = needed (&ups[1]);
  noise = support_noise (capra_shape_count (&shape), -1.0, 1.0, 4);
  small = support_array (support_device (device), shape.width, shape.height, shape.depth, shape.channels, noise);
  expected = reference (noise, &shape, ups);
  output = capra_gaussian_upsample (small, ups, FALSE, &error);
  g_assert_no_error (error);
  got = support_download (output);
  support_assert_close (got, expected, (gsize) test->width * test->height * test->depth * test->channels, TOLERANCE,
                        name);
  clear_ups (ups);
}

/* The tile kernels: every factor, with phases, odd widths, and axes that are not upsampled. */
static void
test_tiles (void)
{
  static const Case cases[] = {
    { 300, 70, 1, 1, { 2, 2 }, { 11, 11 }, { 0, 0 } },    { 301, 41, 1, 1, { 2, 3 }, { 9, 13 }, { 1, 2 } },
    { 260, 51, 2, 1, { 3, 3 }, { 11, 11 }, { 0, 0 } },    { 259, 33, 1, 1, { 3, 2 }, { 15, 9 }, { 2, 1 } },
    { 132, 37, 1, 1, { 4, 4 }, { 9, 9 }, { 3, 1 } },      { 140, 29, 1, 1, { 5, 5 }, { 9, 11 }, { 4, 0 } },
    { 300, 61, 1, 1, { 6, 6 }, { 11, 11 }, { 0, 5 } },    { 256, 40, 1, 1, { 7, 7 }, { 13, 9 }, { 4, 6 } },
    { 384, 80, 1, 1, { 8, 8 }, { 9, 9 }, { 4, 3 } },      { 301, 30, 1, 1, { 9, 10 }, { 9, 9 }, { 8, 9 } },
    { 264, 35, 1, 1, { 10, 11 }, { 10, 9 }, { 2, 10 } },  { 200, 57, 3, 1, { 12, 12 }, { 13, 13 }, { 8, 11 } },
    { 150, 45, 1, 1, { 13, 14 }, { 9, 9 }, { 12, 0 } },   { 400, 99, 1, 1, { 16, 16 }, { 9, 9 }, { 8, 15 } },
    { 270, 21, 1, 1, { 1, 8 }, { 1, 9 }, { 0, 0 } },      { 135, 19, 1, 1, { 8, 1 }, { 9, 1 }, { 7, 0 } },
    { 264, 500, 1, 1, { 12, 12 }, { 12, 14 }, { 5, 3 } }, { 150, 160, 1, 1, { 4, 3 }, { 16, 16 }, { 2, 0 } },
    { 70, 130, 1, 4, { 2, 3 }, { 12, 12 }, { 1, 2 } },    { 96, 66, 1, 3, { 9, 2 }, { 16, 16 }, { 4, 1 } },
    { 1, 1, 1, 1, { 3, 6 }, { 11, 11 }, { 1, 5 } },       { 1, 90, 1, 1, { 15, 3 }, { 9, 9 }, { 14, 0 } },
  };

  support_force_tuning ("gaussian.variant=group");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i += support_step (3))
    check (i & 1, &cases[i]);
}

static void
test_channels (void)
{
  static const int factors[] = { 1, 3, 8, 16 };

  support_force_tuning ("gaussian.variant=group");
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      int factor = factors[i], taps = factor == 1 ? 1 : 9;

      for (guint channels = 2 + i % support_step (3); channels <= 4; channels += support_step (3))
        {
          Case test = { i & 1 ? 65 : 96, 27, 2, channels, { factor, 4 }, { taps, 9 }, { factor / 2, 1 } };

          check (channels & 1, &test);
        }
    }
}

/* A pixel is the same, bit by bit, in every part that contains it. */
static void
test_parts (void)
{
  static const CapraRect parts[] = { { 0, 0, 64, 40 }, { 37, 61, 83, 1 }, { 119, 100, 1, 90 }, { 16, 7, 184, 88 } };
  static const int factors[] = { 3, 6, 8 };

  support_force_tuning ("gaussian.variant=group");
  for (guint f = 0; f < G_N_ELEMENTS (factors); f += support_step (2))
    {
      int d = factors[f];
      Case test = { 200, 190, 1, 1, { d, d }, { 9, 9 }, { 0, 0 } };
      CapraGaussianUpsampling ups[2];
      g_autofree float *noise = support_noise (75 * 75, -1.0, 1.0, 8);
      g_autofree double *values = g_new (double, 75 * 75);
      ReferenceImage image = { 75, 75, 1, 1, values };
      g_autoptr (CapraArray) small = support_array (support_device (0), 75, 75, 1, 1, noise);
      g_autoptr (CapraArray) output = NULL;
      g_autofree float *whole = NULL;

      for (int i = 0; i < 75 * 75; i++)
        values[i] = noise[i];
      make_ups (ups, &test);
      output = capra_gaussian_upsample (small, ups, FALSE, NULL);
      whole = support_download (output);
      for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
        {
          const CapraRect *r = &parts[p];
          CapraGaussianUpsampling of_part[2] = { ups[0], ups[1] };
          g_autoptr (CapraArray) held = NULL;
          g_autoptr (CapraArray) part = NULL;
          g_autofree float *got = NULL;

          of_part[0].phase = r->x % d;
          of_part[0].count = r->width;
          of_part[1].phase = r->y % d;
          of_part[1].count = r->height;
          held = support_crop (
            support_device (0), &image,
            (CapraRect){ r->x / d, r->y / d, (int) needed (&of_part[0]), (int) needed (&of_part[1]) });
          part = capra_gaussian_upsample (held, of_part, FALSE, NULL);
          got = support_download (part);
          for (int y = 0; y < r->height; y++)
            g_assert_cmpmem (got + y * r->width, sizeof (float) * (gsize) r->width, whole + (r->y + y) * 200 + r->x,
                             sizeof (float) * (gsize) r->width);
        }
      clear_ups (ups);
    }
}

/* The row kernels: factors that are powers of 2. */
static void
test_rows (void)
{
  static const Case cases[] = {
    { 700, 41, 1, 1, { 2, 4 }, { 9, 9 }, { 1, 2 } },
    { 555, 50, 2, 3, { 8, 2 }, { 9, 11 }, { 7, 0 } },
    { 300, 33, 1, 4, { 16, 1 }, { 9, 1 }, { 5, 0 } },
    { 1, 1, 1, 2, { 4, 8 }, { 9, 9 }, { 0, 0 } },
  };

  support_force_tuning ("gaussian.variant=vector");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (i & 1, &cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gaussian-upsample/tiles", test_tiles);
  g_test_add_func ("/gaussian-upsample/channels", test_channels);
  g_test_add_func ("/gaussian-upsample/parts", test_parts);
  g_test_add_func ("/gaussian-upsample/rows", test_rows);
  return g_test_run ();
}
