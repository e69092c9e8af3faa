/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram: a histogram of values, with a threshold that can be dragged. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraHistogram:
 *
 * Property: "value" (double), the threshold, %NAN for none. Signal "value-changed" (double): the user moved the
 * threshold with the pointer or the keyboard; setting the property does not emit it.
 */
#define CAPRA_TYPE_HISTOGRAM (capra_histogram_get_type ())
G_DECLARE_FINAL_TYPE (CapraHistogram, capra_histogram, CAPRA, HISTOGRAM, GtkWidget)

#define CAPRA_HISTOGRAM_BINS 256

GtkWidget *capra_histogram_new (void);

/**
 * capra_histogram_set_counts:
 * @counts: (nullable): %CAPRA_HISTOGRAM_BINS counts per channel, channel after channel; %NULL to show nothing
 * @channels: 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 (red, green, blue, alpha); alpha is not drawn
 * @low: where the first bin starts
 * @high: where the last bin ends
 */
void capra_histogram_set_counts (CapraHistogram *histogram, const guint64 *counts, guint channels, double low,
                                 double high);

void capra_histogram_set_value (CapraHistogram *histogram, double value);
double capra_histogram_get_value (CapraHistogram *histogram);

G_END_DECLS
