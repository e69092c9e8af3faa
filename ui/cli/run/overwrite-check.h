/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-files: that nothing is written over what is read. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * run_files_check:
 * @read: (element-type filename): files that are read
 * @written: (nullable): NULL-terminated names of files that will be written
 *
 * Returns: FALSE with @error set if one of @written is one of @read, under whatever name
 */
gboolean run_files_check (GPtrArray *read, char **written, GError **error);

G_END_DECLS
