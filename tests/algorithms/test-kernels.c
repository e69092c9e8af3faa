/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs every kernel of every variant once, on small images, and compares the results of the variants. Intended for a
 * checker of memory accesses and races (tests/support/oclgrind.sh). */
#include <math.h>
#include <string.h>

#include "ui/cli/check/reference-bitshuffle.h"
#include "tests/support/support.h"

#define WIDTH 75
#define HEIGHT 41

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

/* The only device of the checker, or the first device. */
static CapraDevice *
device (void)
{
  return g_getenv ("CAPRA_TEST_DEVICE") ? support_device (0) : capra_device_list (NULL)->pdata[0];
}

static CapraArray *
image_of_size (gsize width, gsize height, guint channels)
{
  g_autofree float *values = support_noise (width * height * channels, 0, 1, channels);

  return support_array (device (), width, height, 1, channels, values);
}

static CapraArray *
image (guint channels)
{
  return image_of_size (WIDTH, HEIGHT, channels);
}

/* Runs @make under each variant and compares the results with the first variant's. */
static void
each_variant (CapraArray *(*make) (gconstpointer data, GError **error), gconstpointer data, const char *what)
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
                              CAPRA_GAUSSIAN_TRUNCATE, c->border, NULL, error);
}

static void
test_gaussian (void)
{
  static const struct {
    double sigma;
    CapraGaussianFilter filter;
  } blurs[] = { { 0.6 }, { 3 }, { 9, CAPRA_GAUSSIAN_SAMPLED }, { 9 } };
  g_autofree float *values = support_noise (2 * 600, 0, 1, 1);

  for (int tall = 0; tall < 2; tall++)
    {
      g_autoptr (CapraArray) line = support_array (device (), tall ? 2 : 600, tall ? 600 : 2, 1, 1, values);

      each_variant (
        make_gaussian,
        &(Case){ .image = line, .border = CAPRA_BORDER_MIRROR, .sigma = 50, .filter = CAPRA_GAUSSIAN_SAMPLED },
        "wide gaussian blur");
    }
  for (guint channels = 1; channels <= 4; channels += 2)
    {
      g_autoptr (CapraArray) input = image (channels);

      for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border += 2)
        for (guint i = 0; i < G_N_ELEMENTS (blurs); i++)
          each_variant (make_gaussian,
                        &(Case){ .image = input, .border = border, .sigma = blurs[i].sigma, .filter = blurs[i].filter },
                        "gaussian blur");
    }
}

static CapraArray *
make_box (gconstpointer data, GError **error)
{
  const Case *c = data;

  return capra_box_blur (c->image, (const int[]){ c->radius, c->radius + 1, 0 }, c->border, NULL, error);
}

