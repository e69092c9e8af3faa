/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of PoCL uses its own symbols, also where the process has others of the same names, as in GEGL, whose
 * modules are loaded with global symbols. Each case is a process of its own, since OpenCL is loaded once. */
#include <dlfcn.h>

#include "tests/support/support-machine.h"
#include "tests/support/support.h"

/* Sanitizers replace malloc(): drivers must use theirs. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

/* Asserts which symbol the fake driver `name` uses beside the driver "slow" with global symbols. */
static void
assert_vendor (const char *name, const char *vendor)
{
  g_autofree char *slow = g_build_filename (g_getenv ("CAPRA_TEST_DRIVERS"), "fake-slow.so", NULL);
  const GPtrArray *devices = NULL;
  SupportMachine machine = { NULL };
  guint found = 0;

  g_assert_nonnull (dlopen (slow, RTLD_LAZY | RTLD_GLOBAL));
  support_machine_init (&machine, name);
  devices = capra_device_list (NULL);
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      if (g_str_equal (info->platform_name, "Fake Platform"))
        {
          g_assert_cmpstr (info->vendor, ==, vendor);
          found++;
        }
    }
  g_assert_cmpuint (found, ==, 2);
  support_machine_clear (&machine);
}

static void
test_own (void)
{
  if (g_test_subprocess ())
    {
      assert_vendor ("pocl", SANITIZED ? "slow" : "pocl");
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* Other drivers are loaded by the OpenCL loader alone. */
static void
test_other (void)
{
  if (g_test_subprocess ())
    {
      assert_vendor ("killed", "slow");
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* A library that the user preloads may replace any symbol. */
static void
test_preloaded (void)
{
  if (g_test_subprocess ())
    {
      assert_vendor ("pocl", "slow");
      return;
    }
  g_setenv ("LD_PRELOAD", "libm.so.6", TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv ("LD_PRELOAD");
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/driver-load/own", test_own);
  g_test_add_func ("/driver-load/other", test_other);
  g_test_add_func ("/driver-load/preloaded", test_preloaded);
  return g_test_run ();
}
