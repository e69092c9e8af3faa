/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Write-text: reports of text to a file, or to standard output. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @text to the file @path ("-": standard output). A regular file is replaced as a whole, or not at all, and a
 * symbolic link goes on to point to it; a device or a pipe is written into. FALSE with @error set if not all was
 * written. */
gboolean capra_write_text (const char *path, const char *text, GError **error);

G_END_DECLS
