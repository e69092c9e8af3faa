/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output-file: a file that gets its name only when it is complete and on disk. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "ui/pipeline/write/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/fault.h"
#include "ui/pipeline/error.h"

#define SLOTS 256 /* temporary files at once; `capra run` writes as many */
#define ATTEMPTS 100

struct _CapraOutputFile {
  int descriptor;
  int code;   /* errno of the first failed write, 0 for none */
  char *path; /* the final name */
  char *folder;
  char *temporary; /* the present name, NULL without one */
};

/* Temporary names in static memory, so that a signal handler can read them. */
static struct {
  int used; /* atomic */
  char path[PATH_MAX];
} slots[SLOTS];

static void
register_temporary (const char *path)
{
  for (int i = 0; i < SLOTS && strlen (path) < PATH_MAX; i++)
    if (g_atomic_int_compare_and_exchange (&slots[i].used, 0, 1))
      {
        strcpy (slots[i].path, path);
        g_atomic_int_set (&slots[i].used, 2);
        return;
      }
}

static void
unregister_temporary (const char *path)
{
  for (int i = 0; i < SLOTS; i++)
    if (g_atomic_int_get (&slots[i].used) == 2 && strcmp (slots[i].path, path) == 0)
      {
        g_atomic_int_set (&slots[i].used, 0);
        return;
      }
}

/* Also called by a signal handler. */
void
capra_output_file_remove_all (void)
{
  for (int i = 0; i < SLOTS; i++)
    if (g_atomic_int_get (&slots[i].used) == 2)
      unlink (slots[i].path);
}

/* Installed with SA_RESETHAND: the signal raised here ends the process when the handler returns. */
static void
on_signal (int number)
{
  capra_output_file_remove_all ();
  raise (number);
}

void
capra_output_file_handle_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGXFSZ };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int) SA_RESETHAND }, old;

      if (sigaction (numbers[i], NULL, &old) != 0 || old.sa_handler != SIG_DFL)
        continue;
      if (numbers[i] == SIGXFSZ)
        action.sa_handler = SIG_IGN;
      sigaction (numbers[i], &action, NULL);
    }
}

static gboolean
fail (const CapraOutputFile *file, int code, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot write \"%s\": %s"), file->path,
               g_strerror (code));
  return FALSE;
}

/* Copies the mode and the owner of the file that will be replaced. FALSE if it cannot be replaced. */
static gboolean
copy_attributes (CapraOutputFile *file, GError **error)
{
  struct stat status;

  if (stat (file->path, &status) != 0)
    return TRUE;
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("\"%s\" is not a regular file"),
                   file->path);
      return FALSE;
    }
  if (access (file->path, W_OK) != 0)
    return fail (file, errno, error);
  /* Not an error: only root can change the owner, and not all file systems have modes. */
  if (fchown (file->descriptor, status.st_uid, status.st_gid) != 0
      || fchmod (file->descriptor, status.st_mode & 07777) != 0)
    g_debug ("%s: the mode is not kept: %s", file->path, g_strerror (errno));
  return TRUE;
}

