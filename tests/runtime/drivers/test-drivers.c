/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drivers that hang, crash or lie beside a good one: they are refused, with a reason, and the good one is used. The
 * program `capra` runs with a cache folder of its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem beside gnu11 */
#endif
#include <CL/cl.h>
#include <glib/gstdio.h>
#include <string.h>

#include "runtime/device/device-why.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-json.h"
#include "tests/support/support-machine.h"
#include "tests/support/support.h"

/* The names of drivers, and parts of the reasons for which they are refused. */
static const struct {
  const char *name, *reason;
} fakes[] = {
  { "crash", "it crashed in clGetPlatformIDs" },
  { "build", "it crashed in clBuildProgram" },
  { "platforms", "it crashed in clGetPlatformIDs" },
  { "devices", "it returns invalid data: clGetDeviceIDs: 4000000000 devices" },
  { "names", "it returns invalid data: clGetDeviceInfo (CL_DEVICE_NAME)" },
  { "empty", "it returns invalid data: clGetDeviceInfo (CL_DEVICE_NAME)" },
};

static void
test_faults (void)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *output = NULL, *errors = NULL, *left = NULL;
  SupportMachine machine = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (fakes); i++)
    g_string_append_printf (names, "%s ", fakes[i].name);
  support_machine_init (&machine, names->str);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  for (guint i = 0; i < G_N_ELEMENTS (fakes); i++)
    {
      g_autofree char *said = g_strdup_printf ("/fake-%s.icd is not used: %s", fakes[i].name, fakes[i].reason);

      support_assert_part (errors, said);
    }

  /* The verdicts are stored: they are not reported again. */
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  g_assert_cmpstr (errors, ==, "");

  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (fakes); i++)
    {
      g_autofree char *said = g_strdup_printf ("fake-%s.so): refused: %s", fakes[i].name, fakes[i].reason);

      support_assert_part (output, said);
    }
  support_assert_part (output, "\"capra devices --probe\" tries it again");
  support_assert_part (output, capra_device_get_info (support_device (0))->name);

  /* The folders of the trial are removed. */
  left = g_strdup_printf ("sh -c 'test -z \"$(ls -d %s/capra/drivers-* 2>/dev/null)\"'", machine.caches);
  g_assert_true (g_spawn_command_line_sync (left, NULL, NULL, NULL, NULL));
  support_machine_clear (&machine);
}

/* Whether a process runs whose environment names the folder. */
static gboolean
is_used (const char *folder)
{
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (processes)))
    {
      g_autofree char *path = g_build_filename ("/proc", name, "environ", NULL), *variables = NULL;
      gsize length = 0;

      if (g_file_get_contents (path, &variables, &length, NULL) && memmem (variables, length, folder, strlen (folder)))
        return TRUE;
    }
  return FALSE;
}

/* Drivers that hang are ended at the time limit. The other driver may take as long as it needs. */
static void
test_hang (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "hang compiler");
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  support_assert_part (errors, "fake-hang.icd is not used: it did not return from clGetPlatformIDs within 10 s");
  support_assert_part (errors, "fake-compiler.icd is not used: it did not return from clBuildProgram within 10 s");
  g_assert_false (is_used (machine.caches));
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  g_assert_cmpstr (errors, ==, "");
  support_machine_clear (&machine);
}

/* Removes the ICD files of the system from the folder. */
static void
keep_fakes (const SupportMachine *machine)
{
  g_autoptr (GDir) dir = g_dir_open (machine->drivers, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (machine->drivers, name, NULL);

      if (!g_str_has_prefix (name, "fake-"))
        g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* The time limit is a setting. If no driver is good, the error says where to find the reason. */
static void
test_limit (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };
  gint64 start = 0;

  support_machine_init (&machine, "hang crash");
  keep_fakes (&machine);
  g_setenv ("CAPRA_PROBE", "4", TRUE);
  start = g_get_monotonic_time ();
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 4 * G_USEC_PER_SEC);
  support_assert_part (errors, "it did not return from clGetPlatformIDs within 4 s");
  support_assert_part (errors, "it crashed in clGetPlatformIDs");
  support_assert_part (errors, "no OpenCL device");
  support_assert_part (errors, "capra devices --why");
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 1);
  support_assert_part (output, "within 4 s");
  g_unsetenv ("CAPRA_PROBE");
  support_machine_clear (&machine);
}

/* Of a driver with several devices, each is tried, also after one that crashed. */
static void
test_devices (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  SupportMachine machine = { NULL };
  g_autoptr (JsonNode) json = NULL;
  JsonArray *findings = NULL;
  guint refused = 0;

  support_machine_init (&machine, "build");
  g_assert_cmpint (support_machine_run ("devices --why --json", &output, &errors), ==, 0);
  json = support_json_parse (output);
  findings = json_node_get_array (json);
  for (guint i = 0; i < json_array_get_length (findings); i++)
    {
      JsonObject *finding = json_array_get_object_element (findings, i);
      const char *name = json_object_get_string_member (finding, "name");

      if (!strstr (name, "Fake Device"))
        continue;
      g_assert_cmpstr (json_object_get_string_member (finding, "kind"), ==, "device");
      g_assert_cmpstr (json_object_get_string_member (finding, "state"), ==, "refused");
      support_assert_part (json_object_get_string_member (finding, "reason"),
                           strstr (name, "Device 0") ? "clBuildProgram" : "wrong value");
      g_assert_true (json_object_has_member (finding, "remedy"));
      refused++;
    }
  g_assert_cmpuint (refused, ==, 2);
  support_machine_clear (&machine);
}

