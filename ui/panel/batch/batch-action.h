/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-action: the action of a window that applies its steps to many files. */
#pragma once

#include "ui/panel/widgets/task-button.h"
#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/* Adds the action apply-to-many. @tasks: also shows the progress */
void capra_batch_action_add (GtkApplicationWindow *window, CapraDocument *document, CapraTaskButton *tasks);

G_END_DECLS
