/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Recent device: a file for each program in the user's cache folder. */
#include "runtime/device/recent-device.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/device/recent-device-private.h"
#include "runtime/base/write-text.h"

#define DAY (24 * 60 * 60) /* seconds */
#define MAX_AGE (30 * DAY)
#define MAX_BYTES 4096

/* Programs that run others: the bindings of GEGL work in them. */
static const char *const interpreters[] = { "gjs", "lua", "perl", "python", "ruby" };

static gboolean
is_interpreter (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (interpreters); i++)
    if (g_str_has_prefix (name, interpreters[i]))
      return TRUE;
  return FALSE;
}

/* (nullable): the script among @arguments, of a process in @folder; %NULL for commands and modules. */
static char *
find_script (const char *folder, const char *const *arguments)
{
  for (guint i = 1; arguments[0] && arguments[i]; i++)
    if (strcmp (arguments[i], "-c") == 0 || strcmp (arguments[i], "-m") == 0)
      return NULL;
    else if (*arguments[i] != '-')
      {
        g_autofree char *path = g_canonicalize_filename (arguments[i], folder);

        return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
      }
  return NULL;
}

char *
capra_recent_device_name (const char *program, const char *folder, const char *const *arguments)
{
  g_autofree char *name = g_path_get_basename (program);
  g_autofree char *script = is_interpreter (name) ? find_script (folder, arguments) : NULL, *sum = NULL;

  if (is_interpreter (name) && !script)
    return NULL;
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, script ? script : program, -1);
  return g_strdup_printf ("%s-%.16s", name, sum);
}

/* The arguments of this process; NULL-terminated. */
static GStrv
read_arguments (void)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  g_autofree char *bytes = NULL;
  gsize length = 0;
  GStrv arguments;

  g_file_get_contents ("/proc/self/cmdline", &bytes, &length, NULL);
  for (gsize at = 0; at < length; at += strlen (bytes + at) + 1)
    g_strv_builder_add (builder, bytes + at);
  arguments = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return arguments;
}

/* The file of this program; NULL if the program is unknown. */
static char *
get_path (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *folder = g_get_current_dir ();
  g_auto (GStrv) arguments = read_arguments ();
  g_autofree char *name = program ? capra_recent_device_name (program, folder, (const char *const *) arguments) : NULL;

  return name ? g_build_filename (g_get_user_cache_dir (), "capra", "recent", name, NULL) : NULL;
}

/* The text of the file if it is at most @age seconds old, and only this user can write to it; otherwise NULL. */
static char *
read_recent (const char *path, gint64 age)
{
  const CapraFileRule rule = { geteuid (), FALSE, FALSE, S_IWGRP | S_IWOTH, MAX_BYTES };
  struct stat found = { 0 };
  gsize length = 0;

  if (stat (path, &found) != 0 || (gint64) time (NULL) - (gint64) found.st_mtime > age)
    return NULL;
  return capra_file_read (AT_FDCWD, path, &rule, &length, NULL);
}

char *
capra_recent_device_dup (void)
{
  g_autofree char *path = get_path ();

  return path ? read_recent (path, MAX_AGE) : NULL;
}

void
capra_recent_device_record (const char *name)
{
  static gint recorded; /* atomic */
  g_autofree char *path = NULL, *folder = NULL, *old = NULL;

  if (g_atomic_int_get (&recorded) || !g_atomic_int_compare_and_exchange (&recorded, FALSE, TRUE)
      || !(path = get_path ()))
    return;
  name = name ? name : "";
  old = read_recent (path, DAY);
  folder = g_path_get_dirname (path);
  if (g_strcmp0 (old, name) != 0 && capra_file_create_folder (folder))
    capra_write_private (path, name, NULL);
}
