/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Status-bar: the bar below the image: pixel values, time, comparison and zoom. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraStatusBar:
 *
 * Its buttons activate actions of the window: win.compare, win.stretch, win.limits and win.zoom-….
 *
 * Properties: "pointer-text" (string): values under the pointer, in two lines; "time-text" (string): duration, or
 * what is being prepared; "busy" (boolean): whether the spinner is spinning; "scale" (double): pixels of the screen
 * per pixel of the image; "show-original" (boolean): %TRUE while its button is pressed.
 */
#define CAPRA_TYPE_STATUS_BAR (capra_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (CapraStatusBar, capra_status_bar, CAPRA, STATUS_BAR, GtkWidget)

void capra_status_bar_set_pointer_text (CapraStatusBar *bar, const char *text);
void capra_status_bar_set_time_text (CapraStatusBar *bar, const char *text);
void capra_status_bar_set_busy (CapraStatusBar *bar, gboolean busy);
/* @name: (nullable): of the curve; %NULL if values are shown as colors */
void capra_status_bar_set_stretch (CapraStatusBar *bar, const char *name);
void capra_status_bar_show_stretch_menu (CapraStatusBar *bar);

G_END_DECLS
