/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of `capra bench`: one call of libcapra each. */
#include <math.h>
#include <string.h>

#include "ui/cli/bench/bench-azimuthal.h"
#include "ui/cli/bench/bench-bitshuffle.h"

static void
add_values (GArray *values, const void *pixels, CapraType type, gsize count)
{
  guint before = values->len;
  double *to = NULL;

  g_array_set_size (values, before + (guint) count);
  to = &g_array_index (values, double, before);
  if (type == CAPRA_U8)
    for (gsize i = 0; i < count; i++)
      to[i] = ((const guint8 *) pixels)[i];
  else if (type == CAPRA_U32)
    for (gsize i = 0; i < count; i++)
      to[i] = ((const guint32 *) pixels)[i];
  else
    for (gsize i = 0; i < count; i++)
      to[i] = ((const float *) pixels)[i];
}

gboolean
bench_finish (CapraArray *result, const BenchCall *call, GError **error)
{
  g_autoptr (CapraArray) owned = result;
  const CapraShape *shape = result ? capra_array_get_shape (result) : NULL;
  const void *pixels = NULL;

  if (result && call->host)
    {
      if (!*call->host)
        *call->host = g_malloc (capra_shape_bytes (shape));
      return capra_array_download (result, *call->host, error);
    }
  if (!result || !call->values)
    return result != NULL;
  pixels = capra_array_map_read (result, error);
  if (!pixels)
    return FALSE;
  add_values (call->values, pixels, shape->type, capra_shape_bytes (shape) / capra_type_size (shape->type));
  return capra_array_unmap (result, error);
}

static gboolean
run_copy (const BenchCall *call, GError **error)
{
  return capra_array_copy (call->second, call->image, error)
         && bench_finish (capra_array_ref (call->second), call, error);
}

static CapraArray *
prepare_target (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  return capra_array_new (capra_array_get_device (image), capra_array_get_shape (image), error);
}

static gboolean
run_gaussian (const BenchCall *call, GError **error)
{
  gboolean line = capra_array_get_shape (call->image)->height == 1;
  const double sigma[] = { call->workload->parameter, line ? 0 : call->workload->parameter, 0 };

  return bench_finish (capra_gaussian_blur (call->image, sigma, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE,
                                            CAPRA_BORDER_MIRROR, NULL, error),
                       call, error);
}

static gboolean
run_gaussian_sampled (const BenchCall *call, GError **error)
{
  const double sigma[] = { call->workload->parameter, call->workload->parameter, 0 };

  return bench_finish (capra_gaussian_blur (call->image, sigma, CAPRA_GAUSSIAN_SAMPLED, CAPRA_GAUSSIAN_TRUNCATE,
                                            CAPRA_BORDER_MIRROR, NULL, error),
                       call, error);
}

static gboolean
run_box (const BenchCall *call, GError **error)
{
  int radius = (int) call->workload->parameter;

  return bench_finish (
    capra_box_blur (call->image, (const int[]){ radius, radius, 0 }, CAPRA_BORDER_MIRROR, NULL, error), call, error);
}

/* A matrix of that size without symmetry: of full rank, or of rank 1. */
static CapraMatrix *
make_matrix (int width, int height, gboolean rank_1)
{
  CapraMatrix *matrix = capra_matrix_new (width, height);

  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      matrix->values[j * width + i] = rank_1 ? (1.0 + i % 5) * (2.0 + j % 3)
                                             : 0.1 + fmod ((i * 7919 + j * 104729) * 0.618034, 1.0);
  return matrix;
}

static gboolean
convolve (const BenchCall *call, int width, int height, gboolean rank_1, int stride, GError **error)
{
  g_autoptr (CapraMatrix) matrix = make_matrix (width, height, rank_1);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.divisor = 0;
  options.border = CAPRA_BORDER_MIRROR;
  options.stride_x = options.stride_y = stride;
  if (stride > 1)
    options.extent = CAPRA_EXTENT_VALID;
  return bench_finish (capra_convolve (call->image, matrix, &options, NULL, error), call, error);
}

