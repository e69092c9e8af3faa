/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* File: bounded reading of regular files with a known owner. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_NOFOLLOW and O_CLOEXEC beside gnu11 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"

#define MAX_SETTINGS_BYTES ((gsize) 1 << 20)

static void
set_refused (const char *name, const char *reason, GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM, _ ("cannot use %s: %s"), name, reason);
}

static void
set_errno (const char *name, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _ ("cannot read %s: %s"), name, g_strerror (code));
}

static gboolean
check (const struct stat *found, const char *name, const CapraFileRule *rule, GError **error)
{
  if (!S_ISREG (found->st_mode))
    set_refused (name, _ ("it is not a regular file"), error);
  else if (found->st_uid != rule->owner && !(rule->or_root && found->st_uid == 0))
    set_refused (name, _ ("it belongs to another user"), error);
  else if (found->st_mode & rule->refused)
    set_refused (name, _ ("other users may write to it"), error);
  else if ((guint64) found->st_size > rule->max)
    set_refused (name, _ ("it is too large"), error);
  else
    return TRUE;
  return FALSE;
}

/* Reads up to @size bytes; fewer if the file was truncated meanwhile. */
static char *
read_all (int fd, const char *name, gsize size, gsize *length, GError **error)
{
  g_autofree char *data = g_try_malloc (size + 1);
  gssize n = 1;

  if (!data)
    {
      set_errno (name, ENOMEM, error);
      return NULL;
    }
  for (*length = 0; *length < size && n != 0; *length += (gsize) MAX (n, 0))
    {
      n = read (fd, data + *length, size - *length);
      if (n < 0 && errno != EINTR)
        {
          set_errno (name, errno, error);
          return NULL;
        }
    }
  data[*length] = '\0';
  return g_steal_pointer (&data);
}

char *
capra_file_read (int folder, const char *name, const CapraFileRule *rule, gsize *length, GError **error)
{
  /* Without these flags a fifo would block, and a terminal could become the controlling one. */
  int fd = openat (folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (rule->links ? 0 : O_NOFOLLOW));
  struct stat found = { 0 };
  char *data = NULL;

  if (fd < 0 && errno == ELOOP && !rule->links)
    set_refused (name, _ ("it is a symbolic link"), error);
  else if (fd < 0 || fstat (fd, &found) != 0)
    set_errno (name, errno, error);
  else if (check (&found, name, rule, error))
    data = read_all (fd, name, (gsize) found.st_size, length, error);
  if (fd >= 0)
    close (fd);
  return data;
}

char *
capra_file_read_settings (const char *path, gsize *length, GError **error)
{
  const CapraFileRule rule = { geteuid (), TRUE, TRUE, S_IWOTH, MAX_SETTINGS_BYTES };

  return capra_file_read (AT_FDCWD, path, &rule, length, error);
}

/* Whether this is root, and the folder would be created in one of another user. */
static gboolean
is_for_other (const char *folder)
{
  g_autofree char *path = g_strdup (folder);
  struct stat found = { 0 };

  while (geteuid () == 0 && stat (path, &found) != 0 && strcmp (path, "/") != 0 && strcmp (path, ".") != 0)
    {
      char *parent = g_path_get_dirname (path);

      g_free (path);
      path = parent;
    }
  return geteuid () == 0 && found.st_uid != 0;
}

gboolean
capra_file_create_folder (const char *folder)
{
  if (!is_for_other (folder))
    return g_mkdir_with_parents (folder, 0700) == 0;
  errno = EPERM;
  return FALSE;
}

gboolean
capra_file_is_private_folder (const char *folder)
{
  struct stat found = { 0 };

  return lstat (folder, &found) == 0 && S_ISDIR (found.st_mode) && found.st_uid == geteuid ()
         && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}
