/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fork: OpenCL's drivers have threads, locks and connections that a forked child does not inherit. Private.
 *
 * In a child of a process that has loaded a driver, what would use a device fails at once, and what frees something of
 * the device's does nothing. A program that is started anew (exec) is not such a child. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Children that are forked from now on are such. Called before a driver is loaded. */
void capra_fork_watch (void);

/* Whether this process is such a child. */
gboolean capra_fork_is_child (void);

/* TRUE if it is not; else @error is set. */
gboolean capra_fork_check (GError **error);

/* Locks @lock, which is static and is free in every child: a fork waits for whoever holds it. Nobody forks, nor writes
 * to the log, while holding it. */
void capra_fork_lock (GMutex *lock);

G_END_DECLS
