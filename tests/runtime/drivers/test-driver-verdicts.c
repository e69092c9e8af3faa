/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on drivers are kept, and drivers tried again: after a change, when asked for, and after a refusal that may
 * have been wrong. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/drivers/driver.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-drivers.h"
#include "tests/support/support-machine.h"
#include "tests/support/support.h"

static void
copy_file (const char *from, const char *to)
{
  g_autofree char *bytes = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (to, bytes, (gssize) length, NULL));
}

static void
copy_driver (const char *name, const char *to)
{
  g_autofree char *from = g_strdup_printf ("%s/fake-%s.so", g_getenv ("CAPRA_TEST_DRIVERS"), name);

  copy_file (from, to);
}

/* A driver is tried again when its library changes, and on request. */
static void
test_changed (void)
{
  g_autofree char *output = NULL, *errors = NULL, *library = NULL, *icd = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "");
  library = g_build_filename (machine.drivers, "driver.so", NULL);
  icd = g_build_filename (machine.drivers, "changing.icd", NULL);
  copy_driver ("crash", library);
  g_assert_true (g_file_set_contents (icd, library, -1, NULL));
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (support_machine_run ("devices --probe", &output, &errors), ==, 0);
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  support_assert_good_devices (output);

  copy_driver ("names", library);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_part (errors, "it returns invalid data");
  support_assert_good_devices (output);
  support_machine_clear (&machine);
}

static char *
dup_cache_path (const SupportMachine *machine)
{
  return g_build_filename (machine->caches, "capra", "drivers.ini", NULL);
}

static GKeyFile *
load_cache (const SupportMachine *machine)
{
  g_autofree char *path = dup_cache_path (machine);
  GKeyFile *cache = g_key_file_new ();

  g_assert_true (g_key_file_load_from_file (cache, path, G_KEY_FILE_NONE, NULL));
  return cache;
}

/* The group of the driver whose ICD file has @name in its path; NULL if it is not stored. */
static char *
find_group (GKeyFile *cache, const char *name)
{
  g_auto (GStrv) groups = g_key_file_get_groups (cache, NULL);

  for (guint i = 0; groups[i]; i++)
    if (strstr (groups[i], name))
      return g_strdup (groups[i]);
  return NULL;
}

/* Makes the stored verdict on the driver a refusal, which was the third one, and is valid until the time @until. */
static void
store_refusal (const SupportMachine *machine, const char *name, gint64 until)
{
  g_autofree char *result = g_strdup_printf ("%d", CAPRA_TRIAL_HUNG);
  const char *const verdict[] = { result, "10", "clBuildProgram" }; /* with the seconds and the call */
  g_autofree char *path = dup_cache_path (machine), *group = NULL;
  g_autoptr (GKeyFile) cache = load_cache (machine);
  g_autoptr (GError) error = NULL;

  group = find_group (cache, name);
  g_assert_nonnull (group);
  g_key_file_set_string_list (cache, group, "verdict", verdict, G_N_ELEMENTS (verdict));
  g_key_file_remove_key (cache, group, "devices", NULL);
  g_key_file_set_int64 (cache, group, "until", until);
  g_key_file_set_integer (cache, group, "refusals", 3);
  g_key_file_save_to_file (cache, path, &error);
  g_assert_no_error (error);
}

/* How long the refusal is valid, in seconds; @refusals: the stored number */
static gint64
get_age (const SupportMachine *machine, const char *name, int refusals)
{
  g_autoptr (GKeyFile) cache = load_cache (machine);
  g_autofree char *group = find_group (cache, name);

  g_assert_nonnull (group);
  g_assert_cmpint (g_key_file_get_integer (cache, group, "refusals", NULL), ==, refusals);
  return g_key_file_get_int64 (cache, group, "until", NULL) - g_get_real_time () / G_USEC_PER_SEC;
}

/* A refused driver is tried again after five minutes, then after twice that time, and so on; a refusal that was wrong
 * ends with that. */
static void
test_again (void)
{
  const gint64 first = 5 * 60, now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "crash");
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  g_assert_cmpint (get_age (&machine, "fake-crash", 1), <=, first);

  store_refusal (&machine, "fake-crash", now + first);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (support_machine_run ("devices --probe", &output, &errors), ==,
                   0); /* at the user's request: not counted */
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  g_assert_cmpint (get_age (&machine, "fake-crash", 3), >, first);

  store_refusal (&machine, "fake-crash", now - 1);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  g_assert_cmpint (get_age (&machine, "fake-crash", 4), >, 4 * first);
  g_assert_cmpint (get_age (&machine, "fake-crash", 4), <=, 8 * first);
  support_machine_clear (&machine);
}

