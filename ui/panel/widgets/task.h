/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Task: work that takes long, with its progress, which the user can cancel. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraTask:
 *
 * Properties (read-only): "title" (string), such as "Saving cells.png"; "fraction" (double), 0 to 1; "detail"
 * (string): the progress in words; "canceled" (boolean). Signal "ended": the work has ended.
 */
#define CAPRA_TYPE_TASK (capra_task_get_type ())
G_DECLARE_FINAL_TYPE (CapraTask, capra_task, CAPRA, TASK, GObject)

/* @cancellable: is canceled by capra_task_cancel(). */
CapraTask *capra_task_new (const char *title, GCancellable *cancellable);

const char *capra_task_get_title (CapraTask *task);
double capra_task_get_fraction (CapraTask *task);
void capra_task_set_fraction (CapraTask *task, double fraction);
void capra_task_cancel (CapraTask *task);
gboolean capra_task_get_canceled (CapraTask *task);
void capra_task_end (CapraTask *task);

G_END_DECLS