/* Files that name no library, or one that cannot be loaded. */
static void
test_unseen (void)
{
  g_autofree char *output = NULL, *errors = NULL, *empty = NULL, *missing = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "");
  empty = g_build_filename (machine.drivers, "a-empty.icd", NULL);
  missing = g_build_filename (machine.drivers, "b-missing.icd", NULL);
  g_assert_true (g_file_set_contents (empty, "\n", -1, NULL));
  g_assert_true (g_file_set_contents (missing, "libnowhere-rusticl.so.1\n", -1, NULL));
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  support_assert_part (output, "a-empty.icd: not seen: it names no library");
  support_assert_part (output,
                       "b-missing.icd (libnowhere-rusticl.so.1): not seen: its library cannot be loaded: libnowhere");
  support_assert_part (output, ": used: with a memory budget of 4.0");
  support_assert_part (output, "the budget is set by CAPRA_MEMORY_BUDGET");
  g_assert_cmpstr (errors, ==, "");
  g_setenv ("OCL_ICD_VENDORS", "/nowhere", TRUE);
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 1);
  support_assert_part (output, "/nowhere: not seen: it has no ICD file");
  support_assert_part (output, "unset OCL_ICD_VENDORS");
  support_machine_clear (&machine);
}

static void
test_off (void)
{
  g_autofree char *output = NULL, *errors = NULL, *path = NULL;
  SupportMachine machine = { NULL };

  support_machine_init (&machine, "");
  path = g_build_filename (machine.caches, "capra", "drivers.ini", NULL);
  g_setenv ("CAPRA_PROBE", "off", TRUE);
  g_assert_cmpint (support_machine_run ("devices", &output, &errors), ==, 0);
  support_assert_good_devices (output);
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  support_assert_part (output, "it was not tried");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_setenv ("CAPRA_PROBE", "300", TRUE); /* also beside other tests */
  g_assert_cmpint (support_machine_run ("devices --why", &output, &errors), ==, 0);
  support_assert_part (output, "it was tried and works");
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_unsetenv ("CAPRA_PROBE");
  support_machine_clear (&machine);
}

/* The environment is the same before and after, also for programs that the process starts. */
static void
environment_child (void)
{
  g_autofree char *before = g_strdup (g_getenv ("OCL_ICD_VENDORS")), *output = NULL;

  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* the refusal is a message */
  g_assert_nonnull (capra_device_list (NULL));
  g_assert_cmpstr (g_getenv ("OCL_ICD_VENDORS"), ==, before);
  g_assert_true (g_spawn_command_line_sync ("sh -c 'echo \"$OCL_ICD_VENDORS\"'", &output, NULL, NULL, NULL));
  g_assert_cmpstr (g_strchomp (output), ==, before);
}

/* A host that has loaded OpenCL itself has the faulty driver, too: its devices are left out. */
static void
loaded_child (void)
{
  cl_platform_id platforms[16];
  cl_uint n = 0;
  const GPtrArray *devices = NULL;

  g_assert_cmpint (clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n), ==, CL_SUCCESS);
  g_assert_cmpuint (n, >=, 2);
  devices = capra_device_list (NULL);
  g_assert_nonnull (devices);
  for (guint i = 0; i < devices->len; i++)
    {
      g_assert_cmpstr (capra_device_get_info (devices->pdata[i])->platform_name, !=, "Fake Platform");
      g_assert_cmpuint (capra_device_get_info (devices->pdata[i])->index, ==, i);
    }
}

static void
test_child (gconstpointer child)
{
  SupportMachine machine = { NULL };

  if (g_test_subprocess ())
    {
      ((void (*) (void)) child) ();
      return;
    }
  support_machine_init (&machine, "build");
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  support_machine_clear (&machine);
}

int
main (int argc, char **argv)
{
  support_keep_driver_caches ();
  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    support_devices ();       /* before the environment names other drivers */
  g_unsetenv ("CAPRA_PROBE"); /* "off" in the environment of the tests */
  g_test_add_func ("/drivers/faults", test_faults);
  g_test_add_func ("/drivers/hang", test_hang);
  g_test_add_func ("/drivers/limit", test_limit);
  g_test_add_func ("/drivers/devices", test_devices);
  g_test_add_func ("/drivers/unseen", test_unseen);
  g_test_add_func ("/drivers/off", test_off);
  g_test_add_data_func ("/drivers/environment", environment_child, test_child);
  g_test_add_data_func ("/drivers/loaded", loaded_child, test_child);
  return g_test_run ();
}
