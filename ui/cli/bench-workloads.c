/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of `capra bench`: one call of libcapra each. */
#include <math.h>

#include "bench-workloads.h"

static gboolean
finish (CapraArray *result)
{
  if (result)
    capra_array_unref (result);
  return result != NULL;
}

static gboolean
run_copy (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  return capra_array_copy (second, image, error);
}

static CapraArray *
prepare_target (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  return capra_array_new (capra_array_get_device (image), capra_array_get_shape (image), error);
}

static gboolean
run_gaussian (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  gboolean line = capra_array_get_shape (image)->height == 1;
  const double sigma[] = { workload->parameter, line ? 0 : workload->parameter, 0 };

  return finish (capra_gaussian_blur (image, sigma, CAPRA_GAUSSIAN_TRUNCATE, CAPRA_BORDER_MIRROR,
                                      NULL, error));
}

/* Not truncated. */
static gboolean
run_gaussian_full (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  const double sigma[] = { workload->parameter, workload->parameter, 0 };

  return finish (capra_gaussian_blur (image, sigma, 0, CAPRA_BORDER_MIRROR, NULL, error));
}

static gboolean
run_box (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  int radius = (int) workload->parameter;

  return finish (capra_box_blur (image, (const int[]) { radius, radius, 0 }, CAPRA_BORDER_MIRROR,
                                 NULL, error));
}

/* A matrix of that size without symmetry: of full rank, or of rank 1. */
static CapraMatrix *
make_matrix (int width, int height, gboolean rank_1)
{
  CapraMatrix *matrix = capra_matrix_new (width, height);

  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      matrix->values[j * width + i]
        = rank_1 ? (1.0 + i % 5) * (2.0 + j % 3) : 0.1 + fmod ((i * 7919 + j * 104729) * 0.618034, 1.0);
  return matrix;
}

static gboolean
convolve (CapraArray *image, int width, int height, gboolean rank_1, int stride, GError **error)
{
  g_autoptr(CapraMatrix) matrix = make_matrix (width, height, rank_1);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.divisor = 0;
  options.border = CAPRA_BORDER_MIRROR;
  options.stride_x = options.stride_y = stride;
  if (stride > 1)
    options.extent = CAPRA_EXTENT_VALID;
  return finish (capra_convolve (image, matrix, &options, NULL, error));
}

static gboolean
run_convolve (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  int size = (int) workload->parameter;

  return convolve (image, size, capra_array_get_shape (image)->height > 1 ? size : 1, FALSE, 1, error);
}

static gboolean
run_convolve_rank_1 (const BenchWorkload *workload, CapraArray *image, CapraArray *second,
                     GError **error)
{
  return convolve (image, (int) workload->parameter, (int) workload->parameter, TRUE, 1, error);
}

static gboolean
run_convolve_stride (const BenchWorkload *workload, CapraArray *image, CapraArray *second,
                     GError **error)
{
  return convolve (image, (int) workload->parameter, (int) workload->parameter, FALSE, 5, error);
}

static gboolean
run_threshold (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  return finish (capra_threshold (image, workload->parameter, INFINITY, error));
}

static gboolean
run_otsu (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  double value = 0;

  return finish (capra_threshold_auto (image, CAPRA_THRESHOLD_OTSU, &value, error));
}

static gboolean
run_statistics (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  CapraStatistics statistics;

  return capra_statistics (image, (CapraStatisticsFlags) workload->parameter, &statistics, error);
}

static gboolean
run_label (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  options.connectivity = (int) workload->parameter;
  return finish (capra_label (image, &options, NULL, error));
}

static CapraArray *
prepare_labels (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  return capra_label (image, &options, NULL, error);
}

static gboolean
run_measure (const BenchWorkload *workload, CapraArray *image, CapraArray *second, GError **error)
{
  GArray *regions = capra_measure (second, image, 0, 0, error);

  if (!regions)
    return FALSE;
  g_array_unref (regions);
  return TRUE;
}

static gboolean
run_label_measure (const BenchWorkload *workload, CapraArray *image, CapraArray *second,
                   GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr(CapraArray) labels = capra_label (image, &options, NULL, error);

  return labels && run_measure (workload, image, labels, error);
}

#define IMAGE .channels = 1, .depth = 1

