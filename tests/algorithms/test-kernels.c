/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs every kernel of every variant once, on small images, and compares the results of the variants. Intended for a
 * checker of memory accesses and races (tests/support/oclgrind.sh). */
#include <math.h>
#include <string.h>

#include "tests/algorithms/kernels.h"

#define WIDTH KERNELS_WIDTH
#define HEIGHT KERNELS_HEIGHT
/* Of images with several channels, whose rows are longer than a group, too. */
#define CHANNELS_WIDTH 43
#define CHANNELS_HEIGHT 21

/* Set one after the other. Each algorithm reads its own key. The matrix of azimuthal integration is built on the host:
 * Oclgrind 21.10 crashes when commands of three queues wait for each other, as there. */
static const char *const variants[] = {
  "taps.variant=vector,gaussian.variant=vector,box-blur.variant=vector,convolve.variant=vector,convolve.fourier=150,"
  "label.variant=runs,measure.variant=strips,extremes.variant=vector,statistics.variant=vector,"
  "median.variant=vector,clip.variant=vector,histogram.variant=vector,threshold.vector=8,threshold.search=host,"
  "bitshuffle.variant=item,azimuthal.variant=row,azimuthal.build=host",
  "taps.variant=group,gaussian.variant=group,box-blur.variant=group,convolve.variant=group,convolve.fourier=150,"
  "label.variant=blocks,measure.variant=blocks,extremes.variant=group,statistics.variant=group,"
  "median.variant=bracket,clip.variant=group,histogram.variant=group,threshold.vector=4,threshold.search=device,"
  "bitshuffle.variant=group,azimuthal.variant=group,azimuthal.group=32,azimuthal.batch=2,"
  "azimuthal.build=host",
};

CapraDevice *
kernels_device (void)
{
  return g_getenv ("CAPRA_TEST_DEVICE") ? support_device (0) : capra_device_list (NULL)->pdata[0];
}

static CapraArray *
image_of_size (gsize width, gsize height, guint channels)
{
  g_autofree float *values = support_noise (width * height * channels, 0, 1, channels);

  return support_array (kernels_device (), width, height, 1, channels, values);
}

static CapraArray *
image (guint channels)
{
  return channels > 1 ? image_of_size (CHANNELS_WIDTH, CHANNELS_HEIGHT, channels) : image_of_size (WIDTH, HEIGHT, 1);
}

/* One of two borders in turn, so that each case has one of them with one channel and the other with several. */
static CapraBorder
border_of (guint i, guint channels)
{
  return (i + channels / 2) % 2 ? CAPRA_BORDER_MIRROR : CAPRA_BORDER_NONE;
}

void
kernels_each_variant (KernelsMake make, gconstpointer data, const char *what)
{
  g_autofree guint8 *first = NULL;

  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) result = NULL;
      g_autofree guint8 *values = NULL;
      gsize bytes = 0;

      support_force_tuning (variants[v]);
      result = make (data, &error);
      g_assert_no_error (error);
      bytes = capra_shape_bytes (capra_array_get_shape (result));
      values = g_malloc (bytes);
      capra_array_download (result, values, &error);
      g_assert_no_error (error);
      if (v == 0)
        first = g_steal_pointer (&values);
      else if (capra_array_get_shape (result)->type != CAPRA_F32)
        g_assert_cmpmem (first, bytes, values, bytes);
      else
        for (gsize i = 0; i < bytes / sizeof (float); i++)
          if (!(fabsf (((float *) first)[i] - ((float *) values)[i]) <= 2e-5f))
            g_error ("%s: variants differ at %" G_GSIZE_FORMAT ": %g and %g", what, i, ((float *) first)[i],
                     ((float *) values)[i]);
    }
  g_unsetenv ("CAPRA_TUNING");
}

typedef struct {
  CapraArray *image;
  const CapraWindow *window;
  CapraBorder border;
  double sigma;
  CapraGaussianFilter filter;
  int radius, size, stride;
  CapraLabelOptions label;
} Case;

static CapraArray *
make_gaussian (gconstpointer data, GError **error)
{
  const Case *c = data;

  return capra_gaussian_blur (c->image, (const double[]){ c->sigma, c->sigma * 0.7, 0 }, c->filter,
                              CAPRA_GAUSSIAN_TRUNCATE, c->border, c->window, error);
}

