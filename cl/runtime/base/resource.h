/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resource: files that are compiled into the library. Not installed. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* As g_resources_lookup_data(), but no process is forked meanwhile: GIO locks its list of resources when a process
 * ends, and a child that was forked while another thread had that lock would never end. */
GBytes *capra_resource_lookup (const char *path, GError **error);

/* The SHA-1 sum of the sources of all kernels, in hexadecimal. */
const char *capra_resource_sum_kernels (void);

G_END_DECLS
