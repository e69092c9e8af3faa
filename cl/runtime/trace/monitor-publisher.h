/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Publisher of the monitor: sends the timeline and the memory of this process to all monitors. Private.
 *
 * It is a thread with a main context of its own. It sleeps until a monitor listens, and never blocks the host: it does
 * not wait for readers, and waits for a device only if a monitor asks to free memory.
 *
 * It uses GIO's sockets, credentials and file monitor, and GVariant for the messages. Two parts of GIO that do more were
 * not taken. GDBusServer reads messages of up to 128 MiB from each connection, queues what a slow reader does not take,
 * and starts a thread "gdbus" in the host: memory would have no bound. GSocketService prints a warning and tries again
 * at once where it has no file descriptor for a connection, which keeps the processor busy. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Starts the thread, unless the setting "monitor" is "off". Called once, when the first device is used and its driver has
 * registered its exit handlers. */
void capra_monitor_publisher_start (void);

G_END_DECLS