static gboolean
run_convolve (const BenchCall *call, GError **error)
{
  int size = (int) call->workload->parameter;

  return convolve (call, size, capra_array_get_shape (call->image)->height > 1 ? size : 1, FALSE, 1, error);
}

static gboolean
run_convolve_rank_1 (const BenchCall *call, GError **error)
{
  return convolve (call, (int) call->workload->parameter, (int) call->workload->parameter, TRUE, 1, error);
}

/* A hundred different matrices in one call. */
static gboolean
run_convolve_many (const BenchCall *call, GError **error)
{
  enum { COUNT = 100 };
  int size = (int) call->workload->parameter;
  g_autoptr (GPtrArray) matrices = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_matrix_free);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  for (int m = 0; m < COUNT; m++)
    {
      CapraMatrix *matrix = make_matrix (size, size, FALSE);

      matrix->values[m % (size * size)] += m;
      g_ptr_array_add (matrices, matrix);
    }
  options.divisor = 0;
  options.extent = CAPRA_EXTENT_VALID;
  options.stride_x = options.stride_y = 5;
  return bench_finish (
    capra_convolve_many (call->image, (const CapraMatrix *const *) matrices->pdata, COUNT, &options, NULL, error), call,
    error);
}

static gboolean
run_convolve_stride (const BenchCall *call, GError **error)
{
  return convolve (call, (int) call->workload->parameter, (int) call->workload->parameter, FALSE, 5, error);
}

static gboolean
run_threshold (const BenchCall *call, GError **error)
{
  return bench_finish (capra_threshold (call->image, call->workload->parameter, INFINITY, error), call, error);
}

static gboolean
run_threshold_u8 (const BenchCall *call, GError **error)
{
  return bench_finish (capra_threshold_mask (call->image, call->workload->parameter, INFINITY, CAPRA_U8, error), call,
                       error);
}

static gboolean
run_otsu (const BenchCall *call, GError **error)
{
  double value = 0;

  return bench_finish (capra_threshold_auto (call->image, CAPRA_THRESHOLD_OTSU, &value, error), call, error);
}

static gboolean
run_statistics (const BenchCall *call, GError **error)
{
  CapraStatistics statistics = { 0 };

  if (!capra_statistics (call->image, (CapraStatisticsFlags) call->workload->parameter, &statistics, error))
    return FALSE;
  if (call->values)
    g_array_append_vals (
      call->values,
      (const double[]){ statistics.min, statistics.max, statistics.mean, statistics.std, statistics.median }, 5);
  return TRUE;
}

static gboolean
run_label (const BenchCall *call, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  options.connectivity = (int) call->workload->parameter;
  return bench_finish (capra_label (call->image, &options, NULL, error), call, error);
}

static CapraArray *
prepare_labels (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  return capra_label (image, &options, NULL, error);
}

static gboolean
measure (const BenchCall *call, CapraArray *labels, GError **error)
{
  g_autoptr (GArray) regions = capra_measure (labels, call->image, 0, 0, error);

  for (guint i = 0; regions && call->values && i < regions->len; i++)
    {
      const CapraRegion *r = &g_array_index (regions, CapraRegion, i);

      g_array_append_vals (call->values,
                           (const double[]){ (double) r->area, r->centroid_x, r->centroid_y, r->weighted_centroid_x,
                                             r->weighted_centroid_y, r->min_x, r->max_y, r->sum, r->std },
                           9);
    }
  return regions != NULL;
}

static gboolean
run_measure (const BenchCall *call, GError **error)
{
  return measure (call, call->second, error);
}

static gboolean
run_label_measure (const BenchCall *call, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr (CapraArray) labels = capra_label (call->image, &options, NULL, error);

  return labels && measure (call, labels, error);
}

