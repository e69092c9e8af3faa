/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular-file: opens and reads files from untrusted sources: never blocks on a pipe, never reads without a limit. */
#define _GNU_SOURCE /* O_CLOEXEC beside gnu11 */
#include "ui/pipeline/regular-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/pipeline/error.h"

static gboolean
fail (GError **error, const char *path, int code)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), _ ("Cannot read \"%s\": %s"), path,
               g_strerror (code));
  return FALSE;
}

int
capra_open_regular (const char *path, GError **error)
{
  /* Without O_NONBLOCK, opening a pipe without a writer would block. */
  int descriptor = g_open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
  struct stat status = { 0 };

  if (descriptor < 0)
    {
      fail (error, path, errno);
      return -1;
    }
  if (fstat (descriptor, &status) == 0 && S_ISREG (status.st_mode))
    return descriptor;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               S_ISDIR (status.st_mode) ? _ ("\"%s\" is a folder; choose a file in it")
                                        : _ ("\"%s\" is not a regular file"),
               path);
  g_close (descriptor, NULL);
  return -1;
}

/* Appends the file and a NUL to @bytes. FALSE with errno set; EFBIG if it is larger than @max bytes. */
static gboolean
read_all (int descriptor, gsize max, GByteArray *bytes)
{
  guint8 piece[1 << 16];
  gssize length;

  while ((length = read (descriptor, piece, sizeof piece)) != 0)
    {
      if (length < 0 && errno == EINTR)
        continue;
      if (length >= 0 && bytes->len + (gsize) length > max)
        errno = EFBIG;
      if (length < 0 || bytes->len + (gsize) length > max)
        return FALSE;
      g_byte_array_append (bytes, piece, (guint) length);
    }
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  return TRUE;
}

char *
capra_read_file (const char *path, gsize max, gsize *length, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  int descriptor = capra_open_regular (path, error);
  gboolean good;

  if (descriptor < 0)
    return NULL;
  good = read_all (descriptor, MIN (max, (gsize) G_MAXINT), bytes) || fail (error, path, errno);
  g_close (descriptor, NULL);
  if (!good)
    return NULL;
  if (length)
    *length = bytes->len - 1;
  return (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE);
}
