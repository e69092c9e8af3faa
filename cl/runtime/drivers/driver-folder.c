/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver folder: tested by a file that is written and removed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ST_NOEXEC beside gnu11 */
#endif
#include "runtime/drivers/driver-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"

#define VARIABLE "POCL_CACHE_DIR"
/* A kernel takes up to 1 MiB, and several threads and processes may compile at once. */
#define MIN_FREE_MIB 16
/* The free space of a file system is not that of a user with a quota. */
#define WRITTEN 65536

/* The folder that could not be used when PoCL was loaded. */
static struct {
  gsize chosen;
  char *folder, *problem, *used; /* nullable */
} replaced;

/* The folder, or the first of its parents that exists. */
static char *
dup_existing (const char *folder)
{
  char *path = g_strdup (folder);

  while (!g_file_test (path, G_FILE_TEST_EXISTS) && strcmp (path, "/") != 0 && strcmp (path, ".") != 0)
    {
      char *parent = g_path_get_dirname (path);

      g_free (path);
      path = parent;
    }
  return path;
}

/* Writes a file in @folder and removes it. Returns 0, or the error. */
static int
try_write (const char *folder)
{
  static const char bytes[WRITTEN];
  g_autofree char *path = g_build_filename (folder, ".capra-XXXXXX", NULL);
  int file = g_mkstemp_full (path, O_WRONLY | O_CLOEXEC, 0600), problem = 0;

  if (file < 0)
    return errno;
  problem = write (file, bytes, sizeof bytes) == sizeof bytes ? 0 : errno ? errno : ENOSPC;
  if (close (file) != 0 && problem == 0)
    problem = errno;
  unlink (path);
  return problem;
}

/* Why PoCL cannot store kernels in @folder, or create it; NULL if it can. */
static char *
dup_problem (const char *folder)
{
  g_autofree char *path = dup_existing (folder);
  struct statvfs found = { 0 };
  int problem = 0;

  if (statvfs (path, &found) != 0)
    return g_strdup (g_strerror (errno));
  if ((found.f_flag & ST_RDONLY) == 0 && found.f_bavail < ((guint64) MIN_FREE_MIB << 20) / MAX (found.f_frsize, 1))
    return g_strdup_printf (_ ("it is full: less than %d MiB are free"), MIN_FREE_MIB);
  if (found.f_flag & ST_NOEXEC)
    return g_strdup (_ ("programs cannot be run from it (noexec)"));
  problem = try_write (path);
  return problem ? g_strdup_printf (_ ("cannot write to it: %s"), g_strerror (problem)) : NULL;
}

gboolean
capra_driver_folder_has_space (const char *folder)
{
  g_autofree char *problem = dup_problem (folder);

  return problem == NULL;
}

/* A folder of this user in one for temporary files, or in memory; NULL if none can be used. */
static char *
dup_temporary (void)
{
  const char *const parents[] = { g_get_tmp_dir (), "/dev/shm" };

  for (guint i = 0; i < G_N_ELEMENTS (parents); i++)
    {
      g_autofree char *name = g_strdup_printf ("capra-%u", (guint) geteuid ());
      g_autofree char *folder = g_build_filename (parents[i], name, NULL);

      g_mkdir (folder, 0700);
      if (capra_file_is_private_folder (folder) && capra_driver_folder_has_space (folder))
        return g_steal_pointer (&folder);
    }
  return NULL;
}

char *
capra_driver_folder_dup (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "capra", NULL);

  if (capra_file_create_folder (folder) && capra_driver_folder_has_space (folder))
    return g_steal_pointer (&folder);
  return dup_temporary ();
}

/* Where PoCL stores kernels. */
static char *
dup_compiler_folder (void)
{
  const char *folder = g_getenv (VARIABLE);

  return folder && *folder ? g_strdup (folder) : g_build_filename (g_get_user_cache_dir (), "pocl", "kcache", NULL);
}

static void
replace (void)
{
  g_autofree char *temporary = NULL;

  replaced.folder = dup_compiler_folder ();
  replaced.problem = dup_problem (replaced.folder);
  if (!replaced.problem)
    {
      g_clear_pointer (&replaced.folder, g_free);
      return;
    }
  temporary = dup_temporary ();
  if (!temporary)
    return;
  replaced.used = g_build_filename (temporary, "pocl", NULL);
  capra_environment_set_entry (VARIABLE, g_strconcat (VARIABLE "=", replaced.used, NULL));
  g_message (_ ("OpenCL: kernels are stored in %s, because %s cannot be used: %s; free space there, or set "
                "XDG_CACHE_HOME to another folder"),
             replaced.used, replaced.folder, replaced.problem);
}

void
capra_driver_folder_choose (void)
{
  if (g_once_init_enter (&replaced.chosen))
    {
      replace ();
      g_once_init_leave (&replaced.chosen, 1);
    }
}

gboolean
capra_driver_folder_check (GError **error)
{
  g_autofree char *folder = dup_compiler_folder (), *problem = dup_problem (folder);

  if (problem)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE,
                 _ ("the OpenCL driver cannot store kernels in %s: %s; free space there, or set XDG_CACHE_HOME to "
                    "another folder"),
                 folder, problem);
  return problem == NULL;
}

const char *
capra_driver_folder_get_replaced (const char **problem, const char **used)
{
  *problem = replaced.problem;
  *used = replaced.used;
  return replaced.folder;
}
