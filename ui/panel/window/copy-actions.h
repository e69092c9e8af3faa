/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copy-actions: actions of a window that copy its steps as text. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/* Adds the actions copy-command, copy-script-fu and copy-xml. */
void capra_copy_actions_add (GtkApplicationWindow *window, CapraDocument *document);

G_END_DECLS
