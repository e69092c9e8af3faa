/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fork: OpenCL's drivers have threads, locks and connections that a forked process does not inherit. Not installed.
 *
 * A forked child, in these functions, is a process that was forked from one that had loaded a driver, and has not
 * executed another program since. In a forked child, functions that use a device fail at once, and functions that free
 * something of a device do nothing. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on, a forked process counts as a forked child. Called before a driver is loaded. */
void capra_fork_watch (void);

/* From now on, a forked child that calls exit() ends without the functions that its parent registered for it, one of
 * which belongs to a driver and would wait for a thread that the child has not inherited: for ever, or it crashes. */
void capra_fork_end_early (void);

/* Whether this process is a forked child. */
gboolean capra_fork_is_child (void);

/* FALSE with @error set if this process is a forked child. */
gboolean capra_fork_check (GError **error);

/* Locks the static mutex @lock so that it is unlocked in every forked process: a fork waits until it is unlocked. A
 * thread that holds it must not fork, nor write to the log. */
void capra_fork_lock (GMutex *lock);

G_END_DECLS
