/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-bars: the counts of a histogram, and how they are drawn. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CAPRA_HISTOGRAM_BINS 256
#define CAPRA_HISTOGRAM_ALL (-1) /* all channels together */

/**
 * CapraHistogramBars:
 * @channels: 0 (nothing), 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 (red, green, blue, alpha)
 * @gray: whether the channels red, green and blue are equal: all together are drawn and counted as one
 * @shown: the channel that is drawn, or %CAPRA_HISTOGRAM_ALL; alpha is not drawn then
 * @logarithmic: whether heights are logarithms of the counts
 */
typedef struct {
  guint64 counts[4][CAPRA_HISTOGRAM_BINS];
  guint channels;
  gboolean gray;
  int shown;
  gboolean logarithmic;
} CapraHistogramBars;

/* @counts: (nullable): of the channels one after another */
void capra_histogram_bars_set (CapraHistogramBars *bars, const guint64 *counts, guint channels, gboolean gray);

/* The number of values in @bin, and (out) in all bins and in those below @bin, of the channels that are shown. */
guint64 capra_histogram_bars_count (const CapraHistogramBars *bars, guint bin, guint64 *total, guint64 *below);

/* Draws the bars between @left and @left + @width, from @height upwards. */
void capra_histogram_bars_draw (const CapraHistogramBars *bars, GtkWidget *widget, GtkSnapshot *snapshot, double left,
                                double width, double height);

G_END_DECLS
