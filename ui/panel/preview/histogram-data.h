/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-data: counts the values of a pipeline's result in a thread. */
#pragma once

#include <gio/gio.h>

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/preview/value-sample.h"

G_BEGIN_DECLS

/* The percentiles that are found. */
#define CAPRA_HISTOGRAM_PERCENTILES ((const double[]){ 1.0, 50.0, 99.0 })
#define CAPRA_HISTOGRAM_N_PERCENTILES 3

/**
 * CapraHistogramData:
 * @counts: %CAPRA_HISTOGRAM_BINS counts per channel, channel after channel
 * @low: where the first bin starts: the minimum, or 0 if that is less
 * @high: where the last bin ends: the maximum, or 1 if that is greater
 * @gray: whether the channels but alpha are equal, to what is shown of them
 * @percentiles: of each channel, exact for the counted pixels, channel after channel; NaN without finite values
 * @pixels: the number of pixels in the image per counted pixel: 1 if all were counted, more if the image is so large
 *   that a sample of its pixels was counted, or the result for a reduced image
 * @reduced: whether they are the result for a reduced image, of which capra_preview_set_sample() gives own pixels
 */
typedef struct {
  guint64 *counts;
  guint channels;
  gboolean gray;
  double low, high;
  double *percentiles;
  double pixels;
  gboolean reduced;
} CapraHistogramData;

void capra_histogram_data_free (CapraHistogramData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraHistogramData, capra_histogram_data_free)

/* The format @name of the values of @image and of the results of steps over it. */
const Babl *capra_histogram_data_get_format (GeglBuffer *image, const char *name);

/**
 * capra_histogram_data_compute_async:
 * @steps: (element-type CapraStep): copies
 * @written: whether the result is written into the image first, if that is a host's layer
 * @format: format of the values to count, in floats, such as "Y float"
 *
 * Counts soon: the result of steps over a large image is computed for a reduced one.
 */
void capra_histogram_data_compute_async (CapraPyramid *pyramid, GPtrArray *steps, gboolean written, const char *format,
                                         GAsyncReadyCallback callback, gpointer data);
/* Counts the values of a sample; no other thread changes it. */
void capra_histogram_data_count_async (CapraValueSample *sample, GAsyncReadyCallback callback, gpointer data);
CapraHistogramData *capra_histogram_data_compute_finish (GAsyncResult *result);

G_END_DECLS
