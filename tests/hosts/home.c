/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The home folder of the tests of host programs, and files in it. */
#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-files.h"

static char *home;
static GPtrArray *paths; /* returned by hosts_path () */

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

void
hosts_begin (int *argc, char ***argv)
{
  const char *kept_in[] = { "HOME",           "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                            "XDG_CACHE_HOME", "XDG_STATE_HOME",  "XDG_RUNTIME_DIR" };

  paths = g_ptr_array_new_with_free_func (g_free);
  home = support_folder_make ("capra-hosts-XXXXXX");
  support_keep_driver_caches ();
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
