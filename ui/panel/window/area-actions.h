/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area-actions: actions of a window that move the focus between its areas and show the pages of the sidebar. */
#pragma once

#include <adwaita.h>

#include "ui/panel/window/sidebar.h"

G_BEGIN_DECLS

/**
 * capra_area_actions_add:
 * @header: the bar above the other areas
 * @picture: the area of the image
 * @flap: contains @sidebar
 *
 * Adds "show-page" with the name of a page, "next-area" and "previous-area".
 */
void capra_area_actions_add (GtkApplicationWindow *window, GtkWidget *header, GtkWidget *picture, AdwFlap *flap,
                             CapraSidebar *sidebar);

G_END_DECLS
