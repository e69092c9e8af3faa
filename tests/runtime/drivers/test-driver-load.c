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

/* The fake driver @name uses the symbol of @vendor beside the driver "slow", which has global symbols. @preload:
 * (nullable): the library that the user preloads */
typedef struct {
  const char *path, *name, *vendor, *preload;
} Case;

static const Case cases[] = {
  { "/driver-load/own", "pocl", SANITIZED ? "slow" : "pocl", NULL },
  { "/driver-load/other", "killed", "slow", NULL },          /* loaded by the OpenCL loader alone */
  { "/driver-load/preloaded", "pocl", "slow", "libm.so.6" }, /* which may replace any symbol */
};

static void
assert_vendor (const Case *c)
{
  g_autofree char *slow = g_build_filename (g_getenv ("CAPRA_TEST_DRIVERS"), "fake-slow.so", NULL);
  const GPtrArray *devices = NULL;
  SupportMachine machine = { NULL };
  guint found = 0;

  g_assert_nonnull (dlopen (slow, RTLD_LAZY | RTLD_GLOBAL));
  support_machine_init (&machine, c->name);
  devices = capra_device_list (NULL);
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      if (g_str_equal (info->platform_name, "Fake Platform"))
        {
          g_assert_cmpstr (info->vendor, ==, c->vendor);
          found++;
        }
    }
  g_assert_cmpuint (found, ==, 2);
  support_machine_clear (&machine);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;

  if (g_test_subprocess ())
    {
      assert_vendor (c);
      return;
    }
  if (c->preload)
    g_setenv ("LD_PRELOAD", c->preload, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv ("LD_PRELOAD");
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, &cases[i], test_case);
  return g_test_run ();
}
