/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-actions: actions of a window that open the image in the clipboard or a sample image. */
#pragma once

#include "ui/panel/window/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds "paste-image", also on Ctrl+V outside of texts, and "open-sample" with the name of a CapraSampleImage. */
void capra_start_actions_add (GtkApplicationWindow *window, CapraDocument *document);

G_END_DECLS
