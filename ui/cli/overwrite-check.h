/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses outputs that would overwrite an input. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * overwrite_check:
 * @read: (element-type filename): files that are read
 * @written: (nullable): NULL-terminated names of files that will be written
 * @remedy: what else than another name helps, the end of the message
 *
 * Returns: FALSE with @error set if a name in @written leads to a file in @read
 */
gboolean overwrite_check (GPtrArray *read, char **written, const char *remedy, GError **error);

/* Returns FALSE with @error set if a name is twice in @written, under any spelling. */
gboolean overwrite_check_twice (char **written, const char *remedy, GError **error);

G_END_DECLS
