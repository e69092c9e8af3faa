/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program cache: kernels are built whatever a cache file contains, and the file is valid afterwards. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/launch/program-build.h"
#include "tests/support/support-caches.h"
#include "tests/support/support.h"

#define AT_ONCE 4

static const char *program;

/* The result of a process that uses the cache. */
typedef struct {
  guint builds, loads;
} Used;

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

static GSubprocess *
start (const char *which)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "timeout", "120", program, "--use",
                                         which, NULL);

  g_assert_no_error (error);
  return child;
}

static Used
finish (GSubprocess *child)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  Used used = { 0 };

  g_subprocess_communicate_utf8 (child, NULL, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (child));
  g_assert_cmpint (g_subprocess_get_exit_status (child), ==, EXIT_SUCCESS);
  g_assert_cmpint (sscanf (out, "%u %u", &used.builds, &used.loads), ==, 2);
  g_object_unref (child);
  return used;
}

static void
assert_built (const char *which)
{
  Used used = finish (start (which));

  g_assert_cmpuint (used.builds, ==, 1);
  g_assert_cmpuint (used.loads, ==, 0);
}

static void
assert_loaded (const char *which)
{
  Used used = finish (start (which));

  g_assert_cmpuint (used.builds, ==, 0);
  g_assert_cmpuint (used.loads, ==, 1);
}

/* A separate cache for the processes of this test. */
static char *
cache_new (void)
{
  char *home = g_dir_make_tmp ("capra-cache-XXXXXX", NULL);

  g_assert_nonnull (home);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  return home;
}

static void
cache_remove (char *home)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", home);

  g_assert_cmpint (system (command), ==, 0);
  g_free (home);
}

static char *
cache_folder (const char *home)
{
  return g_build_filename (home, "capra", "kernels", NULL);
}

/* The only file of the cache, @but another one (nullable). */
static char *
find_file (const char *home, const char *but)
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

/* Writes in place, so that owner and permissions do not change. */
static void
write_file (const char *path, const char *data, gsize length)
{
  int fd = g_open (path, O_WRONLY | O_TRUNC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, data, length), ==, (gssize) length);
  close (fd);
}

/* Kernels are built, and then there is a valid file of this user. */
static void
assert_replaced (const char *path)
{
  struct stat found;

  assert_built ("fill");
  g_assert_cmpint (lstat (path, &found), ==, 0);
  g_assert_true (S_ISREG (found.st_mode));
  g_assert_cmpuint (found.st_mode & 0777, ==, 0600);
  g_assert_cmpuint (found.st_uid, ==, geteuid ());
  assert_loaded ("fill");
}

static void
test_kept (void)
{
  char *home = cache_new ();
  g_autofree char *folder = cache_folder (home);
  g_autofree char *path = NULL;
  struct stat found;

  assert_built ("fill");
  path = find_file (home, NULL);
  assert_loaded ("fill");
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

  assert_built ("fill");
  path = find_file (home, NULL);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  {
    const gsize lengths[] = { 0, 100, length / 2, length - 1 };
    const gsize places[] = { 0, 13, 80, length / 2, length - 1 };

    for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
      {
        write_file (path, data, lengths[i]);
        assert_replaced (path);
      }
    for (guint i = 0; i < G_N_ELEMENTS (places); i++)
      {
        g_autofree char *changed = g_memdup2 (data, length);

        changed[places[i]] ^= 0x10;
        write_file (path, changed, length);
        assert_replaced (path);
      }
  }
  data = g_realloc (data, length + 1);
  data[length] = 0;
  write_file (path, data, length + 1);
  assert_replaced (path);
  cache_remove (home);
}

/* A valid file of another program. */
static void
test_exchanged (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *other = NULL, *data = NULL;
  gsize length = 0;

  assert_built ("fill");
  path = find_file (home, NULL);
  assert_built ("arithmetic");
  other = find_file (home, path);
  g_assert_true (g_file_get_contents (other, &data, &length, NULL));
  write_file (path, data, length);
  assert_replaced (path);
  assert_loaded ("arithmetic");
  cache_remove (home);
}

/* Not a regular file. */
static void
test_no_file (void)
{
  char *home = cache_new ();
  g_autofree char *path = NULL, *elsewhere = g_build_filename (home, "elsewhere", NULL);

  assert_built ("fill");
  path = find_file (home, NULL);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_replaced (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  assert_replaced (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  assert_replaced (path);

  /* A link to a valid file. */
  g_assert_cmpint (g_rename (path, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  assert_replaced (path);
  g_assert_true (g_file_test (elsewhere, G_FILE_TEST_IS_REGULAR));

  /* Larger than any binary. */
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  assert_replaced (path);
  cache_remove (home);
}

static void
test_others (void)
{
  char *home = cache_new ();
  g_autofree char *folder = cache_folder (home);
  g_autofree char *path = NULL, *data = NULL, *now = NULL;
  gsize length = 0;

  assert_built ("fill");
  path = find_file (home, NULL);
  g_assert_cmpint (g_chmod (path, 0660), ==, 0);
  assert_replaced (path);
  if (geteuid () == 0)
    {
      g_assert_cmpint (chown (path, 65534, 65534), ==, 0);
      assert_replaced (path);
    }

  /* A folder in which others can create files is neither read nor written. */
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  assert_built ("fill");
  assert_built ("arithmetic");
  if (geteuid () == 0)
    {
      g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
      g_assert_cmpint (chown (folder, 65534, 65534), ==, 0);
      assert_built ("fill");
      assert_built ("arithmetic");
    }
  g_free (path);
  path = find_file (home, NULL);
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
      assert_built ("fill");
      assert_built ("fill");
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
    children[i] = start ("fill");
  for (guint i = 0; i < AT_ONCE; i++)
    {
      Used used = finish (children[i]);

      g_assert_cmpuint (used.builds + used.loads, ==, 1);
    }
  path = find_file (home, NULL); /* the only file */
  assert_loaded ("fill");
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
  Used used;

  g_setenv ("POCL_CACHE_DIR", pocl, TRUE);
  child = start ("nothing");
  g_subprocess_wait (child, NULL, NULL);
  g_object_unref (child);
  g_setenv ("POCL_CACHE_DIR", kept, TRUE); /* that of PoCL lacks files, too */
  used = finish (start ("fill"));
  g_assert_cmpuint (used.builds + used.loads, ==, 1);
  cache_remove (home);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[2], "nothing"))
    return keep_without_files ();
  if (argc == 3 && g_str_equal (argv[1], "--use"))
    return use (argv[2]);
  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  support_keep_pocl_cache ();
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
