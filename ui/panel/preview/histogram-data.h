/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-data: counts the values of a pipeline's result in a thread, in a reduced image. */
#pragma once

#include <gio/gio.h>

#include "ui/panel/preview/pyramid.h"

G_BEGIN_DECLS

/**
 * CapraHistogramData:
 * @counts: %CAPRA_HISTOGRAM_BINS counts per channel, channel after channel
 * @low: where the first bin starts: the minimum, or 0 if that is less
 * @high: where the last bin ends: the maximum, or 1 if that is greater
 */
typedef struct {
  guint64 *counts;
  guint channels;
  double low, high;
} CapraHistogramData;

void capra_histogram_data_free (CapraHistogramData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraHistogramData, capra_histogram_data_free)

/**
 * capra_histogram_data_compute_async:
 * @steps: (element-type CapraStep): copies
 * @format: format of the values to count, in floats, such as "Y float"
 */
void capra_histogram_data_compute_async (CapraPyramid *pyramid, GPtrArray *steps, const char *format,
                                         GAsyncReadyCallback callback, gpointer data);
CapraHistogramData *capra_histogram_data_compute_finish (GAsyncResult *result);

G_END_DECLS