/* More weights than groups hold in local memory at a time: for pixels near the borders and inside. */
static void
test_gaussian_long (void)
{
  static const CapraRect lines[] = { { 0, 0, 600, 2 }, { 0, 0, 2, 600 } };
  static const CapraRect results[] = { { 0, 0, 600, 2 }, { 0, 100, 2, 60 } };
  g_autofree float *values = support_noise (2 * 600, 0, 1, 1);
  Case c = { .border = CAPRA_BORDER_MIRROR, .sigma = 33, .filter = CAPRA_GAUSSIAN_SAMPLED };

  for (int tall = 0; tall < 2; tall++)
    {
      CapraWindow window = { lines[tall], lines[tall], results[tall] };
      g_autoptr (CapraArray) line = support_array (kernels_device (), tall ? 2 : 600, tall ? 600 : 2, 1, 1, values);

      c.image = line;
      c.window = &window;
      kernels_each_variant (make_gaussian, &c, "wide gaussian blur");
    }
}

static void
test_gaussian (void)
{
  static const struct {
    double sigma;
    CapraGaussianFilter filter;
  } blurs[] = { { 0.6 }, { 3 }, { 9, CAPRA_GAUSSIAN_SAMPLED }, { 9 } };

  for (guint channels = 1; channels <= 4; channels += 2)
    {
      g_autoptr (CapraArray) input = image (channels);

      for (guint i = 0; i < G_N_ELEMENTS (blurs); i++)
        kernels_each_variant (
          make_gaussian,
          &(Case){
            .image = input, .border = border_of (i, channels), .sigma = blurs[i].sigma, .filter = blurs[i].filter },
          "gaussian blur");
    }
}

static CapraArray *
make_box (gconstpointer data, GError **error)
{
  const Case *c = data;

  return capra_box_blur (c->image, (const int[]){ c->radius, c->radius + 1, 0 }, c->border, NULL, error);
}

/* Both blurs of bytes whose colors the variant for CPUs converts while it loads and stores them. */
static CapraArray *
make_converted (gconstpointer data, GError **error)
{
  const Case *c = data;
  gboolean colors = capra_array_get_shape (c->image)->channels == 4;
  CapraConversion gray = { { CAPRA_COLOR_Y, TRUE }, { CAPRA_COLOR_Y, FALSE }, { 0 } };
  CapraConversion color = { { CAPRA_COLOR_RGBA, TRUE }, { CAPRA_COLOR_RaGaBaA, FALSE }, { 0 } };
  CapraConversion straight = { { CAPRA_COLOR_RaGaBaA, FALSE }, { CAPRA_COLOR_RGBA, FALSE }, { 0 } };
  CapraConversions conversions = { colors ? &color : &gray, colors ? &straight : NULL };

  return c->sigma > 0 ? capra_gaussian_blur_converted (capra_array_ref (c->image), &conversions,
                                                       (const double[]){ c->sigma, c->sigma, 0 }, CAPRA_GAUSSIAN_AUTO,
                                                       CAPRA_GAUSSIAN_TRUNCATE, c->border, NULL, error)
                      : capra_box_blur_converted (capra_array_ref (c->image), &conversions,
                                                  (const int[]){ c->radius, c->radius, 0 }, c->border, NULL, error);
}

/* With a sigma of 2.6, the rows of one channel are no multiple of the vectors that are converted. */
static void
test_converted (void)
{
  static const double sigmas[] = { 0, 1.2, 2.6, 7 };

  for (guint channels = 1; channels <= 4; channels += 3)
    {
      CapraShape shape = { CHANNELS_WIDTH, CHANNELS_HEIGHT, 1, channels, CAPRA_U8 };
      g_autofree guint8 *bytes = g_malloc (capra_shape_bytes (&shape));
      g_autoptr (CapraArray) input = NULL;

      for (gsize i = 0; i < capra_shape_bytes (&shape); i++)
        bytes[i] = (guint8) (i * 37 % 251);
      input = capra_array_new_from_data (kernels_device (), &shape, bytes, NULL);
      for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
        kernels_each_variant (
          make_converted, &(Case){ .image = input, .border = border_of (i, channels), .radius = 9, .sigma = sigmas[i] },
          "blur of colors");
    }
}