const BenchWorkload bench_workloads[] = {
  { "copy", "noise", run_copy, prepare_target, 0, IMAGE, .traffic = 2 },
  { "gaussian-1", "noise", run_gaussian, NULL, 1, IMAGE, .traffic = 2 },
  { "gaussian-2", "noise", run_gaussian, NULL, 2, IMAGE, .traffic = 2 },
  { "gaussian-5", "noise", run_gaussian, NULL, 5, IMAGE, .traffic = 2 },
  { "gaussian-10", "noise", run_gaussian, NULL, 10, IMAGE, .traffic = 2 },
  { "gaussian-20", "noise", run_gaussian, NULL, 20, IMAGE, .traffic = 2 },
  { "gaussian-50", "noise", run_gaussian, NULL, 50, IMAGE, .traffic = 2 },
  { "gaussian-100", "noise", run_gaussian, NULL, 100, IMAGE, .traffic = 2 },
  { "gaussian-20-volume", "noise", run_gaussian, NULL, 20, 1, 1000, 1000, 10, 2 },
  { "gaussian-5-rgba", "noise", run_gaussian, NULL, 5, .channels = 4, .depth = 1, .traffic = 2 },
  { "gaussian-1-full", "noise", run_gaussian_full, NULL, 1, IMAGE, .traffic = 2 },
  { "gaussian-2-full", "noise", run_gaussian_full, NULL, 2, IMAGE, .traffic = 2 },
  { "gaussian-5-full", "noise", run_gaussian_full, NULL, 5, IMAGE, .traffic = 2 },
  { "gaussian-10-full", "noise", run_gaussian_full, NULL, 10, IMAGE, .traffic = 2 },
  { "gaussian-20-full", "noise", run_gaussian_full, NULL, 20, IMAGE, .traffic = 2 },
  { "gaussian-50-full", "noise", run_gaussian_full, NULL, 50, IMAGE, .traffic = 2 },
  { "gaussian-100-full", "noise", run_gaussian_full, NULL, 100, IMAGE, .traffic = 2 },
  { "gaussian-20-volume-full", "noise", run_gaussian_full, NULL, 20, 1, 1000, 1000, 10, 2 },
  { "gaussian-5-rgba-full", "noise", run_gaussian_full, NULL, 5, .channels = 4, .depth = 1, .traffic = 2 },
  { "gaussian-20-rgba-full", "noise", run_gaussian_full, NULL, 20, .channels = 4, .depth = 1, .traffic = 2 },
  { "box-15", "noise", run_box, NULL, 15, IMAGE, .traffic = 2 },
  { "box-100", "noise", run_box, NULL, 100, IMAGE, .traffic = 2 },
  { "convolve-3", "noise", run_convolve, NULL, 3, IMAGE, .traffic = 2 },
  { "convolve-5", "noise", run_convolve, NULL, 5, IMAGE, .traffic = 2 },
  { "convolve-7", "noise", run_convolve, NULL, 7, IMAGE, .traffic = 2 },
  { "convolve-15", "noise", run_convolve, NULL, 15, IMAGE, .traffic = 2 },
  { "convolve-31", "noise", run_convolve, NULL, 31, IMAGE, .traffic = 2 },
  { "convolve-31-rank-1", "noise", run_convolve_rank_1, NULL, 31, IMAGE, .traffic = 2 },
  { "convolve-4-stride-5", "noise", run_convolve_stride, NULL, 4, 1, 3000, 3000, 1, 1 + 1.0 / 25 },
  { "convolve-15-line", "noise", run_convolve, NULL, 15, 1, 4194304, 1, 1, 2 },
  { "threshold", "noise", run_threshold, NULL, 0.5, IMAGE, .traffic = 2 },
  { "otsu", "noise", run_otsu, NULL, 0, IMAGE, .traffic = 3 },
  { "moments", "noise", run_statistics, NULL, CAPRA_STATISTICS_MOMENTS, IMAGE, .traffic = 1 },
  { "median", "noise", run_statistics, NULL, CAPRA_STATISTICS_MEDIAN, IMAGE, .traffic = 2 },
  { "label-blobs", "blobs", run_label, NULL, 8, IMAGE, .traffic = 2 },
  { "label-noise-50", "noise-50", run_label, NULL, 8, IMAGE, .traffic = 2 },
  { "label-noise-59", "noise-59", run_label, NULL, 8, IMAGE, .traffic = 2 },
  { "label-sparse", "sparse", run_label, NULL, 8, IMAGE, .traffic = 2 },
  { "label-full", "full", run_label, NULL, 8, IMAGE, .traffic = 2 },
  { "measure-blobs", "blobs", run_measure, prepare_labels, 0, IMAGE, .traffic = 2 },
  { "label-measure-blobs", "blobs", run_label_measure, NULL, 0, IMAGE, .traffic = 4 },
};
const guint bench_n_workloads = G_N_ELEMENTS (bench_workloads);
