/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular-file: opens and reads files from untrusted sources: never blocks on a pipe, never reads without a limit. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CAPRA_MAX_GRAPH_BYTES ((gsize) 4 << 20)

/**
 * capra_read_file:
 * @max: the maximum size in bytes; a larger file is an error
 * @length: (out) (optional): the size, without the NUL that is appended
 *
 * Reads a regular file. Other kinds of files, such as pipes and devices, are errors.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set
 */
char *capra_read_file (const char *path, gsize max, gsize *length, GError **error);

/**
 * capra_open_regular:
 *
 * Opens a regular file for reading; never blocks.
 *
 * Returns: the descriptor, or -1 with @error set
 */
int capra_open_regular (const char *path, GError **error);

G_END_DECLS
