/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache folders that are full, read-only or missing: PoCL, which ends a process that cannot store its kernels, gets
 * another folder, and where there is none, or it fills later, operations fail with the reason. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "algorithms/box/box-blur.h"
#include "tests/support/support-machine.h"
#include "tests/support/support-mount.h"
#include "tests/support/support.h"

static const char *program; /* this one */

/* The folder for what replaces the cache folder, in one for temporary files. */
static char *
dup_replacement (const SupportMachine *machine)
{
  return g_strdup_printf ("%s/tmp/capra-%u", machine->caches, (guint) geteuid ());
}

/* A machine with these drivers, whose folder for temporary files is its own. */
static void
init (SupportMachine *machine)
{
  g_autofree char *folder = NULL;

  support_machine_init (machine, "");
  folder = g_build_filename (machine->caches, "tmp", NULL);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_setenv ("TMPDIR", folder, TRUE);
  g_unsetenv ("POCL_CACHE_DIR");
}

static void
clear (SupportMachine *machine)
{
  g_unsetenv ("TMPDIR");
  support_machine_clear (machine);
}

/* The cache folder cannot be created: kernels and verdicts are stored elsewhere. */
static void
test_missing (void)
{
  SupportMachine machine = { NULL };
  g_autofree char *output = NULL, *errors = NULL, *replacement = NULL, *verdicts = NULL, *said = NULL;
  struct stat found = { 0 };

  init (&machine);
  replacement = dup_replacement (&machine);
  verdicts = g_build_filename (replacement, "drivers.ini", NULL);
  said = g_strdup_printf ("kernels are stored in %s/pocl, because /dev/null/pocl/kcache cannot be used", replacement);
  g_setenv ("XDG_CACHE_HOME", "/dev/null", TRUE);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  support_assert_part (errors, said);
  g_assert_true (g_file_test (verdicts, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_lstat (replacement, &found), ==, 0);
  g_assert_cmpuint (found.st_mode & 0777, ==, 0700);

  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  support_assert_part (output, "used: it was tried and works");
  support_assert_part (output, "/dev/null/pocl/kcache: refused: cannot write to it: ");
  support_assert_part (output, "set XDG_CACHE_HOME to another folder");
  clear (&machine);
}

/* A folder that another user may have made is not used: it names libraries to load. */
static void
test_foreign (void)
{
  SupportMachine machine = { NULL };
  g_autofree char *output = NULL, *errors = NULL, *replacement = NULL;

  init (&machine);
  replacement = dup_replacement (&machine);
  g_assert_cmpint (g_mkdir (replacement, 0700), ==, 0);
  g_assert_cmpint (g_chmod (replacement, 0777), ==, 0);
  g_setenv ("XDG_CACHE_HOME", "/dev/null", TRUE);
  support_machine_run ("devices", &output, &errors);
  g_assert_null (strstr (errors, replacement));
  g_assert_cmpint (g_rmdir (replacement), ==, 0); /* it is empty */
  clear (&machine);
}

/* Runs @script, in which XDG_CACHE_HOME is a folder; NULL if this user cannot mount. */
static char *
run (const char *script)
{
  SupportMachine machine = { NULL };
  char *out = NULL;

  init (&machine);
  out = support_run_mounted (machine.caches, program, script);
  clear (&machine);
  return out;
}

/* Drivers are tried all the same, and the folder is named. @options: of the file system */
static void
test_replaced (gconstpointer options)
{
  g_autofree char *script = g_strdup_printf ("mount -t tmpfs tmpfs \"$TMPDIR\"\n"
                                             "home=$XDG_CACHE_HOME/home; mkdir $home\n"
                                             "mount -t tmpfs -o %s tmpfs $home\n"
                                             "export XDG_CACHE_HOME=$home\n"
                                             "\"$CAPRA_PROGRAM\" devices --why\n"
                                             "\"$0\" --use; find $home -type f | wc -l",
                                             (const char *) options);
  g_autofree char *out = run (script);

  if (!out)
    return;
  support_assert_part (out, "used: it was tried and works");
  support_assert_part (out, "/home/pocl/kcache: refused: ");
  support_assert_part (out, "used: with a memory budget");
  support_assert_part (out, "computed\n");
}

/* Neither the cache folder nor any other has space: no process is ended, and no verdict is stored. */
static void
test_nowhere (void)
{
  g_autofree char *out = run ("for folder in \"$TMPDIR\" /dev/shm; do mount -t tmpfs -o size=64k tmpfs $folder; done\n"
                              "home=$XDG_CACHE_HOME/home; mkdir $home\n"
                              "mount -t tmpfs -o size=64k tmpfs $home\n"
                              "export XDG_CACHE_HOME=$home\n"
                              "\"$CAPRA_PROGRAM\" devices --why; \"$0\" --use\n"
                              "find $home -name drivers.ini | wc -l");

  if (!out)
    return;
  support_assert_part (out, "/home/pocl/kcache: refused: it is full");
  support_assert_part (out, "/home/pocl/kcache: it is full: less than 16 MiB are free; free space there");
  g_assert_true (g_str_has_suffix (out, "\n0\n"));
}

/* The folder is filled while a process computes: the next kernel fails, and works when there is space again. */
static void
test_filled (void)
{
  g_autofree char *out = run ("home=$XDG_CACHE_HOME/home; mkdir $home\n"
                              "mount -t tmpfs -o size=64m tmpfs $home\n"
                              "export XDG_CACHE_HOME=$home POCL_CACHE_DIR=$home/kernels\n"
                              "\"$0\" --fill");

  if (!out)
    return;
  support_assert_part (out, "computed\n");
  support_assert_part (out, "/home/kernels: it is full: less than 16 MiB are free; free space there");
  g_assert_true (g_str_has_suffix (out, "\ncomputed\n"));
}

/* Prints the result of building and running a kernel. */
static void
compute (void)
{
  g_autoptr (GError) error = NULL;
  CapraDevice *device = capra_device_select (NULL, &error);
  const float values[4] = { 1, 2, 3, 4 };
  CapraShape shape = CAPRA_SHAPE_2D (2, 2, CAPRA_F32);
  g_autoptr (CapraArray) input = device ? capra_array_new_from_data (device, &shape, values, &error) : NULL;
  g_autoptr (CapraArray) output = input
                                    ? capra_box_blur (input, (const int[]){ 1, 1, 0 }, CAPRA_BORDER_CLAMP, NULL, &error)
                                    : NULL;
  float got[4] = { 0 };

  if (output && capra_array_download (output, got, &error))
    g_print ("computed\n");
  else
    g_print ("%s\n", error->message);
}

/* Loads the driver, fills the folder of its kernels, computes, frees the space, and computes again. */
static void
fill (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("XDG_CACHE_HOME"), "large", NULL);
  static const char bytes[1 << 20];
  int file = -1;

  g_assert_nonnull (capra_device_select (NULL, NULL));
  file = g_open (path, O_WRONLY | O_CREAT, 0600);
  while (write (file, bytes, sizeof bytes) > 0)
    ;
  g_assert_cmpint (errno, ==, ENOSPC);
  compute ();
  close (file);
  g_unlink (path);
  compute ();
}

