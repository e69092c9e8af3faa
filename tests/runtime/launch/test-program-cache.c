/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program cache: kernels are built whatever a cache file contains, and the file is valid afterwards. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/launch/program-build.h"
#include "tests/runtime/launch/cache-process.h"
#include "tests/support/support-caches.h"
#include "tests/support/support.h"

#define AT_ONCE 4

/* In a separate process: saves a binary after a file of PoCL was deleted that is a part of it. */
static int
keep_without_files (void)
{
  CapraContext *context = capra_context_get (support_device (0), NULL);
  g_autofree char *command = g_strdup_printf ("find '%s' -name program.bc -delete", g_getenv ("POCL_CACHE_DIR"));
  cl_program built = NULL;

  g_setenv ("CAPRA_KERNELS", "quick", TRUE); /* saves no program by itself */
  built = capra_program_build (context, "fill", "", FALSE, NULL);
  g_assert_nonnull (built);
  g_assert_cmpint (system (command), ==, 0);
  capra_program_save (context, "fill", "", built, capra_program_cache_user (), NULL);
  return EXIT_SUCCESS;
}

static void
test_kept (void)
{
  char *home = cache_new ();
  g_autofree char *folder = cache_folder (home);
  g_autofree char *path = NULL;
  struct stat found;

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);
  cache_assert_loaded ("fill");
  g_assert_cmpint (stat (folder, &found), ==, 0);
  g_assert_cmpuint (found.st_mode & 0777, ==, 0700);
  g_assert_cmpint (stat (path, &found), ==, 0);
  g_assert_cmpuint (found.st_mode & 0777, ==, 0600);
  cache_remove (home);
}

/* Truncated, too long, or with a different bit in the header, the identity or the binary. */
static void
test_damaged (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *data = NULL;
  gsize length = 0;

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  {
    const gsize lengths[] = { 0, 100, length / 2, length - 1 };
    const gsize places[] = { 0, 13, 80, length / 2, length - 1 };

    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
      {
        cache_write_file (path, data, lengths[i]);
        cache_assert_replaced (path);
      }
    for (guint i = 0; i < G_N_ELEMENTS (places); i++)
      {
        g_autofree char *changed = g_memdup2 (data, length);

        changed[places[i]] ^= 0x10;
        cache_write_file (path, changed, length);
        cache_assert_replaced (path);
      }
  }
  data = g_realloc (data, length + 1);
  data[length] = 0;
  cache_write_file (path, data, length + 1);
  cache_assert_replaced (path);
  cache_remove (home);
}

/* A valid file of another program. */
static void
test_exchanged (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *other = NULL, *data = NULL;
  gsize length = 0;

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);
  cache_assert_built ("arithmetic");
  other = cache_find_file (home, path);
  g_assert_true (g_file_get_contents (other, &data, &length, NULL));
  cache_write_file (path, data, length);
  cache_assert_replaced (path);
  cache_assert_loaded ("arithmetic");
  cache_remove (home);
}

/* Not a regular file. */
static void
test_no_file (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *elsewhere = g_build_filename (home, "elsewhere", NULL);

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  cache_assert_replaced (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  cache_assert_replaced (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  cache_assert_replaced (path);

  /* A link to a valid file. */
  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  cache_assert_replaced (path);
  g_assert_true (g_file_test (elsewhere, G_FILE_TEST_IS_REGULAR));

  /* Larger than any binary. */
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  cache_assert_replaced (path);
  cache_remove (home);
}

static void
test_others (void)
{
  char *home = cache_new ();
  g_autofree char *folder = cache_folder (home);
  g_autofree char *path = NULL, *data = NULL, *now = NULL;
  gsize length = 0;

  cache_assert_built ("fill");
  path = cache_find_file (home, NULL);
  g_assert_cmpint (g_chmod (path, 0660), ==, 0);
  cache_assert_replaced (path);
  if (geteuid () == 0)
    {
      g_assert_cmpint (chown (path, 65534, 65534), ==, 0);
      cache_assert_replaced (path);
    }

  /* A folder in which others can create files is neither read nor written. */
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  cache_assert_built ("fill");
  cache_assert_built ("arithmetic");
  if (geteuid () == 0)
    {
      g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
      g_assert_cmpint (chown (folder, 65534, 65534), ==, 0);
      cache_assert_built ("fill");
      cache_assert_built ("arithmetic");
    }
  g_free (path);
  path = cache_find_file (home, NULL);
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpmem (now, length, data, length);
  cache_remove (home);
}

/* Root, with the home of another user: creates nothing to which that user could not write. */
static void
test_home_of_other (void)
{
  char *home = cache_new ();

  if (geteuid () == 0)
    {
      g_unsetenv ("XDG_RUNTIME_DIR"); /* otherwise the monitor's sockets would be in the cache folder */
      g_assert_cmpint (chown (home, 65534, 65534), ==, 0);
      cache_assert_built ("fill");
      cache_assert_built ("fill");
      g_assert_cmpint (g_rmdir (home), ==, 0);
      g_assert_cmpint (g_mkdir (home, 0700), ==, 0);
    }
  else
    g_test_skip ("only root has other users' homes");
  cache_remove (home);
}

static void
test_at_once (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL;
  GSubprocess *children[AT_ONCE];

  for (guint i = 0; i < AT_ONCE; i++)
    children[i] = cache_process_start ("fill");
  for (guint i = 0; i < AT_ONCE; i++)
    {
      CacheUse used = cache_process_finish (children[i]);

      g_assert_cmpuint (used.builds + used.loads, ==, 1);
    }
  path = cache_find_file (home, NULL); /* the only file */
  cache_assert_loaded ("fill");
  cache_remove (home);
}

/* PoCL ends a process that loads a binary with missing parts: only the process that saves it may end so. */
static void
test_missing_parts (void)
{
  g_autofree char *kept = g_strdup (g_getenv ("POCL_CACHE_DIR"));
  char *home = cache_new ();
  g_autofree char *pocl = g_build_filename (home, "pocl", NULL);
  GSubprocess *child = NULL;
  CacheUse used;

  g_setenv ("POCL_CACHE_DIR", pocl, TRUE);
  child = cache_process_start ("nothing");
  g_subprocess_wait (child, NULL, NULL);
  g_object_unref (child);
  g_setenv ("POCL_CACHE_DIR", kept, TRUE); /* that of PoCL lacks files, too */
  used = cache_process_finish (cache_process_start ("fill"));
  g_assert_cmpuint (used.builds + used.loads, ==, 1);
  cache_remove (home);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[2], "nothing"))
    return keep_without_files ();
  cache_process_init (argc, argv);
  g_test_init (&argc, &argv, NULL);
  support_keep_driver_caches ();
  g_setenv ("CAPRA_KERNELS", "optimized", TRUE); /* programs are saved when they are built */
  g_test_add_func ("/program-cache/kept", test_kept);
  g_test_add_func ("/program-cache/damaged", test_damaged);
  g_test_add_func ("/program-cache/exchanged", test_exchanged);
  g_test_add_func ("/program-cache/no-file", test_no_file);
  g_test_add_func ("/program-cache/others", test_others);
  g_test_add_func ("/program-cache/home-of-other", test_home_of_other);
  g_test_add_func ("/program-cache/at-once", test_at_once);
  g_test_add_func ("/program-cache/missing-parts", test_missing_parts);
  return g_test_run ();
}