/* FALSE if the file system does not support it, or /proc is missing, which naming the file needs. */
static gboolean
open_unnamed (CapraOutputFile *file)
{
  g_autofree char *link = NULL;

  file->descriptor = g_open (file->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (file->descriptor < 0)
    return FALSE;
  link = g_strdup_printf ("/proc/self/fd/%d", file->descriptor);
  if (access (link, F_OK) == 0)
    return TRUE;
  g_close (file->descriptor, NULL);
  file->descriptor = -1;
  return FALSE;
}

/* Creates file->temporary. FALSE with errno set. */
typedef gboolean (*CreateFunc) (CapraOutputFile *file);

/* Creates a file with a temporary name. The name is registered first: a signal may arrive at any time. FALSE with errno
 * set. */
static gboolean
create_temporary (CapraOutputFile *file, CreateFunc create)
{
  int code = EEXIST;

  for (int i = 0; i < ATTEMPTS && code == EEXIST; i++)
    {
      g_autofree char *name = g_strdup_printf (".capra-%08x", g_random_int ());

      file->temporary = g_build_filename (file->folder, name, NULL);
      register_temporary (file->temporary);
      if (create (file))
        return TRUE;
      code = errno;
      unregister_temporary (file->temporary);
      g_clear_pointer (&file->temporary, g_free);
    }
  errno = code;
  return FALSE;
}

static gboolean
open_new (CapraOutputFile *file)
{
  file->descriptor = g_open (file->temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  return file->descriptor >= 0;
}

/* Names an unnamed file. */
static gboolean
link_new (CapraOutputFile *file)
{
  g_autofree char *from = g_strdup_printf ("/proc/self/fd/%d", file->descriptor);

  return linkat (AT_FDCWD, from, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0;
}

CapraOutputFile *
capra_output_file_open (const char *path, GError **error)
{
  g_autoptr (CapraOutputFile) file = g_new0 (CapraOutputFile, 1);
  g_autofree char *target = realpath (path, NULL);

  file->descriptor = -1;
  file->path = g_strdup (target ? target : path);
  file->folder = g_path_get_dirname (file->path);
  if (!open_unnamed (file) && !create_temporary (file, open_new))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("Cannot write to the folder \"%s\": %s"),
                   file->folder, g_strerror (errno));
      return NULL;
    }
  return copy_attributes (file, error) ? g_steal_pointer (&file) : NULL;
}

gboolean
capra_output_file_write (CapraOutputFile *file, gconstpointer data, gsize length, GError **error)
{
  const guint8 *bytes = data;

  while (length > 0 && !file->code)
    {
      gssize written = capra_fault_write () ? -1 : write (file->descriptor, bytes, MIN (length, G_MAXSSIZE));

      if (written < 0 && errno != EINTR)
        file->code = errno;
      if (written <= 0)
        continue;
      bytes += written;
      length -= (gsize) written;
    }
  return capra_output_file_check (file, error);
}

gboolean
capra_output_file_check (CapraOutputFile *file, GError **error)
{
  return file->code ? fail (file, file->code, error) : TRUE;
}

int
capra_output_file_get_descriptor (CapraOutputFile *file)
{
  return file->descriptor;
}

/* Gives the file its final name. FALSE with errno set. */
static gboolean
give_name (CapraOutputFile *file)
{
  g_autofree char *from = g_strdup_printf ("/proc/self/fd/%d", file->descriptor);

  if (capra_fault_write ())
    return FALSE;
  if (!file->temporary)
    {
      if (linkat (AT_FDCWD, from, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0)
        return TRUE;
      if (errno != EEXIST || !create_temporary (file, link_new))
        return FALSE;
    }
  if (g_rename (file->temporary, file->path) != 0)
    return FALSE;
  unregister_temporary (file->temporary);
  g_clear_pointer (&file->temporary, g_free);
  return TRUE;
}

/* Some file systems do not support fsync(): not an error. */
static gboolean
sync_descriptor (int descriptor)
{
  return fsync (descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

static void
sync_folder (CapraOutputFile *file)
{
  int descriptor = g_open (file->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (descriptor < 0)
    return;
  if (!sync_descriptor (descriptor)) /* the file itself is whole */
    g_debug ("%s: %s", file->folder, g_strerror (errno));
  g_close (descriptor, NULL);
}

gboolean
capra_output_file_commit (CapraOutputFile *file, GError **error)
{
  struct stat status;

  if (!capra_output_file_check (file, error))
    return FALSE;
  if (!sync_descriptor (file->descriptor) || fstat (file->descriptor, &status) != 0)
    return fail (file, errno, error);
  if (status.st_size == 0)
    {
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                           _ ("Cannot write the file: the encoder wrote no data"));
      return FALSE;
    }
  if (!give_name (file))
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, _ ("The file cannot be replaced: %s"),
                   g_strerror (errno));
      return FALSE;
    }
  sync_folder (file);
  return TRUE;
}

void
capra_output_file_free (CapraOutputFile *file)
{
  if (file->temporary)
    {
      g_unlink (file->temporary);
      unregister_temporary (file->temporary);
    }
  if (file->descriptor >= 0)
    g_close (file->descriptor, NULL);
  g_free (file->temporary);
  g_free (file->folder);
  g_free (file->path);
  g_free (file);
}
