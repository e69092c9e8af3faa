/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver wait: whether a process is late because of its own work, or because the machine is busy. Not installed. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* @delay: how long in microseconds its threads and child processes have been ready to run, without a processor
 * @reads: pages and bytes that they read from disks; differs if they read more */
typedef struct {
  gint64 delay;
  guint64 reads;
} CapraDriverWait;

/* What the kernel does not count is 0. */
CapraDriverWait capra_driver_wait_read (pid_t process);

G_END_DECLS