/* A good driver that was refused is used again after its next trial. */
static void
test_lifted (void)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *output = NULL, *errors = NULL, *name = NULL, *group = NULL;
  g_autoptr (GKeyFile) cache = NULL;
  SupportMachine machine = { NULL };
  g_autoptr (GDir) dir = NULL;

  support_machine_init (&machine, "");
  g_setenv ("CAPRA_PROBE", "300", TRUE); /* also beside other tests */
  dir = g_dir_open (machine.drivers, 0, NULL);
  name = g_strdup (g_dir_read_name (dir));
  g_assert_nonnull (name);
  if (g_dir_read_name (dir))
    {
      g_test_skip ("needs one driver, so that no device remains");
      g_unsetenv ("CAPRA_PROBE");
      support_machine_clear (&machine);
      return;
    }
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  store_refusal (&machine, name, now + 60 * 60);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 1);
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 1);
  support_assert_part (output, "refused: it did not return from clBuildProgram within 10 s");
  store_refusal (&machine, name, now - 1);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  g_assert_cmpstr (errors, ==, "");
  cache = load_cache (&machine);
  group = find_group (cache, name);
  g_assert_nonnull (group);
  g_assert_false (g_key_file_has_key (cache, group, "refusals", NULL));
  g_assert_false (g_key_file_has_key (cache, group, "until", NULL));
  g_unsetenv ("CAPRA_PROBE");
  support_machine_clear (&machine);
}

/* Finds the device of the driver `fake-@name`, whose trial is not completed. */
static void
assert_unfinished (const SupportMachine *machine, const char *name)
{
  g_autofree char *output = NULL, *errors = NULL, *file = g_strdup_printf ("fake-%s", name);
  g_autofree char *said = g_strdup_printf ("%s.so): used: ", file);

  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  support_assert_part (output, said);
  support_assert_part (output, "Fake Device 1 (Fake Platform): used");
  g_assert_cmpint (get_age (machine, file, 0), <=, 5 * 60);
  g_assert_cmpint (get_age (machine, file, 0), >, 0);
}

/* A trial that something else than the driver ended, such as a lack of memory or of processor time, refuses nothing.
 * @name: of the driver */
static void
test_unfinished (gconstpointer name)
{
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "");
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0); /* a good driver may need longer */
  support_drivers_add (machine.drivers, name);
  g_setenv ("CAPRA_PROBE", "2", TRUE);
  assert_unfinished (&machine, name);
  g_unsetenv ("CAPRA_PROBE");
  support_machine_clear (&machine);
}

/* A driver that was refused stays refused if its next trial is not completed. */
static void
test_stays (void)
{
  const gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "killed");
  assert_unfinished (&machine, "killed");
  store_refusal (&machine, "fake-killed", now - 1);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  support_assert_part (errors, "fake-killed.icd is not used: it did not return from clBuildProgram");
  g_assert_cmpint (get_age (&machine, "fake-killed", 4), >, 0);
  g_assert_cmpint (support_machine_run ("devices --probe", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  support_machine_clear (&machine);
}

/* Damaged and foreign caches: the drivers are tried again. */
static void
test_cache (void)
{
  g_autofree char *output = NULL, *errors = NULL, *path = NULL, *text = NULL, *half = NULL;
  SupportMachine machine = { NULL };
  struct stat found;

  support_machine_init (&machine, "crash");
  path = dup_cache_path (&machine);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 1; i < 4; i++)
    {
      g_free (half);
      half = g_strndup (text, strlen (text) * i / 4);
      g_assert_true (g_file_set_contents (path, half, -1, NULL));
      g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
      support_assert_good_devices (output);
    }
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_part (errors, "it crashed in clGetPlatformIDs"); /* others may have written the file */
  g_assert_cmpint (g_stat (path, &found), ==, 0);
  g_assert_cmpint (found.st_mode & 0777, ==, 0600); /* or the drivers would be tried at each start */
  support_machine_clear (&machine);
}

/* Where the program that tries drivers is missing, drivers are loaded without a trial. */
static void
test_impossible (void)
{
  g_autofree char *output = NULL, *errors = NULL, *library = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "");
  /* The program is looked for beside the library. */
  library = g_build_filename (machine.caches, "libcapra.so.0", NULL);
  copy_file (g_getenv ("CAPRA_TEST_LIBRARY"), library);
  g_setenv ("LD_PRELOAD", library, TRUE);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  g_unsetenv ("LD_PRELOAD");
  support_machine_clear (&machine);
}

int
main (int argc, char **argv)
{
  support_keep_driver_caches ();
  g_test_init (&argc, &argv, NULL);
  support_devices ();         /* before the environment names other drivers */
  g_unsetenv ("CAPRA_PROBE"); /* "off" in the environment of the tests */
  g_test_add_func ("/drivers/changed", test_changed);
  g_test_add_func ("/drivers/again", test_again);
  g_test_add_func ("/drivers/lifted", test_lifted);
  g_test_add_data_func ("/drivers/killed", "killed", test_unfinished);
  g_test_add_data_func ("/drivers/slow", "slow", test_unfinished);
  g_test_add_data_func ("/drivers/starved", "starved", test_unfinished);
  g_test_add_func ("/drivers/stays", test_stays);
  g_test_add_func ("/drivers/cache", test_cache);
  g_test_add_func ("/drivers/impossible", test_impossible);
  return g_test_run ();
}
