/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Recent host: starts the device in advance in programs that have used Capra before. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* If this program has used Capra in the last weeks (capra_recent_device_dup()): starts the same device, in a thread,
 * once the program has an image in a graph and its main loop is idle, so that its first operation does not wait for the
 * driver. Called when the module is registered. */
void capra_recent_host_watch (void);

G_END_DECLS
