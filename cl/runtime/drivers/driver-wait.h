/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver wait: whether a process is late because of its own work, or because the machine is busy. Not installed. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Of a process, its threads and its children:
 * @runnable: whether one of them runs, or waits for a processor
 * @blocked: whether one of them waits in the kernel and cannot be interrupted, such as for a disk
 * @delay: how long in microseconds they waited for a processor, without the present wait
 * @run: how long in microseconds the busiest of their threads has run
 * @reads: pages and bytes that they read from disks; differs if they read more */
typedef struct {
  gboolean runnable, blocked;
  gint64 delay, run;
  guint64 reads;
} CapraDriverWait;

/* What the kernel does not count is 0. */
CapraDriverWait capra_driver_wait_read (pid_t process);

G_END_DECLS
