/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* System memory: how much memory of the machine this process may use. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In bytes; both are 0 if they are unknown. */
typedef struct {
  guint64 total, available;
} CapraSystemMemory;

/* The memory of the machine, or of the smallest control group that limits this process, such as a container. @root: the
 * folder with /proc and /sys, "" except in tests */
CapraSystemMemory capra_system_memory_read (const char *root);

G_END_DECLS
