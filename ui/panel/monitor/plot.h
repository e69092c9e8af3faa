/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot: stacked areas and a line over the last minute. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/widgets/draw.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_PLOT (capra_plot_get_type ())
G_DECLARE_FINAL_TYPE (CapraPlot, capra_plot, CAPRA, PLOT, GtkWidget)

#define CAPRA_PLOT_AREAS 3

/**
 * capra_plot_new:
 * @colors: of the areas, from the bottom
 * @line: of the line
 */
GtkWidget *capra_plot_new (const CapraPaletteColor colors[CAPRA_PLOT_AREAS], CapraPaletteColor line);

/**
 * capra_plot_add:
 * @areas: bytes of the stacked areas
 * @line: bytes of the line, 0 for none
 *
 * Adds a sample with the current time. Samples older than a minute are removed.
 */
void capra_plot_add (CapraPlot *plot, const guint64 areas[CAPRA_PLOT_AREAS], guint64 line);

G_END_DECLS