static void
test_box (void)
{
  g_autofree float *values = support_noise (5 * 600, 0, 1, 1);
  g_autoptr (CapraArray) tall = support_array (device (), 5, 600, 1, 1, values);

  for (guint channels = 1; channels <= 4; channels += 2)
    {
      g_autoptr (CapraArray) input = image (channels);

      for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border += 2)
        for (int radius = 1; radius < 60; radius *= 7)
          each_variant (make_box, &(Case){ .image = input, .border = border, .radius = radius }, "box blur");
    }
  each_variant (make_box, &(Case){ .image = tall, .border = CAPRA_BORDER_MIRROR, .radius = 270 }, "box blur");
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
      /* Rows and columns are longer than a group in both sizes, which build the same kernels. */
      g_autoptr (CapraArray) input = channels > 1 ? image_of_size (43, 21, channels) : image (1);

      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        for (int stride = 1; stride <= 3; stride += 2)
          for (int separable = 0; separable <= 1; separable++)
            each_variant (make_convolution,
                          &(Case){ .image = input,
                                   .border = CAPRA_BORDER_MIRROR,
                                   .size = sizes[s],
                                   .stride = stride,
                                   .radius = separable },
                          "convolution");
      for (int size = 4; size <= 9; size += 5)
        each_variant (make_convolutions,
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
  g_autoptr (CapraArray) input = support_array (device (), WIDTH, HEIGHT, 1, 1, values);
  static const CapraLabelOptions options[] = { { 8, 0, 0, FALSE }, { 4, 0, 0, FALSE },      { 4, 3, 50, TRUE },
                                               { 8, 2, 0, TRUE },  { 8, 2, 0, TRUE, TRUE }, { 4, 0, 0, FALSE, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    each_variant (make_labels, &(Case){ .image = input, .label = options[i] }, "label");
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
  g_autoptr (CapraArray) input = support_array (device (), WIDTH, HEIGHT, 1, 1, values);

  each_variant (make_measured, &(Case){ .image = input, .label = CAPRA_LABEL_DEFAULTS }, "measure");
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

  each_variant (make_thresholds, &(Case){ .image = input }, "threshold");
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
  g_autoptr (CapraArray) low = image (1);
  g_autoptr (CapraArray) mask = capra_threshold (input, 0.25, 0.75, &error);
  g_autoptr (CapraArray) local = mask ? capra_threshold_local (input, low, 0.75, &error) : NULL;

  g_assert_no_error (error);
  g_assert_true (capra_array_wait (local, &error));
}

/* A batch with a compressed chunk, one whose last block is damaged, and a plain one. */
typedef struct {
  CapraBitshuffleLayout layout;
  gsize bytes;
  const guint8 *data;
  CapraShape shape; /* of the result */
} Chunks;

static CapraArray *
make_decoded (gconstpointer data, GError **error)
{
  const Chunks *chunks = data;
  g_autoptr (CapraArray) batch = capra_array_new_from_data (device (), &CAPRA_SHAPE_2D (chunks->bytes, 1, CAPRA_U8),
                                                            chunks->data, error);
  g_autoptr (CapraArray) damaged = NULL;
  CapraArray *result = batch ? capra_bitshuffle_decode (batch, &chunks->layout, &chunks->shape, &damaged, error) : NULL;
  guint32 got[3];

  if (!result)
    return NULL;
  g_assert_true (capra_array_download (damaged, got, error));
  g_assert_cmpuint (got[0], ==, CAPRA_BITSHUFFLE_GOOD);
  g_assert_cmpuint (got[1], ==, chunks->layout.n_blocks - 1);
  g_assert_cmpuint (got[2], ==, CAPRA_BITSHUFFLE_GOOD);
  return result;
}

static void
check_chunks (guint element, guint n, guint block, CapraType type)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (element);
  g_autofree guint8 *values = g_malloc0 (n * element), *data = NULL;
  g_autoptr (GByteArray) chunk = NULL;
  g_autofree guint32 *offsets = NULL;
  gsize sizes[3], positions[3];
  guint last;
  Chunks chunks = { .shape = { n, 1, 3, type != CAPRA_F32 && element == 8 ? 2 : 1, type } };

  for (guint i = 0; i < n; i++)
    values[i * element] = (guint8) (i / 20 + g_rand_int_range (random, 0, 3));
  chunk = reference_bitshuffle_encode (values, n, element, block, reference_lz4_random, random);
  sizes[0] = sizes[1] = chunk->len;
  sizes[2] = n * element;
  g_assert_true (capra_bitshuffle_layout_init (&chunks.layout, CAPRA_BITSHUFFLE_UNSIGNED, element, n, block, NULL));
  chunks.bytes = capra_bitshuffle_batch_size (&chunks.layout, 3, sizes, positions);
  chunks.data = data = g_malloc0 (chunks.bytes);
  last = chunks.layout.n_blocks - 1;
  offsets = g_new (guint32, last + 2);
  g_assert_true (capra_bitshuffle_scan (&chunks.layout, chunk->data, chunk->len, offsets, NULL));
  for (guint i = 0; i < 3; i++)
    {
      memcpy (data + positions[i], i < 2 ? chunk->data : values, sizes[i]);
      if (i == 1)
        memset (data + positions[i] + offsets[last], 255, offsets[last + 1] - 4 - offsets[last]);
      g_assert_true (capra_bitshuffle_batch_add (&chunks.layout, data, 3, i, positions[i], sizes[i],
                                                 i < 2 ? CAPRA_BITSHUFFLE_LZ4 : CAPRA_BITSHUFFLE_RAW, NULL));
    }
  each_variant (make_decoded, &chunks, "bitshuffle");
}

/* Blocks whose planes are words, and others; values after the last block. */
static void
test_bitshuffle (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_U32, CAPRA_U32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      check_chunks (1u << i, 317, 128, types[i]);
      check_chunks (1u << i, 123, 56, i % 2 ? CAPRA_F32 : types[i]);
    }
}

