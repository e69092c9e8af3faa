/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* File: reads small files that another program, or another user, may have changed. Not installed. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Which files are accepted: regular files of at most @max bytes that belong to @owner (or to root, if @or_root) and
 * have none of the permission bits @refused. Symbolic links are followed if @links. */
typedef struct {
  uid_t owner;
  gboolean or_root, links;
  mode_t refused;
  gsize max;
} CapraFileRule;

/* Reads the file @name in the open folder @folder (AT_FDCWD: any path). The contents are followed by a NUL that @length
 * does not include. Never blocks, whatever @name is. The error is G_FILE_ERROR_NOENT if the file does not exist,
 * G_FILE_ERROR_PERM if the rule refuses it. */
char *capra_file_read (int folder, const char *name, const CapraFileRule *rule, gsize *length, GError **error);

/* The same for a file that the user may edit or link to: it belongs to this user or root, and others cannot write to
 * it. */
char *capra_file_read_settings (const char *path, gsize *length, GError **error);

/* Creates @folder and its missing parents, accessible to this user only; FALSE with errno set on failure. Root creates
 * none in the home of another user, who could not write to them. */
gboolean capra_file_create_folder (const char *folder);

/* Whether only this user can have put files into @folder, which is no symbolic link. */
gboolean capra_file_is_private_folder (const char *folder);

G_END_DECLS
