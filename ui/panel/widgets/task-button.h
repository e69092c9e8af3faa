/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task-button: what is running, in a header bar: the progress, and a button to cancel it. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/widgets/task.h"

G_BEGIN_DECLS

/**
 * CapraTaskButton:
 *
 * Is visible while there are tasks. A popover lists them if there are several.
 */
#define CAPRA_TYPE_TASK_BUTTON (capra_task_button_get_type ())
G_DECLARE_FINAL_TYPE (CapraTaskButton, capra_task_button, CAPRA, TASK_BUTTON, GtkBox)

/* Shows @task until it ends. Does nothing if it is shown already. */
void capra_task_button_add (CapraTaskButton *button, CapraTask *task);

G_END_DECLS
