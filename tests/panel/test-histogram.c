/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of the histogram: of large images, of their results, and of gray images in colors. */
#include <gegl.h>
#include <math.h>
#include <stdlib.h>

#include "capra.h"
#include "ui/panel/preview/histogram-bars.h"
#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/preview.h"

/* More than are counted: a sample is. */
#define WIDTH 2501
#define HEIGHT 2001
/* All are counted; the result of steps is computed for a reduced image first. */
#define MIDDLE_WIDTH 1501
#define MIDDLE_HEIGHT 1203
#define LEVELS 256

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  *(CapraHistogramData **) data = capra_histogram_data_compute_finish (result);
}

/* Noise of all levels alike. */
static CapraPyramid *
make_noise (int width, int height)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format ("Y' u8"));
  g_autofree guint8 *values = g_new (guint8, (gsize) width * (gsize) height);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < width * height; i++)
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
  g_autoptr (CapraPyramid) pyramid = make_noise (WIDTH, HEIGHT);
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

/* Darkens the image in R'G'B' by a quarter. */
static GPtrArray *
make_steps (void)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);
  CapraStep *step = capra_step_new ("gegl:brightness-contrast");
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, -0.25);
  capra_step_set (step, capra_operation_find_property ("gegl:brightness-contrast", "brightness"), &value);
  g_ptr_array_add (steps, step);
  return steps;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* The percentile of all pixels of the result. */
static double
find_percentile (CapraPyramid *pyramid, GPtrArray *steps, double percent)
{
  GeglBuffer *image = capra_pyramid_get_buffer (pyramid, 0);
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  gsize count = (gsize) extent->width * (gsize) extent->height;
  g_autofree float *values = g_new (float, count);
  g_autoptr (CapraGraph) graph = capra_graph_new (image, 1.0, FALSE);

  capra_graph_update (graph, steps);
  capra_graph_render (graph, extent, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE);
  qsort (values, count, sizeof *values, compare);
  return values[(gsize) (percent / 100 * (double) (count - 1) + 0.5)];
}

static void
on_sampled (CapraPreview *preview, CapraValueSample **sample)
{
  g_clear_pointer (sample, capra_value_sample_unref);
  *sample = capra_preview_get_sample (preview);
}

static CapraHistogramData *
count_result (CapraPreview *preview, CapraSampleSubject subject)
{
  g_autoptr (CapraValueSample) sample = NULL;
  CapraHistogramData *data = NULL;
  gulong handler = g_signal_connect (preview, "sampled", G_CALLBACK (on_sampled), &sample);

  capra_preview_set_sample (preview, &subject);
  while (!sample)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (preview, handler);
  capra_histogram_data_count_async (sample, on_counted, &data);
  while (!data)
    g_main_context_iteration (NULL, TRUE);
  return data;
}

/* The result for a reduced image is replaced by that of own pixels: of all of them, or of a sample of them. */
static void
test_result (void)
{
  static const int sizes[][2] = { { MIDDLE_WIDTH, MIDDLE_HEIGHT }, { WIDTH, HEIGHT } };
  const Babl *format = babl_format ("Y float");

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (CapraPyramid) pyramid = make_noise (sizes[i][0], sizes[i][1]);
      g_autoptr (GPtrArray) steps = make_steps (), none = g_ptr_array_new ();
      g_autoptr (CapraHistogramData) reduced = count (pyramid, steps, "Y float"), data = NULL, before = NULL;
      g_autoptr (CapraPreview) preview = capra_preview_new (pyramid);

      capra_preview_set_steps (preview, steps);
      capra_preview_set_view (preview, gegl_buffer_get_extent (capra_pyramid_get_buffer (pyramid, 0)), 0.25);
      data = count_result (preview, (CapraSampleSubject){ 1, FALSE, format });
      before = count_result (preview, (CapraSampleSubject){ 0, FALSE, format });
      g_assert_true (reduced->reduced && !data->reduced);
      for (int k = 0; k < CAPRA_HISTOGRAM_N_PERCENTILES; k++)
        {
          double percent = CAPRA_HISTOGRAM_PERCENTILES[k], tolerance = i == 0 ? 1e-6 : 0.005;

          g_assert_cmpfloat_with_epsilon (data->percentiles[k], find_percentile (pyramid, steps, percent), tolerance);
          g_assert_cmpfloat_with_epsilon (before->percentiles[k], find_percentile (pyramid, none, percent), tolerance);
        }
      g_assert_cmpfloat (fabs (reduced->percentiles[0] - data->percentiles[0]), >, 0.02);
      if (i == 0)
        g_assert_cmpfloat (data->pixels, ==, 1.0);
      else
        g_assert_cmpfloat (data->pixels, >, 1.0);
    }
  capra_preview_wait_for_workers ();
}

/* Each pixel of an image that is a few pixels high or wide may be in the sample once. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 129, 127 }, { 1, 6000000 }, { 6000000, 1 }, { 20000, 10001 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GeglRectangle extent = { -5, 7, sizes[i][0], sizes[i][1] }, square, last = { 0, 0, 0, 0 };
      g_autoptr (CapraValueSample) sample = capra_value_sample_new (&extent, 1);
      double pixels = (double) extent.width * extent.height;

      while (capra_value_sample_next (sample, &square))
        {
          g_assert_true (gegl_rectangle_contains (&extent, &square));
          g_assert_true (square.y > last.y || square.x > last.x || last.width == 0);
          last = square;
        }
      g_assert_cmpfloat_with_epsilon (capra_value_sample_get_share (sample), MAX (pixels / CAPRA_VALUE_SAMPLE_MAX, 1),
                                      0.05 * pixels / CAPRA_VALUE_SAMPLE_MAX);
    }
}

/* A gray pixel is counted once, not once per channel. */
static void
test_gray (void)
{
  g_autoptr (CapraPyramid) pyramid = make_noise (WIDTH, HEIGHT);
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
  g_test_add_func ("/panel/histogram/result", test_result);
  g_test_add_func ("/panel/histogram/sizes", test_sizes);
  g_test_add_func ("/panel/histogram/gray", test_gray);
  return g_test_run ();
}
