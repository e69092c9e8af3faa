/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rename-popover: changes the name of a step. */
#pragma once

#include <gtk/gtk.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Returns: a GtkPopover. The name is set when the user confirms it; an empty one restores the operation's title. */
GtkWidget *capra_rename_popover_new (CapraStep *step);

G_END_DECLS
