/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-pages: the pages of the sidebar, and what lies over the image. */
#include <glib/gi18n-lib.h>

#include "window-private.h"

void
capra_panel_window_add_pages (CapraPanelWindow *self)
{
}
