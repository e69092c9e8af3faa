/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel of GIMP's plug-in, for libraries that are preloaded into its process, since GTK 4 does not load modules.
 * They are not linked to GTK, since GIMP also loads them and uses another version of GTK. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PANEL_POLL_INTERVAL 50 /* ms */

typedef gboolean (*PanelAccept) (GtkWidget *widget, const char *text);

/* Calls @poll every PANEL_POLL_INTERVAL in the process of the plug-in, until it returns G_SOURCE_REMOVE. */
void panel_start_polling (GSourceFunc poll);

/* The panel's window; NULL before it is displayed, and in processes without a panel. */
GtkWidget *panel_find_window (void);

/* The first mapped widget of @widget and its descendants that @accept takes, or NULL. */
GtkWidget *panel_find (GtkWidget *widget, PanelAccept accept, const char *text);

gboolean panel_is_type (GtkWidget *widget, const char *name);
/* A label that contains @text. */
gboolean panel_is_label (GtkWidget *widget, const char *text);

/* Whether the steps are rendered: the status bar then shows the time. */
gboolean panel_is_complete (GtkWidget *panel);

G_END_DECLS
