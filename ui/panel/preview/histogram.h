/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram: how often values occur, with a threshold on it that can be dragged. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraHistogram:
 *
 * Properties: "value" (double), the threshold, %NAN for none; "logarithmic" (boolean), whether heights are
 * logarithms of counts. Signal "value-changed" (double): the person moved the threshold, by dragging or by
 * the arrow keys; setting the property does not emit it.
 */
#define CAPRA_TYPE_HISTOGRAM (capra_histogram_get_type ())
G_DECLARE_FINAL_TYPE (CapraHistogram, capra_histogram, CAPRA, HISTOGRAM, GtkWidget)

#define CAPRA_HISTOGRAM_BINS 256

GtkWidget *capra_histogram_new (void);

/**
 * capra_histogram_set_bins:
 * @bins: (nullable): @channels times 256 counts, channel after channel; %NULL for nothing to show
 * @channels: 1 (grey) to 4 (red, green, blue, alpha, which is not drawn); 2 are grey and alpha
 * @low: the value where the first bin begins
 * @high: the value where the last bin ends
 */
void capra_histogram_set_bins (CapraHistogram *histogram, const guint64 *bins, guint channels, double low, double high);

void capra_histogram_set_value (CapraHistogram *histogram, double value);
double capra_histogram_get_value (CapraHistogram *histogram);

G_END_DECLS
