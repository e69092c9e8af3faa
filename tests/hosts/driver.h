/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drivers are GTK modules that operate GIMP's windows like a user. AT-SPI cannot be used, since GTK 2 no longer has a
 * bridge to it. Keys and clicks from other programs depend on focus and layout.
 *
 * CAPRA_DRIVER_STEPS: the steps, separated by "|". The step "@action" starts the plug-in, whose panel is operated by
 * panel-driver.c. "@action;delete-layer" deletes the layer while the panel is open, and restores it. "@action;cancel"
 * cancels the computation in GIMP's status bar, before the steps are applied again.
 * CAPRA_DRIVER_SCREENSHOT: the path of screenshots without ".png": PATH.png is the resulting image, PATH-panel.png,
 * PATH-lost.png, PATH-held.png and PATH-canceled.png the panel, and PATH-wrong.png the state when a check failed.
 * CAPRA_DRIVER_SIGNAL_FILE: a file that panel-driver.c creates when a screenshot can be taken.
 *
 * The image's window is identified by its title, which must contain "capra-test" (image-title-format).
 * When all steps succeed, a driver prints "driver: done". Otherwise it prints "driver: " and the reason, and exits. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DRIVER_DIALOG_X 860 /* where dialogs are placed, next to the image window */

void gtk_module_init (gint *argc, gchar ***argv);

/* Runs @drive when GIMP has opened the image and is idle; only then can it run nested main loops. */
void driver_start (GSourceFunc drive);
/* Moves and resizes the image window. Returns: its canvas */
GtkWidget *driver_prepare (GtkWidget **window);
/* Saves the image and quits. */
void driver_end (GtkWidget *window);

void driver_fail (const char *format, ...) G_GNUC_NORETURN G_GNUC_PRINTF (1, 2);
/* Waits until GIMP has rendered, which it does in idle callbacks. */
void driver_wait_until_quiet (void);

/* The first widget in @root that is accepted; waits for it. */
typedef gboolean (*DriverAccept) (GtkWidget *widget, const char *text);
GtkWidget *driver_wait_for (GtkWidget *root, DriverAccept accept, const char *text);
gboolean driver_is_type (GtkWidget *widget, const char *name);
GtkWidget *driver_find_window (const char *role, const char *title);
GtkWidget *driver_wait_for_window (const char *role, const char *title);
/* Activates an action of GIMP by the name used in menus; waits until it is sensitive. */
void driver_activate (GtkWidget *window, const char *action);

/* A screenshot of @widget; of the whole screen if it is %NULL. */
GdkPixbuf *driver_look_at (GtkWidget *widget);
/* Waits until the canvas is equal to @like, or no longer equal. */
GdkPixbuf *driver_wait_for_look (GtkWidget *canvas, GdkPixbuf *like, gboolean same, const char *what);
void driver_save_screen (const char *what);

/* Runs Capra's plug-in until the panel has applied the steps. Checks that one undo step restores the image, and that
 * the filter can be repeated. */
void driver_run_plug_in (GtkWidget *window, GtkWidget *canvas, const char *step);

G_END_DECLS
