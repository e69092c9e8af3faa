/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Publisher of the monitor: sends the timeline and the memory of this process to all monitors. Private.
 *
 * It is a thread with a main context of its own. It sleeps until a monitor listens, and never blocks the host: it does
 * not wait for readers, and waits for a device only if a monitor asks to free memory.
 *
 * It uses sockets, credentials and a file monitor of GIO, and GVariant for messages. It does not use GDBusServer, which
 * accepts messages of up to 128 MiB from each connection, queues what a slow reader does not take, and starts a thread
 * "gdbus" in the host: its memory has no bound. It does not use GSocketService either, which prints a warning and tries
 * again at once if there is no file descriptor for a connection, and so keeps the processor busy. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Starts the thread, unless the setting "monitor" is "off". Called once, when the first device is used, and after its
 * driver has registered its exit handlers. */
void capra_monitor_publisher_start (void);

G_END_DECLS
