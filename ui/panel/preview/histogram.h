/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram: a histogram of values, with a threshold that can be dragged. */
#pragma once

#include "ui/panel/preview/histogram-bars.h"

G_BEGIN_DECLS

/**
 * CapraHistogram:
 *
 * Properties: "value" (double): the threshold, %NAN for none; "method" (string, nullable): how the threshold was found,
 * %NULL if the user has set it; "scale" (string, nullable): the name of the scale of values; "logarithmic" (boolean):
 * whether heights are logarithms of the counts; "channel" (int): the channel that is shown, or %CAPRA_HISTOGRAM_ALL;
 * "dragging" (boolean, read-only): whether the user drags the threshold; "pointer-text" (string, nullable, read-only):
 * value and count under the pointer.
 *
 * Signal "value-changed" (double): the user moved the threshold with the pointer or the keyboard; setting the property
 * does not emit it.
 */
#define CAPRA_TYPE_HISTOGRAM (capra_histogram_get_type ())
G_DECLARE_FINAL_TYPE (CapraHistogram, capra_histogram, CAPRA, HISTOGRAM, GtkWidget)

GtkWidget *capra_histogram_new (void);

/**
 * capra_histogram_set_counts:
 * @counts: (nullable): %CAPRA_HISTOGRAM_BINS counts per channel, channel after channel; %NULL to show nothing
 * @channels: 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 (red, green, blue, alpha); alpha is not drawn
 * @gray: whether red, green and blue are equal: all together are shown as one
 * @low: where the first bin starts
 * @high: where the last bin ends
 *
 * Each count stands for one pixel until capra_histogram_set_pixels().
 */
void capra_histogram_set_counts (CapraHistogram *histogram, const guint64 *counts, guint channels, gboolean gray,
                                 double low, double high);

/* Each count stands for this number of pixels, on average. */
void capra_histogram_set_pixels (CapraHistogram *histogram, double pixels);
/* Lines are drawn there; NaN are left out. */
void capra_histogram_set_percentiles (CapraHistogram *histogram, const double *values, guint n);

void capra_histogram_set_value (CapraHistogram *histogram, double value);
double capra_histogram_get_value (CapraHistogram *histogram);

G_END_DECLS
