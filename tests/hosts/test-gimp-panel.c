/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 and 3 with a window: the plug-in from the menu, its panel, and the result applied, undone and repeated. */
#include <string.h>

#include "tests/hosts/gimp.h"
#include "tests/hosts/reference.h"

#define TOLERANCE 1.2e-5

static void
run_panel (const char *name, const char *steps, const char *settings)
{
  g_autofree char *path = g_strdup (hosts_path (name));
  g_autofree char *all = g_strdup_printf ("CAPRA_PANEL_STEPS=capra:gaussian-blur std-dev-x=3 std-dev-y=3\n%s",
                                          settings);
  g_autoptr (HostsImage) sample = hosts_image_sample (303, 247, 3);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;
  g_autofree char *log = NULL;

  hosts_image_save (sample, path, "RGB");
  image = hosts_image_load (path, "RGB");
  expected = reference_gaussian (image, 3.0, 3.0, 4.0, REFERENCE_CLAMP);
  log = gimp_run_window (all, path, steps, name);
  if (strstr (log, "GEGL-capra") || strstr (log, "Capra-"))
    g_error ("GIMP: %s", log);
  found = hosts_image_load (path, "RGB");
  hosts_assert_close (found, expected, TOLERANCE);
}

static void
test_apply (void)
{
  /* GIMP 3 has a menu item for each operation. GIMP 2.10 has the GEGL tool, which gimp-window tests. */
  run_panel ("gimp-panel.tif", gimp_is_3 () ? "?Capra|@plug-in-capra" : "@plug-in-capra", "");
}

/* The layer is deleted while the panel is open, and restored. */
static void
test_lost (void)
{
  run_panel ("gimp-panel-loses.tif", "@plug-in-capra;delete-layer", "CAPRA_PANEL_DELETE_LAYER=1");
}

/* Canceling in GIMP's status bar ends only the computation. Applied again, the result is correct. */
static void
test_cancel (void)
{
  run_panel ("gimp-panel-cancels.tif", "@plug-in-capra;cancel", "CAPRA_PANEL_CANCEL=1");
}

/* Steps applied as non-destructive effects give the same exported image. */
static void
test_effects (void)
{
  run_panel ("gimp-panel-effects.tif", "@plug-in-capra", "CAPRA_PANEL_ACTION=win.apply-effects");
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/panel/apply", test_apply);
  g_test_add_func ("/gimp/panel/lost", test_lost);
  g_test_add_func ("/gimp/panel/cancel", test_cancel);
  if (gimp_is_3 ())
    g_test_add_func ("/gimp/panel/effects", test_effects);
  return hosts_end ();
}
