/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidebar-width: a narrow window has a narrow sidebar. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The width of @sidebar, which is realized and in an AdwFlap, follows the width of its window from now on. */
void capra_sidebar_width_follow (GtkWidget *sidebar);

G_END_DECLS
