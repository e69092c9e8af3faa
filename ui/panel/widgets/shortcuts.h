/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortcuts: the keys of the panel, in one table for what they do and for the window that lists them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For the actions of windows and of the application. */
void capra_shortcuts_set_accels (GtkApplication *application);
/* For the actions of steps, in the class of their rows: all keys but those of an action with a @callback of its own. */
void capra_shortcuts_add_step_bindings (GtkWidgetClass *klass, const char *action, GtkShortcutFunc callback);
/* Returns: (transfer full): the first key of this action, which calls @callback */
GtkShortcut *capra_shortcuts_new (const char *action, GtkShortcutFunc callback, gpointer data);
/* Returns: (transfer full): the first key of this action, as people read it */
char *capra_shortcuts_dup_label (const char *action);
/* Returns: (transfer full): a window that lists all keys. @narrow: whether two columns are too wide */
GtkShortcutsWindow *capra_shortcuts_window_new (gboolean narrow);

G_END_DECLS