static gboolean
run_clip (const BenchCall *call, GError **error)
{
  CapraClipOptions options = CAPRA_CLIP_DEFAULTS;
  CapraClip clip;

  if (!capra_clip (call->image, &options, &clip, error))
    return FALSE;
  if (call->values)
    g_array_append_vals (call->values, (const double[]){ clip.median, clip.mean, clip.sigma, (double) clip.pixels }, 4);
  return TRUE;
}

/* The sources of an image of the sky: the background, the mask of what is 5 sigma above it, labels, the table. Only the
 * table and the background are waited for, after the last step was started. */
static gboolean
find_sources (const BenchCall *call, CapraArray *image, GError **error)
{
  CapraClipOptions options = CAPRA_CLIP_DEFAULTS;
  CapraLabelOptions label = CAPRA_LABEL_DEFAULTS;
  g_autoptr (CapraArray) state = NULL;
  g_autoptr (CapraArray) mask = capra_threshold_clip_begin (image, &options, CAPRA_U8, &state, error);
  const BenchCall source = { call->workload, image, NULL, call->values };
  gboolean replaced = TRUE;
  CapraClip clip;

  label.connectivity = 4;
  for (guint turn = 0; turn < 2 && replaced; turn++)
    {
      g_autoptr (CapraArray) labels = mask ? capra_label (mask, &label, NULL, error) : NULL;

      if (turn > 0 && call->values)
        g_array_set_size (call->values, 0);
      if (!labels || !measure (&source, labels, error)
          || (turn == 0
              && !capra_threshold_clip_end (state, image, &options, CAPRA_U8, &mask, &replaced, &clip, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_sky (const BenchCall *call, GError **error)
{
  return find_sources (call, call->image, error);
}

/* Writes the image into the pinned memory from which the run uploads it. */
static gboolean
map_upload (const BenchCall *call, GError **error)
{
  gconstpointer from = capra_array_map_read (call->image, error);
  gpointer to = from ? capra_array_map_write (call->second, error) : NULL;

  if (to)
    memcpy (to, from, capra_shape_bytes (capra_array_get_shape (call->image)));
  return (!from || capra_array_unmap (call->image, error)) && to;
}

static gboolean
run_sky_upload (const BenchCall *call, GError **error)
{
  return capra_array_unmap (call->second, error) && find_sources (call, call->second, error);
}

/* What an integration of frames with that many entries of the matrix reads, relative to one f32 frame. */
#define EIGER(entries, entry_bytes, frames) \
  1, BENCH_EIGER_WIDTH, BENCH_EIGER_HEIGHT, 1, \
    (frames) + (double) (entries) * (entry_bytes) / (4.0 * BENCH_EIGER_WIDTH * BENCH_EIGER_HEIGHT)
#define AZIMUTHAL(name, splitting, entries, entry_bytes, frames) \
  { \
    name, "noise", bench_run_azimuthal, bench_prepare_azimuthal, BENCH_AZIMUTHAL (splitting, frames), \
      EIGER (entries, entry_bytes, frames) \
  }

#define IMAGE .channels = 1, .depth = 1
#define RGBA .channels = 4, .depth = 1

/* Multiply-adds for a value: of sampled Gaussians along both axes; of a matrix as a direct sum; of a matrix through
 * Fourier transforms of tiles of 64 x 64, two real tiles in one complex transform there and back of 5 n log n
 * operations, two of them to a multiply-add. */
#define SAMPLED(sigma) (2 * (8 * (sigma) + 1))
#define DIRECT(size) ((size) * (size))
#define FOURIER(size) (0.25 * (2 * 5 * 4096 * 12 + 6 * 4096) / ((65 - (size)) * (65 - (size))))

const BenchWorkload bench_workloads[] = {
  { "copy", "noise", run_copy, prepare_target, 0, IMAGE, .traffic = 2 },
  { "gaussian-1", "noise", run_gaussian, NULL, 1, IMAGE, .traffic = 2, .adds = SAMPLED (1) },
  { "gaussian-2", "noise", run_gaussian, NULL, 2, IMAGE, .traffic = 2, .adds = SAMPLED (2) },
  { "gaussian-5", "noise", run_gaussian, NULL, 5, IMAGE, .traffic = 2 },
  { "gaussian-10", "noise", run_gaussian, NULL, 10, IMAGE, .traffic = 2 },
  { "gaussian-20", "noise", run_gaussian, NULL, 20, IMAGE, .traffic = 2 },
  { "gaussian-50", "noise", run_gaussian, NULL, 50, IMAGE, .traffic = 2 },
  { "gaussian-100", "noise", run_gaussian, NULL, 100, IMAGE, .traffic = 2 },
  { "gaussian-20-volume", "noise", run_gaussian, NULL, 20, 1, 1000, 1000, 10, 2 },
  { "gaussian-1-rgba", "noise", run_gaussian, NULL, 1, RGBA, .traffic = 2, .adds = SAMPLED (1) },
  { "gaussian-2-rgba", "noise", run_gaussian, NULL, 2, RGBA, .traffic = 2, .adds = SAMPLED (2) },
  { "gaussian-5-rgba", "noise", run_gaussian, NULL, 5, RGBA, .traffic = 2 },
  { "gaussian-10-rgba", "noise", run_gaussian, NULL, 10, RGBA, .traffic = 2 },
  { "gaussian-20-rgba", "noise", run_gaussian, NULL, 20, RGBA, .traffic = 2 },
  { "gaussian-50-rgba", "noise", run_gaussian, NULL, 50, RGBA, .traffic = 2 },
  { "gaussian-100-rgba", "noise", run_gaussian, NULL, 100, RGBA, .traffic = 2 },
  { "gaussian-5-sampled", "noise", run_gaussian_sampled, NULL, 5, IMAGE, .traffic = 2, .adds = SAMPLED (5) },
  { "gaussian-20-sampled", "noise", run_gaussian_sampled, NULL, 20, IMAGE, .traffic = 2, .adds = SAMPLED (20) },
  { "box-15", "noise", run_box, NULL, 15, IMAGE, .traffic = 2 },
  { "box-100", "noise", run_box, NULL, 100, IMAGE, .traffic = 2 },
  { "box-500", "noise", run_box, NULL, 500, IMAGE, .traffic = 2 },
  { "box-1500", "noise", run_box, NULL, 1500, IMAGE, .traffic = 2 },
  { "box-15-rgba", "noise", run_box, NULL, 15, RGBA, .traffic = 2 },
  { "box-100-rgba", "noise", run_box, NULL, 100, RGBA, .traffic = 2 },
  { "convolve-3", "noise", run_convolve, NULL, 3, IMAGE, .traffic = 2, .adds = DIRECT (3) },
  { "convolve-5", "noise", run_convolve, NULL, 5, IMAGE, .traffic = 2, .adds = DIRECT (5) },
  { "convolve-7", "noise", run_convolve, NULL, 7, IMAGE, .traffic = 2, .adds = DIRECT (7) },
  { "convolve-9", "noise", run_convolve, NULL, 9, IMAGE, .traffic = 2, .adds = DIRECT (9) },
  { "convolve-11", "noise", run_convolve, NULL, 11, IMAGE, .traffic = 2, .adds = DIRECT (11) },
  { "convolve-15", "noise", run_convolve, NULL, 15, IMAGE, .traffic = 2, .adds = FOURIER (15) },
  { "convolve-31", "noise", run_convolve, NULL, 31, IMAGE, .traffic = 2, .adds = FOURIER (31) },
  { "convolve-7-rank-1", "noise", run_convolve_rank_1, NULL, 7, IMAGE, .traffic = 2, .adds = 2 * 7 },
  { "convolve-31-rank-1", "noise", run_convolve_rank_1, NULL, 31, IMAGE, .traffic = 2, .adds = 2 * 31 },
  { "convolve-4-stride-5", "noise", run_convolve_stride, NULL, 4, 1, 3000, 3000, 1, 1 + 1.0 / 25,
    .adds = DIRECT (4) / 25.0 },
  { "convolve-100-of-4-stride-5", "noise", run_convolve_many, NULL, 4, 1, 3000, 3000, 1, 1 + 100.0 / 25,
    .adds = 100 * DIRECT (4) / 25.0 },
  { "convolve-15-line", "noise", run_convolve, NULL, 15, 1, 4194304, 1, 1, 2, .adds = 15 },
  { "threshold", "noise", run_threshold, NULL, 0.5, IMAGE, .traffic = 2, .exact = TRUE },
  { "threshold-u8", "noise", run_threshold_u8, NULL, 0.5, IMAGE, .traffic = 1.25, .exact = TRUE },
  { "otsu", "noise", run_otsu, NULL, 0, IMAGE, .traffic = 3 },
  { "moments", "noise", run_statistics, NULL, CAPRA_STATISTICS_MOMENTS, IMAGE, .traffic = 1 },
  { "median", "noise", run_statistics, NULL, CAPRA_STATISTICS_MEDIAN, IMAGE, .traffic = 2 },
  { "label-blobs", "blobs", run_label, NULL, 8, IMAGE, .traffic = 2, .exact = TRUE },
  { "label-noise-50", "noise-50", run_label, NULL, 8, IMAGE, .traffic = 2, .exact = TRUE },
  { "label-noise-59", "noise-59", run_label, NULL, 8, IMAGE, .traffic = 2, .exact = TRUE },
  { "label-sparse", "sparse", run_label, NULL, 8, IMAGE, .traffic = 2, .exact = TRUE },
  { "label-full", "full", run_label, NULL, 8, IMAGE, .traffic = 2, .exact = TRUE },
  { "measure-blobs", "blobs", run_measure, prepare_labels, 0, IMAGE, .traffic = 2 },
  { "clip", "sky", run_clip, NULL, 0, IMAGE, .traffic = 2 },
  { "sky", "sky", run_sky, NULL, 0, IMAGE, .traffic = 5 },
  { "sky-upload", "sky", run_sky_upload, prepare_target, 0, IMAGE, .traffic = 5, .ready = map_upload },
  { "label-measure-blobs", "blobs", run_label_measure, NULL, 0, IMAGE, .traffic = 4 },
  AZIMUTHAL ("azimuthal-none-1", CAPRA_AZIMUTHAL_SPLIT_NONE, 4235360, 4, 1),
  AZIMUTHAL ("azimuthal-none-8", CAPRA_AZIMUTHAL_SPLIT_NONE, 4235360, 4, 8),
  AZIMUTHAL ("azimuthal-bbox-1", CAPRA_AZIMUTHAL_SPLIT_BBOX, 6063047, 8, 1),
  AZIMUTHAL ("azimuthal-bbox-8", CAPRA_AZIMUTHAL_SPLIT_BBOX, 6063047, 8, 8),
  AZIMUTHAL ("azimuthal-full-1", CAPRA_AZIMUTHAL_SPLIT_FULL, 6062907, 8, 1),
  AZIMUTHAL ("azimuthal-full-8", CAPRA_AZIMUTHAL_SPLIT_FULL, 6062907, 8, 8),
  /* Four of 32 bit planes are read. */
  { "bitshuffle-8", "noise", bench_run_bitshuffle, bench_prepare_bitshuffle, 8, 1, BENCH_EIGER_WIDTH,
    BENCH_EIGER_HEIGHT, 1, 8 + 8 * 4.0 / 32, .exact = TRUE },
};
const guint bench_n_workloads = G_N_ELEMENTS (bench_workloads);
