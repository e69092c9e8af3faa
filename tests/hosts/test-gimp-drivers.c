/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP beside OpenCL drivers that hang, crash or lie. */
#include <string.h>

#include "tests/hosts/gimp-script.h"
#include "tests/hosts/reference.h"
#include "tests/support/support-drivers.h"

#define TOLERANCE 1.2e-5

/* Each driver is refused, with a reason in GIMP's standard error, and the layer is blurred by the other one. */
static void
test_drivers (void)
{
  static const char *const names[] = { "hang", "crash", "build", "platforms", "devices", "names", "empty" };
  g_autofree char *list = g_strjoin (" ", names[0], names[1], names[2], names[3], names[4], names[5], names[6], NULL);
  g_autofree char *drivers = support_drivers_new (list);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", drivers), *body = gimp_script_apply (BOX);
  g_autofree char *settings = g_strdup_printf ("CAPRA_PROBE=10\nOCL_ICD_VENDORS=%s", drivers);
  const char *input = hosts_path ("in.tif"), *output = hosts_path ("out.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 1), image = NULL, expected = NULL, found = NULL;
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (HostsRun) run = NULL;

  hosts_image_save (sample, input, "Y");
  image = hosts_image_load (input, "Y");
  expected = reference_box (image, 4, REFERENCE_CLAMP);
  g_ptr_array_add (scripts, gimp_script_make (input, output, body));
  run = gimp_run_scripts (settings, scripts);
  if (!gimp_succeeded (run))
    g_error ("status %d\n%s%s", run->status, run->out, run->err);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *said = g_strdup_printf ("fake-%s.icd is not used: ", names[i]);

      if (!strstr (run->err, said))
        g_error ("no \"%s\" in\n%s%s", said, run->out, run->err);
    }
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TOLERANCE);
  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/drivers", test_drivers);
  return hosts_end ();
}
