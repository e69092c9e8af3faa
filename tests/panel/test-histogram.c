/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of the histogram: of large images, and of gray images in colors. */
#include <gegl.h>

#include "capra.h"
#include "ui/panel/preview/histogram-bars.h"
#include "ui/panel/preview/histogram-data.h"

/* More than are counted at full size. */
#define WIDTH 1500
#define HEIGHT 1200
#define LEVELS 256

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  *(CapraHistogramData **) data = capra_histogram_data_compute_finish (result);
}

/* Noise of all levels alike. */
static CapraPyramid *
make_noise (void)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("Y' u8"));
  g_autofree guint8 *values = g_new (guint8, WIDTH * HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (guint8) g_rand_int_range (random, 0, LEVELS);
  gegl_buffer_set (image, NULL, 0, babl_format ("Y' u8"), values, GEGL_AUTO_ROWSTRIDE);
  return capra_pyramid_new (image);
}

static CapraHistogramData *
count (CapraPyramid *pyramid, GPtrArray *steps, const char *format)
{
  CapraHistogramData *data = NULL;

  capra_histogram_data_compute_async (pyramid, steps, FALSE, format, on_counted, &data);
  while (!data)
    g_main_context_iteration (NULL, TRUE);
  return data;
}

/* A large image has the percentiles of its pixels, which means of neighbors do not have. */
static void
test_large (void)
{
  g_autoptr (CapraPyramid) pyramid = make_noise ();
  g_autoptr (GPtrArray) steps = g_ptr_array_new_with_free_func (g_object_unref);
  CapraStep *disabled = capra_step_new ("gegl:invert-linear");

  capra_step_set_enabled (disabled, FALSE);
  for (int round = 0; round < 2; round++)
    {
      g_autoptr (CapraHistogramData) data = count (pyramid, steps, "R'G'B' float");

      for (int i = 0; i < 3 * CAPRA_HISTOGRAM_N_PERCENTILES; i++)
        g_assert_cmpfloat_with_epsilon (data->percentiles[i],
                                        CAPRA_HISTOGRAM_PERCENTILES[i % CAPRA_HISTOGRAM_N_PERCENTILES] / 100, 0.01);
      g_assert_cmpfloat (data->pixels, >, 1.0);
      if (round == 0)
        g_ptr_array_add (steps, disabled);
    }
}

/* A gray pixel is counted once, not once per channel. */
static void
test_gray (void)
{
  g_autoptr (CapraPyramid) pyramid = make_noise ();
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (CapraHistogramData) data = count (pyramid, steps, "R'G'B'A float");
  CapraHistogramBars bars = { .shown = CAPRA_HISTOGRAM_ALL };
  guint64 total, below;

  g_assert_true (data->gray);
  capra_histogram_bars_set (&bars, data->counts, data->channels, data->gray);
  capra_histogram_bars_count (&bars, LEVELS / 2, &total, &below);
  g_assert_cmpfloat_with_epsilon ((double) total * data->pixels, WIDTH * HEIGHT, 1.0);
  g_assert_cmpfloat_with_epsilon ((double) below / (double) total, 0.5, 0.01);
  bars.shown = 3;
  capra_histogram_bars_count (&bars, LEVELS / 2, &total, &below);
  g_assert_cmpuint (below, ==, 0); /* opaque */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/panel/histogram/large", test_large);
  g_test_add_func ("/panel/histogram/gray", test_gray);
  return g_test_run ();
}
