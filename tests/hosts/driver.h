/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drivers are GTK modules that operate GIMP's windows like a user. GTK 2 has no bridge to AT-SPI any
 * more, and keys and clicks from outside depend on focus and layout; widgets do not.
 *
 * CAPRA_DRIVER_STEPS: what to do, separated by "|". A step "@action" starts our plug-in, whose panel
 * panel-driver.c works; "@action;lose" deletes the layer while the panel is open, and brings it back;
 * "@action;cancel" cancels the panel's work in GIMP's status bar, before it is done again.
 * CAPRA_DRIVER_SCREENSHOT: where pictures of the screen go: PATH.png, what became of the image,
 * PATH-panel.png, PATH-lost.png, PATH-held.png and PATH-cancelled.png, the panel, and PATH-wrong.png, what should have
 * looked otherwise.
 * CAPRA_DRIVER_MEETING: a file that panel-driver.c makes when a picture of it can be taken.
 *
 * The image's window is known by its title, which must contain "capra-test" (image-title-format).
 * A driver ends with a line "driver: done" on standard output, or ends GIMP with "driver: what failed". */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DRIVER_DIALOG_X 860 /* where dialogs are placed, next to the image window */

void gtk_module_init (gint *argc, gchar ***argv);

/* Runs @drive when GIMP has opened the image and is idle; only then can it run nested main loops. */
void driver_start (GSourceFunc drive);
/* Moves the image window to its place. Returns: its canvas */
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

/* Runs Capra's plug-in, which shows its panel until the steps are applied: as one undo step, repeatable. */
void driver_run_plug_in (GtkWidget *window, GtkWidget *canvas, const char *step);

G_END_DECLS
