/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Recent device: a file for each program in the user's cache folder. */
#include "runtime/device/recent-device.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/device/file.h"

#define DAY (24 * 60 * 60) /* seconds */
#define MAX_AGE (30 * DAY)
#define MAX_BYTES 4096

/* The file of this program; NULL if the program is unknown. */
static char *
get_path (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *name = program ? g_path_get_basename (program) : NULL;

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
    g_file_set_contents_full (path, name, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}
