/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Writes text to a file or to standard output. */
#include "runtime/base/write-text.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fault.h"

/* Reports errno unless @done. */
static gboolean
check (gboolean done, GError **error)
{
  if (!done)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (errno), g_strerror (errno));
  return done;
}

gboolean
capra_write_data (const char *path, const char *data, gsize length, GError **error)
{
  g_autofree char *target = realpath (path, NULL);
  struct stat status;
  FILE *stream;
  gboolean written;

  if (!check (!capra_fault_write (), error))
    return FALSE;
  if (g_str_equal (path, "-"))
    return check (fwrite (data, 1, length, stdout) == length && fflush (stdout) == 0, error);
  if (stat (path, &status) != 0 || S_ISREG (status.st_mode))
    return g_file_set_contents (target ? target : path, data, (gssize) length, error);

  stream = fopen (path, "w");
  if (!check (stream != NULL, error))
    return FALSE;
  written = check (fwrite (data, 1, length, stream) == length, error);
  return check (fclose (stream) == 0, written ? error : NULL) && written;
}

gboolean
capra_write_text (const char *path, const char *text, GError **error)
{
  return capra_write_data (path, text, strlen (text), error);
}

gboolean
capra_write_private (const char *path, const char *text, GError **error)
{
  struct stat before;

  if (!check (!capra_fault_write (), error))
    return FALSE;
  /* GLib 2.84 gives the new file the mode of the one that it replaces. */
  if (lstat (path, &before) == 0 && S_ISREG (before.st_mode) && (before.st_mode & (S_IRWXG | S_IRWXO)))
    unlink (path);
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}
