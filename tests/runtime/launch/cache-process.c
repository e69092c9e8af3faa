/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that use the kernel cache. */
#include "tests/runtime/launch/cache-process.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"

static const char *program;

/* In a separate process: uses one program, "fill" or "arithmetic". */
static int
use (const char *which)
{
  g_autoptr (GError) error = NULL;
  CapraDevice *device = support_device (0);
  CapraCounters counters;

  if (g_str_equal (which, "fill"))
    {
      g_autoptr (CapraArray) array = capra_array_new (device, &CAPRA_SHAPE_2D (64, 64, CAPRA_F32), &error);
      g_autofree float *values = array ? support_download (array) : NULL;

      g_assert_no_error (error);
      g_assert_cmpfloat (values[64 * 64 - 1], ==, 0);
    }
  else
    {
      capra_device_keep_busy (device, &error);
      capra_timeline_reset (); /* waits for it */
    }
  g_assert_no_error (error);
  capra_counters_query (device, &counters);
  g_print ("%u %u\n", counters.builds, counters.loads);
  return EXIT_SUCCESS;
}

void
cache_process_init (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--use"))
    exit (use (argv[2]));
  program = argv[0];
}

const char *
cache_process_get_program (void)
{
  return program;
}

GSubprocess *
cache_process_start (const char *which)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "timeout", "120", program, "--use",
                                         which, NULL);

  g_assert_no_error (error);
  return child;
}

CacheUse
cache_process_finish (GSubprocess *child)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  CacheUse used = { 0 };

  g_subprocess_communicate_utf8 (child, NULL, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (child));
  g_assert_cmpint (g_subprocess_get_exit_status (child), ==, EXIT_SUCCESS);
  g_assert_cmpint (sscanf (out, "%u %u", &used.builds, &used.loads), ==, 2);
  g_object_unref (child);
  return used;
}

void
cache_assert_built (const char *which)
{
  CacheUse used = cache_process_finish (cache_process_start (which));

  g_assert_cmpuint (used.builds, ==, 1);
  g_assert_cmpuint (used.loads, ==, 0);
}

void
cache_assert_loaded (const char *which)
{
  CacheUse used = cache_process_finish (cache_process_start (which));

  g_assert_cmpuint (used.builds, ==, 0);
  g_assert_cmpuint (used.loads, ==, 1);
}

char *
cache_new (void)
{
  char *home = g_dir_make_tmp ("capra-cache-XXXXXX", NULL);

  g_assert_nonnull (home);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  return home;
}

void
cache_remove (char *home)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", home);

  g_assert_cmpint (system (command), ==, 0);
  g_free (home);
}

char *
cache_folder (const char *home)
{
  return g_build_filename (home, "capra", "kernels", NULL);
}

char *
cache_find_file (const char *home, const char *but)
{
  g_autofree char *folder = cache_folder (home);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  char *found = NULL;
  const char *name = NULL;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)))
    {
      char *path = g_build_filename (folder, name, NULL);

      if (g_strcmp0 (path, but) == 0)
        {
          g_free (path);
          continue;
        }
      g_assert_null (found);
      found = path;
    }
  g_assert_nonnull (found);
  return found;
}

void
cache_write_file (const char *path, const char *data, gsize length)
{
  int fd = g_open (path, O_WRONLY | O_TRUNC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, length), ==, (gssize) length);
  close (fd);
}

void
cache_assert_replaced (const char *path)
{
  struct stat found;

  cache_assert_built ("fill");
  g_assert_cmpint (lstat (path, &found), ==, 0);
  g_assert_true (S_ISREG (found.st_mode));
  g_assert_cmpuint (found.st_mode & 0777, ==, 0600);
  g_assert_cmpuint (found.st_uid, ==, geteuid ());
  cache_assert_loaded ("fill");
}
