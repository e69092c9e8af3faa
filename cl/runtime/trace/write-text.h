/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes text to a file or to standard output. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes @text to the file @path, or to standard output if it is "-". A regular file is replaced atomically; a symbolic
 * link to it remains a link. */
gboolean capra_write_text (const char *path, const char *text, GError **error);
/* Likewise, of any bytes. */
gboolean capra_write_data (const char *path, const char *data, gsize length, GError **error);

G_END_DECLS
