/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessible: accessible names and actions that GTK 4.8 does not set itself. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Sets the names of buttons inside @root: their labels without mnemonic underlines, "Close" for those that close a bar,
 * and for those inside of menu buttons and drop-downs, which take the focus, the names of these. Lists inside of rows,
 * of groups without a title and of tables have the names of these, and check buttons an action. */
void capra_accessible_complete (GtkWidget *root);

G_END_DECLS