static void
test_box (void)
{
  g_autofree float *values = support_noise (5 * 600, 0, 1, 1);
  g_autoptr (CapraArray) tall = support_array (kernels_device (), 5, 600, 1, 1, values);
  /* Of two strips, and of more than one run. */
  g_autoptr (CapraArray) wide = image_of_size (2060, 20, 1);

  for (guint channels = 1; channels <= 4; channels += 2)
    {
      static const int radii[] = { 1, 7, 9, 49 };
      g_autoptr (CapraArray) input = image (channels);

      for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
        kernels_each_variant (
          make_box, &(Case){ .image = input, .border = border_of (i, channels), .radius = radii[i] }, "box blur");
    }
  kernels_each_variant (make_box, &(Case){ .image = tall, .border = CAPRA_BORDER_MIRROR, .radius = 270 }, "box blur");
  kernels_each_variant (make_box, &(Case){ .image = wide, .border = CAPRA_BORDER_CLAMP, .radius = 8 }, "box blur");
}

static CapraArray *
make_convolution (gconstpointer data, GError **error)
{
  const Case *c = data;
  g_autoptr (CapraMatrix) matrix = capra_matrix_new (c->size, c->size);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  for (int i = 0; i < c->size * c->size; i++)
    matrix->values[i] = c->radius ? 1.0 + i % c->size : fmod (i * 0.618034, 1.0) + 0.1;
  options.divisor = 0;
  options.border = c->border;
  options.stride_x = options.stride_y = c->stride;
  return capra_convolve (c->image, matrix, &options, NULL, error);
}

static CapraArray *
make_convolutions (gconstpointer data, GError **error)
{
  const Case *c = data;
  g_autoptr (CapraMatrix) matrix = capra_matrix_new (c->size, c->size);
  const CapraMatrix *matrices[] = { matrix, matrix, matrix };
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  for (int i = 0; i < c->size * c->size; i++)
    matrix->values[i] = (fmod (i * 0.618034, 1.0) + 0.1) / (c->size * c->size);
  options.border = c->border;
  options.stride_x = options.stride_y = c->stride;
  return capra_convolve_many (c->image, matrices, G_N_ELEMENTS (matrices), &options, NULL, error);
}

static void
test_convolve (void)
{
  static const int sizes[] = { 1, 3, 5, 8, 12, 20 };

  for (guint channels = 1; channels <= 4; channels += 3)
    {
      g_autoptr (CapraArray) input = image (channels);

      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        for (int stride = 1; stride <= 3; stride += 2)
          for (int separable = 0; separable <= 1; separable++)
            kernels_each_variant (make_convolution,
                                  &(Case){ .image = input,
                                           .border = CAPRA_BORDER_MIRROR,
                                           .size = sizes[s],
                                           .stride = stride,
                                           .radius = separable },
                                  "convolution");
      for (int size = 4; size <= 9; size += 5)
        kernels_each_variant (make_convolutions,
                              &(Case){ .image = input, .border = CAPRA_BORDER_WRAP, .size = size, .stride = 3 },
                              "convolution with several matrices");
    }
}

static CapraArray *
make_labels (gconstpointer data, GError **error)
{
  const Case *c = data;

  return capra_label (c->image, &c->label, NULL, error);
}