/* Whether PoCL is the only driver, so that a device is one of its. */
static gboolean
is_pocl (void)
{
  const GPtrArray *devices = support_devices ();

  for (guint i = 0; i < devices->len; i++)
    if (!g_str_equal (capra_device_get_info (devices->pdata[i])->platform_name, "Portable Computing Language"))
      return FALSE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_setenv ("CAPRA_CHECK", "off", TRUE);
  if (argc == 2 && (g_str_equal (argv[1], "--use") || g_str_equal (argv[1], "--fill")))
    {
      g_str_equal (argv[1], "--use") ? compute () : fill ();
      return 0;
    }
  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  if (!is_pocl ()) /* before the environment names other drivers */
    {
      g_print ("1..0 # SKIP needs PoCL alone\n");
      return 0;
    }
  g_setenv ("CAPRA_PROBE", "300", TRUE); /* also beside other tests */
  g_test_add_func ("/driver-folder/missing", test_missing);
  g_test_add_func ("/driver-folder/foreign", test_foreign);
  g_test_add_data_func ("/driver-folder/full", "size=64k", test_replaced);
  g_test_add_data_func ("/driver-folder/read-only", "ro", test_replaced);
  g_test_add_func ("/driver-folder/nowhere", test_nowhere);
  g_test_add_func ("/driver-folder/filled", test_filled);
  return g_test_run ();
}
