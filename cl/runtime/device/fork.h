/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fork: OpenCL's drivers have threads, locks and connections that a forked child does not inherit. Not installed.
 *
 * In a child forked from a process that has loaded a driver, functions that use a device fail at once, and functions
 * that free something of a device do nothing. A new program (exec) is not such a child. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on, forked processes are such children. Called before a driver is loaded. */
void capra_fork_watch (void);

/* Whether this process is such a child. */
gboolean capra_fork_is_child (void);

/* FALSE with @error set if it is. */
gboolean capra_fork_check (GError **error);

/* Locks the static mutex @lock so that it is unlocked in every child: a fork waits until it is unlocked. A thread that
 * holds it must not fork, nor write to the log. */
void capra_fork_lock (GMutex *lock);

G_END_DECLS
