/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* File: reads back small files that another program, or another user, may have touched. Private. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Which files are read: regular ones only, of at most @most bytes, that belong to @owner (or to root, if @or_root) and
 * have none of the permission bits @refused. Symbolic links are followed if @links. */
typedef struct {
  uid_t owner;
  gboolean or_root, links;
  mode_t refused;
  gsize most;
} CapraFileRule;

/* The contents of the file @name in the open folder @folder (AT_FDCWD: any path), followed by a NUL that @length does
 * not count. Never blocks, whatever @name is. The error is G_FILE_ERROR_NOENT if there is none, G_FILE_ERROR_PERM if
 * the rule refuses it. */
char *capra_file_read (int folder, const char *name, const CapraFileRule *rule, gsize *length, GError **error);

/* The same for a file that the user may edit or link to: of this user or root, and not open for all to write. */
char *capra_file_read_settings (const char *path, gsize *length, GError **error);

/* Makes @folder and those above it, for this user alone, where there are none; FALSE with errno set if that fails. Root
 * makes none in another user's home, who could not write to them. */
gboolean capra_file_make_folder (const char *folder);

G_END_DECLS
