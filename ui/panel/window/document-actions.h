/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Document-actions: actions of a window that change its document. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/**
 * capra_document_actions_add:
 * @hosted: whether the image belongs to a host; then no other image can be opened
 *
 * Adds the actions open, open-graph, save-graph, undo, redo, paste-steps and data.
 */
void capra_document_actions_add (GtkApplicationWindow *window, CapraDocument *document, gboolean hosted);

G_END_DECLS
