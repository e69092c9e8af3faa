/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read-file: the contents of small files that anyone may have written. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define CAPRA_MAX_GRAPH_BYTES ((gsize) 4 << 20)

/**
 * capra_read_file:
 * @most: the largest file that is read, in bytes
 * @length: (out) (optional): without the NUL that follows
 *
 * Reads a regular file. Any other (a pipe, a device) is an error, so that nothing blocks or reads for ever.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set
 */
char *capra_read_file (const char *path, gsize most, gsize *length, GError **error);

/**
 * capra_open_regular:
 *
 * Opens a regular file for reading; never blocks.
 *
 * Returns: the descriptor, or -1 with @error set
 */
int capra_open_regular (const char *path, GError **error);

G_END_DECLS
