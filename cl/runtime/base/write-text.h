/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes text to a file or to standard output. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * capra_write_text:
 * @path: a file, or "-" for standard output
 *
 * Writes @text. A regular file is replaced when all of it is written; a symbolic link to it remains a link.
 *
 * Returns: %TRUE on success; otherwise %FALSE with @error set, and a regular file is as it was
 */
CAPRA_API
gboolean capra_write_text (const char *path, const char *text, GError **error);

/**
 * capra_write_data:
 *
 * Writes @length bytes, as capra_write_text().
 *
 * Returns: %TRUE on success; otherwise %FALSE with @error set
 */
CAPRA_API
gboolean capra_write_data (const char *path, const char *data, gsize length, GError **error);

/**
 * capra_write_private:
 *
 * Replaces the file @path by one with @text that only this user can read.
 *
 * Returns: %TRUE on success; otherwise %FALSE with @error set
 */
CAPRA_API
gboolean capra_write_private (const char *path, const char *text, GError **error);

G_END_DECLS