typedef struct {
  CapraAzimuthalSettings settings;
  CapraArray *frames, *variance;
  guint n;
} Frames;

static CapraArray *
make_curves (gconstpointer data, GError **error)
{
  const Frames *frames = data;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new (device (), &frames->settings, error);
  g_autoptr (CapraArray) results = azimuthal ? capra_azimuthal_new_results (azimuthal, frames->n, error) : NULL;

  return results && capra_azimuthal_integrate (azimuthal, frames->frames, frames->n, frames->variance, results, error)
           ? g_steal_pointer (&results)
           : NULL;
}

static CapraArray *
make_frames (guint n, CapraType type)
{
  g_autofree float *noise = support_noise (WIDTH * HEIGHT * n, 0, 100, 3);
  g_autofree guint32 *counts = g_new (guint32, WIDTH * HEIGHT * n);
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  for (guint i = 0; i < WIDTH * HEIGHT * n; i++)
    counts[i] = (guint32) noise[i];
  array = capra_array_new_from_data (device (), &CAPRA_SHAPE_3D (WIDTH, HEIGHT, n, type),
                                     type == CAPRA_F32 ? (gconstpointer) noise : counts, &error);
  g_assert_no_error (error);
  return array;
}

/* Curves of integers and floats, all models of errors, a dummy, clipping, and bins of azimuths. */
static void
test_azimuthal (void)
{
  for (guint i = 0; i < 8; i++)
    {
      CapraType type = i % 2 ? CAPRA_F32 : CAPRA_U32;
      guint n = 1 + i % 4;
      g_autoptr (CapraArray) frames = make_frames (n, type), variance = NULL;
      Frames work = { .n = n };
      CapraAzimuthalSettings *s = &work.settings;

      capra_azimuthal_settings_init (s);
      s->poni = (CapraPoni){ .pixel1 = 1e-4, .pixel2 = 1e-4, .orientation = 3, .distance = 0.05, .wavelength = 1e-10 };
      s->width = WIDTH;
      s->height = HEIGHT;
      s->bins = i == 5 ? 1 : 19;
      s->splitting = (CapraAzimuthalSplitting) (i % 3);
      s->error = (CapraAzimuthalError) (i % 5);
      s->has_dummy = i % 4 == 2;
      s->dummy = 7;
      s->azimuthal_bins = i == 6 ? 5 : 1;
      s->clip = i == 4 || i == 7;
      s->clip_iterations = 2;
      if (s->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE)
        variance = make_frames (n, CAPRA_F32);
      work.frames = frames;
      work.variance = variance;
      each_variant (make_curves, &work, "azimuthal integration");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/gaussian-blur", test_gaussian);
  g_test_add_func ("/kernels/box-blur", test_box);
  g_test_add_func ("/kernels/convolve", test_convolve);
  g_test_add_func ("/kernels/label", test_label);
  g_test_add_func ("/kernels/measure", test_measure);
  g_test_add_func ("/kernels/threshold", test_threshold);
  g_test_add_func ("/kernels/threshold-alpha", test_threshold_alpha);
  g_test_add_func ("/kernels/convert", test_convert);
  g_test_add_func ("/kernels/crop", test_crop);
  g_test_add_func ("/kernels/bitshuffle", test_bitshuffle);
  g_test_add_func ("/kernels/azimuthal", test_azimuthal);
  return g_test_run ();
}
