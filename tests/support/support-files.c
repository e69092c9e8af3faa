/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that tests write. */
#include "tests/support/support-files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gstdio.h>

void
support_file_write (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

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

/* Starts a process that removes the folder after the test has ended, even if the test is killed. It has its own process
 * group. Programs that end with the test may write for a short time after it. */
static void
remove_at_end (const char *folder)
{
  int ends[2], nothing;
  char byte;

  g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
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
  for (guint i = 0; i < 60 && g_file_test (folder, G_FILE_TEST_EXISTS); i++)
    {
      remove_tree (folder);
      g_usleep (G_USEC_PER_SEC / 4);
    }
  _exit (0);
}

char *
support_folder_make (const char *template)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp (template, &error);

  g_assert_no_error (error);
  remove_at_end (folder);
  return folder;
}
