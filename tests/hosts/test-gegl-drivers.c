/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `gegl` program beside OpenCL drivers that hang, crash or lie. */
#include <string.h>

#include "tests/hosts/reference.h"
#include "tests/support/support-drivers.h"

#define TOLERANCE 1.2e-5

/* The first start tries the drivers and reports those that it refuses, the second one is silent; both results are
 * right. */
static void
test_drivers (gconstpointer names)
{
  g_autofree char *drivers = support_drivers_new (names);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", drivers);
  g_autofree char *settings = g_strdup_printf ("CAPRA_PROBE=10\nOCL_ICD_VENDORS=%s\nXDG_CACHE_HOME=%s", drivers,
                                               hosts_path (names));
  g_auto (GStrv) list = g_strsplit (names, " ", -1);
  const char *input = hosts_path ("in.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (203, 131, 3), image = NULL, expected = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  expected = reference_box (image, 6, REFERENCE_CLAMP);
  for (guint i = 0; i < 2; i++)
    {
      const char *output = hosts_path ("out.tif");
      g_autoptr (HostsRun) run = hosts_gegl (settings, "%s -o %s -- capra:box-blur radius=6", input, output);
      g_autoptr (HostsImage) found = NULL;

      if (run->status != 0 || strstr (run->err, "WARNING") || strstr (run->err, "CRITICAL"))
        g_error ("status %d\n%s%s", run->status, run->out, run->err);
      for (guint k = 0; list[k]; k++)
        {
          g_autofree char *said = g_strdup_printf ("fake-%s.icd is not used: ", list[k]);

          if (!strstr (run->err, said) != (i == 1))
            g_error ("start %u:\n%s%s", i, run->out, run->err);
        }
      found = hosts_image_load (output, "RGB");
      hosts_assert_close (found, expected, TOLERANCE);
    }
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_data_func ("/gegl/drivers/hang", "hang", test_drivers);
  g_test_add_data_func ("/gegl/drivers/crash", "crash", test_drivers);
  g_test_add_data_func ("/gegl/drivers/build", "build", test_drivers);
  g_test_add_data_func ("/gegl/drivers/garbage", "platforms devices names empty", test_drivers);
  return hosts_end ();
}
