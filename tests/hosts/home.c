/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The home folder of the tests of host programs, and files in it. */
#define _GNU_SOURCE /* pipe2() */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"
#include "tests/support/support-caches.h"

static char *home;
static GPtrArray *paths; /* returned by hosts_path () */

static void
remove_tree (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_autoptr (GDir) folder = NULL;
      const char *name;

      g_chmod (path, 0700);
      folder = g_dir_open (path, 0, NULL);
      while (folder && (name = g_dir_read_name (folder)))
        {
          g_autofree char *child = g_build_filename (path, name, NULL);

          remove_tree (child);
        }
    }
  g_remove (path);
}

const char *
hosts_path (const char *name)
{
  char *path = g_build_filename (home, name, NULL);

  g_ptr_array_add (paths, path);
  return path;
}

const char *
hosts_write (const char *name, const char *text)
{
  const char *path = hosts_path (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

char *
hosts_read (const char *path)
{
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

/* Starts a process that removes the folder after the test has ended, even if the test is killed. It has its own process
 * group. Programs that end with the test may write for a short time after it. */
static void
remove_at_end (void)
{
  int ends[2], nothing;
  char byte;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  if (fork () != 0)
    {
      close (ends[0]); /* the other end stays open until this process ends */
      return;
    }
  setsid ();
  nothing = open ("/dev/null", O_RDWR);
  for (int i = 0; i < 3; i++)
    dup2 (nothing, i);
  close (ends[1]);
  while (read (ends[0], &byte, 1) == -1 && errno == EINTR)
    ;
  for (guint i = 0; i < 60 && g_file_test (home, G_FILE_TEST_EXISTS); i++)
    {
      remove_tree (home);
      g_usleep (G_USEC_PER_SEC / 4);
    }
  _exit (0);
}

void
hosts_begin (int *argc, char ***argv)
{
  const char *kept_in[] = { "HOME",           "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                            "XDG_CACHE_HOME", "XDG_STATE_HOME",  "XDG_RUNTIME_DIR" };
  g_autoptr (GError) error = NULL;

  paths = g_ptr_array_new_with_free_func (g_free);
  home = g_dir_make_tmp ("capra-hosts-XXXXXX", &error);
  g_assert_no_error (error);
  remove_at_end ();
  support_keep_pocl_cache ();
  for (guint i = 0; i < G_N_ELEMENTS (kept_in); i++)
    {
      const char *folder = i == 0 ? home : hosts_path (kept_in[i]);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_setenv (kept_in[i], folder, TRUE);
    }
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (argc, argv, NULL);
  gegl_init (NULL, NULL);
}

int
hosts_end (void)
{
  int status = g_test_run ();

  gegl_exit ();
  g_ptr_array_unref (paths);
  g_free (home);
  return status;
}
