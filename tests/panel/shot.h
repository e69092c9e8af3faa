/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of widgets and of the panel: windows under Xvfb, waiting, screenshots. */
#pragma once

#include <adwaita.h>

#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"

G_BEGIN_DECLS

#define SHOT_TIMEOUT (60 * G_TIME_SPAN_SECOND)

/* Runs the main context until @condition is true. Fails the test after SHOT_TIMEOUT. */
#define SHOT_WAIT_FOR(condition) \
  { \
    gint64 end_ = g_get_monotonic_time () + SHOT_TIMEOUT; \
    while (!(condition) && g_get_monotonic_time () < end_) \
      if (!g_main_context_iteration (NULL, FALSE)) \
        g_usleep (2000); \
    g_assert_true (condition); \
  }

/* Initializes GLib's tests, GEGL and the panel, with the settings of a new folder. Returns that (transfer full), for
 * shot_remove(). @name: of the test */
char *shot_init (int *argc, char ***argv, const char *name);

/* Removes a folder and its contents. */
void shot_remove (const char *path);

/* Runs the main context for @seconds. */
void shot_rest (double seconds);

/* Opens a window of this size that contains @child. */
GtkWidget *shot_window (GtkWidget *child, int width, int height);

/* Opens a window of the panel on @image, and waits until it has its size. */
CapraPanelWindow *shot_open (GeglBuffer *image, const char *name);

/* Destroys the window, and waits until it is freed and no worker uses GEGL. */
void shot_close (GtkWidget *window);

/* Starts the panel's application, which opens a window. */
CapraPanelApplication *shot_start (void);
guint shot_count_windows (CapraPanelApplication *application);
/* Quits the application, waits for its windows and workers, and frees it. */
void shot_quit (CapraPanelApplication *application);

/* Whether the whole view was rendered from the image at full size. */
gboolean shot_is_complete (CapraPanelWindow *window);
/* Whether the window shows a label that contains @text. */
gboolean shot_shows (CapraPanelWindow *window, const char *text);
/* Appends a step, which the pipeline holds. */
CapraStep *shot_add_step (CapraPanelWindow *window, const char *operation);

/* What the widget shows. Waits for its first frame and for a pending layout. */
GdkTexture *shot_draw (GtkWidget *widget);
/* The same as ARGB32. Free with g_free(). */
guint32 *shot_draw_pixels (GtkWidget *widget, int *width, int *height);

/* Saves screenshots NAME-light.png and NAME-dark.png of the window in the build folder. */
void shot_take (GtkWidget *window, const char *name);

/* The first descendant of @widget that is of @type, or NULL. */
GtkWidget *shot_find (GtkWidget *widget, GType type);
/* The button or the switch labeled @label below @widget. */
GtkWidget *shot_find_button (GtkWidget *widget, const char *label);
/* The button with the icon @icon below @widget. */
GtkWidget *shot_find_icon (GtkWidget *widget, const char *icon);
/* The event controller of this type that @widget has, which must exist. */
gpointer shot_find_controller (gpointer widget, GType type);
/* The first label below @widget whose text contains @text. */
GtkWidget *shot_find_label (GtkWidget *widget, const char *text);
/* Asserts that no two labels that are shown in @window have the same mnemonic. */
void shot_assert_mnemonics (GtkWidget *window);

G_END_DECLS
