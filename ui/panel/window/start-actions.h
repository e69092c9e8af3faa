/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-actions: opens the image in the clipboard, files that are dropped on a window, or a sample image. */
#pragma once

#include "ui/panel/window/document.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds "paste-image", also on Ctrl+V outside of texts, and "open-sample" with the name of a CapraSampleImage. */
void capra_start_actions_add (GtkApplicationWindow *window, CapraDocument *document);
/* Opens files that are dropped on the widget; all but the first in windows of their own. */
void capra_start_actions_accept_files (GtkWidget *widget, CapraDocument *document);

G_END_DECLS
