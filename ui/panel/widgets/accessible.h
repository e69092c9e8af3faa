/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessible: names for assistive tools that GTK 4.8 does not give by itself. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Names the buttons within @root by their labels without the underlines of their keys, and those that
 * close a bar. */
void capra_accessible_name_buttons (GtkWidget *root);

G_END_DECLS
