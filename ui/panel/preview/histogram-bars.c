/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-bars: the counts of a histogram, and how they are drawn. */
#include "ui/panel/preview/histogram-bars.h"

#include <math.h>
#include <string.h>

#include "ui/panel/widgets/draw.h"

#define BINS CAPRA_HISTOGRAM_BINS

static gboolean
is_color (const CapraHistogramBars *bars)
{
  return bars->channels >= 3;
}

static gboolean
is_shown (const CapraHistogramBars *bars, guint channel)
{
  if (!is_color (bars))
    return channel == 0 && bars->channels > 0;
  if (bars->shown != CAPRA_HISTOGRAM_ALL)
    return channel == (guint) bars->shown;
  return bars->gray ? channel == 0 : channel < 3;
}

static gboolean
is_colored (const CapraHistogramBars *bars, guint channel)
{
  return is_color (bars) && channel < 3 && !(bars->gray && bars->shown == CAPRA_HISTOGRAM_ALL);
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* Returns: the count of a bar as high as the widget. Heights that are proportional to counts end at 1.5 times the
 * 97.5th percentile, so that a few very large counts (a black background, an image with two colors) do not flatten all
 * others. */
static guint64
get_highest (const CapraHistogramBars *bars)
{
  guint64 sorted[4 * BINS], most;
  guint n = 0;

  for (guint c = 0; c < 4; c++)
    for (guint i = 0; i < BINS && is_shown (bars, c); i++)
      if (bars->counts[c][i] > 0)
        sorted[n++] = bars->counts[c][i];
  if (n == 0)
    return 0;
  qsort (sorted, n, sizeof *sorted, compare_counts);
  most = sorted[n - 1];
  return bars->logarithmic ? most : MIN (most, sorted[(guint) ceil (0.975 * (n - 1))] * 3 / 2);
}

/* From 0 to 1. A single value is visible on a logarithmic scale. */
static double
get_share (const CapraHistogramBars *bars, guint64 count, guint64 most)
{
  if (most == 0)
    return 0;
  return bars->logarithmic ? log1p ((double) count) / log1p ((double) most) : MIN ((double) count / (double) most, 1);
}

static void
draw_channel (const CapraHistogramBars *bars, cairo_t *cr, guint channel, double left, double width, double height,
              const GdkRGBA *color)
{
  double step = width / BINS;
  guint64 most = get_highest (bars);

  cairo_move_to (cr, left, height);
  for (guint i = 0; i < BINS; i++)
    {
      double y = height * (1 - get_share (bars, bars->counts[channel][i], most));

      cairo_line_to (cr, left + i * step, y);
      cairo_line_to (cr, left + (i + 1) * step, y);
    }
  cairo_line_to (cr, left + BINS * step, height);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_fill (cr);
}

void
capra_histogram_bars_draw (const CapraHistogramBars *bars, GtkWidget *widget, GtkSnapshot *snapshot, double left,
                           double width, double height)
{
  static const GdkRGBA rgb[3] = { { 0.88f, 0.11f, 0.14f, 0.55f },
                                  { 0.15f, 0.64f, 0.41f, 0.55f },
                                  { 0.21f, 0.52f, 0.89f, 0.55f } };
  GdkRGBA gray = capra_draw_foreground (widget, 0.55);
  cairo_t *cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) (left + width + 1), (float) MAX (height, 1)));

  for (guint c = 0; c < 4; c++)
    if (is_shown (bars, c))
      draw_channel (bars, cr, c, left, width, height, is_colored (bars, c) ? &rgb[c] : &gray);
  cairo_destroy (cr);
}

void
capra_histogram_bars_set (CapraHistogramBars *bars, const guint64 *counts, guint channels, gboolean gray)
{
  bars->channels = counts ? channels : 0;
  bars->gray = gray;
  memset (bars->counts, 0, sizeof bars->counts);
  if (counts)
    memcpy (bars->counts, counts, channels * sizeof bars->counts[0]);
}

guint64
capra_histogram_bars_count (const CapraHistogramBars *bars, guint bin, guint64 *total, guint64 *below)
{
  guint64 count = 0;

  *total = *below = 0;
  for (guint c = 0; c < 4; c++)
    for (guint i = 0; i < BINS && is_shown (bars, c); i++)
      {
        *total += bars->counts[c][i];
        if (i < bin)
          *below += bars->counts[c][i];
        else if (i == bin)
          count += bars->counts[c][i];
      }
  return count;
}