static void
test_label (void)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, -1, 1, 3);
  g_autoptr (CapraArray) input = support_array (kernels_device (), WIDTH, HEIGHT, 1, 1, values);
  static const CapraLabelOptions options[] = { { 8, 0, 0, FALSE }, { 4, 0, 0, FALSE },      { 4, 3, 50, TRUE },
                                               { 8, 2, 0, TRUE },  { 8, 2, 0, TRUE, TRUE }, { 4, 0, 0, FALSE, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    kernels_each_variant (make_labels, &(Case){ .image = input, .label = options[i] }, "label");
}

static CapraArray *
make_measured (gconstpointer data, GError **error)
{
  const Case *c = data;
  g_autoptr (CapraArray) labels = capra_label (c->image, &c->label, NULL, error);
  g_autoptr (GArray) regions = labels ? capra_measure (labels, c->image, 0, 0, error) : NULL;

  if (!regions)
    return NULL;
  g_assert_cmpuint (regions->len, >, 10);
  return capra_label_colors (labels, error);
}

static void
test_measure (void)
{
  g_autofree float *values = support_noise (WIDTH * HEIGHT, -1, 1, 4);
  g_autoptr (CapraArray) input = support_array (kernels_device (), WIDTH, HEIGHT, 1, 1, values);

  kernels_each_variant (make_measured, &(Case){ .image = input, .label = CAPRA_LABEL_DEFAULTS }, "measure");
}

static CapraArray *
make_thresholds (gconstpointer data, GError **error)
{
  const Case *c = data;
  g_autoptr (CapraArray) local = capra_threshold_local (c->image, c->image, INFINITY, error);
  g_autoptr (CapraArray) bytes = capra_threshold_mask (c->image, 0.25, 0.75, CAPRA_U8, error);
  g_autoptr (CapraArray) found = NULL;
  g_autoptr (CapraArray) above = NULL;
  CapraStatistics statistics;
  CapraClipOptions clip_options = { 1.2, 0.5, CAPRA_CLIP_BASE_MEDIAN };
  CapraClip clip;
  double value = 0;

  above = capra_threshold_clip (c->image, &clip_options, CAPRA_U8, &clip, error);
  if (!above)
    return NULL;
  found = bytes ? capra_threshold_auto_mask (c->image, CAPRA_THRESHOLD_OTSU, CAPRA_U8, &value, error) : NULL;
  if (!found || !local || !capra_statistics (c->image, CAPRA_STATISTICS_ALL, &statistics, error))
    return NULL;
  for (int method = CAPRA_THRESHOLD_OTSU; method <= CAPRA_THRESHOLD_ISODATA; method++)
    if (!capra_threshold_find (c->image, method, &value, error))
      return NULL;
  return capra_threshold_above (c->image, value, error);
}

static void
test_threshold (void)
{
  g_autoptr (CapraArray) input = image (1);

  kernels_each_variant (make_thresholds, &(Case){ .image = input }, "threshold");
}

static void
test_convert (void)
{
  const double luminance[] = { 0.2126, 0.7152, 0.0722 };

  for (int from = CAPRA_COLOR_Y; from <= CAPRA_COLOR_RaGaBaA; from++)
    for (int to = CAPRA_COLOR_Y; to <= CAPRA_COLOR_RaGaBaA; to++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) input = image (capra_color_channels (from));
        g_autoptr (CapraArray) result = capra_convert (input, (CapraEncoding){ from, FALSE },
                                                       (CapraEncoding){ to, TRUE }, luminance, &error);

        g_assert_no_error (error);
        g_assert_cmpuint (capra_array_get_shape (result)->channels, ==, capra_color_channels (to));
      }
}

/* Rectangles inside the image and larger than it, with pixels of one to four channels. */
static void
test_crop (void)
{
  static const CapraRect rects[] = { { 5, 3, 21, 17 }, { -4, -2, WIDTH + 9, HEIGHT + 3 } };

  for (guint channels = 1; channels <= 4; channels++)
    for (guint i = 0; i < G_N_ELEMENTS (rects); i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) input = image (channels);
        g_autoptr (CapraArray) result = capra_crop (input, &rects[i], &error);

        g_assert_no_error (error);
        g_assert_true (capra_array_wait (result, &error));
      }
}

/* The variants that preserve alpha. */
static void
test_threshold_alpha (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) input = image (2);
  g_autoptr (CapraArray) low = image_of_size (CHANNELS_WIDTH, CHANNELS_HEIGHT, 1);
  g_autoptr (CapraArray) mask = capra_threshold (input, 0.25, 0.75, &error);
  g_autoptr (CapraArray) local = mask ? capra_threshold_local (input, low, 0.75, &error) : NULL;

  g_assert_no_error (error);
  g_assert_true (capra_array_wait (local, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/gaussian-blur/short", test_gaussian);
  g_test_add_func ("/kernels/gaussian-blur/long", test_gaussian_long);
  g_test_add_func ("/kernels/box-blur", test_box);
  g_test_add_func ("/kernels/converted-blur", test_converted);
  g_test_add_func ("/kernels/convolve", test_convolve);
  g_test_add_func ("/kernels/label", test_label);
  g_test_add_func ("/kernels/measure", test_measure);
  g_test_add_func ("/kernels/threshold/methods", test_threshold);
  g_test_add_func ("/kernels/threshold/alpha", test_threshold_alpha);
  g_test_add_func ("/kernels/convert", test_convert);
  g_test_add_func ("/kernels/crop", test_crop);
  g_test_add_func ("/kernels/bitshuffle", kernels_test_bitshuffle);
  g_test_add_func ("/kernels/azimuthal", kernels_test_azimuthal);
  return g_test_run ();
}
