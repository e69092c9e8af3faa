/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 without a window: our operations in a plug-in that a Script-Fu batch calls. */
#include <string.h>

#include "gimp.h"
#include "reference.h"

#define TOLERANCE 1.2e-5

/* Loads a file, selects, runs the plug-in on the layer and exports that. */
static void
run_batch (const char *input, const char *output, const char *select, const char *chain)
{
  g_autofree char *script = g_strdup_printf (
    "(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE \"%s\" \"%s\")))"
    "       (layer (car (gimp-image-get-active-drawable image))))"
    "  %s"
    "  (capra-test-apply RUN-NONINTERACTIVE image layer \"%s\")"
    "  (gimp-selection-none image)"
    "  (file-tiff-save RUN-NONINTERACTIVE image layer \"%s\" \"%s\" 0))",
    input, input, select, chain, output, output);
  g_autoptr(HostsRun) run
    = gimp_run (NULL, g_getenv ("CAPRA_TEST_GIMP_PLUG_IN"), 60,
                g_getenv ("CAPRA_TEST_GIMP_CONSOLE"), "--no-interface", "--no-data", "--no-fonts",
                "--no-splash", "--batch", script, "--batch", "(gimp-quit 0)", NULL);

  /* Its exit status says nothing about scripts; the output does. */
  if (run->status != 0 || strstr (run->err, "CRITICAL") || strstr (run->err, "GEGL-capra")
      || !g_file_test (output, G_FILE_TEST_IS_REGULAR))
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
}

static void
test_layer (void)
{
  const char *input = hosts_path ("layer.tif"), *output = hosts_path ("layer-out.tif");
  g_autoptr(HostsImage) sample = hosts_image_sample (203, 147, 3);
  g_autoptr(HostsImage) image = NULL, blurred = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  blurred = reference_gaussian (image, 2.0, 5.0, 4.0, REFERENCE_MIRROR);
  expected = reference_box (blurred, 3, REFERENCE_CLAMP);
  run_batch (input, output, "",
             "capra:gaussian-blur std-dev-x=2 std-dev-y=5 abyss-policy=mirror "
             "capra:box-blur radius=3");
  found = hosts_image_load (output, "RGB");
  hosts_assert_close (found, expected, 2 * TOLERANCE);
}

/* Inside the selection, the neighbours outside count; outside, nothing changes. */
static void
test_selection (void)
{
  const char *input = hosts_path ("selected.tif"), *output = hosts_path ("selected-out.tif");
  g_autoptr(HostsImage) sample = hosts_image_sample (150, 131, 1);
  g_autoptr(HostsImage) image = NULL, expected = NULL, found = NULL;

  hosts_image_save (sample, input, "Y");
  image = hosts_image_load (input, "Y");
  expected = reference_gaussian (image, 4.0, 4.0, 4.0, REFERENCE_CLAMP);
  for (int i = 0; i < 150 * 131; i++)
    if (i % 150 < 30 || i % 150 >= 130 || i / 150 < 20 || i / 150 >= 90)
      expected->values[i] = image->values[i];
  run_batch (input, output, "(gimp-image-select-rectangle image CHANNEL-OP-REPLACE 30 20 100 70)",
             "capra:gaussian-blur std-dev-x=4 std-dev-y=4");
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TOLERANCE);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/plug-in/layer", test_layer);
  g_test_add_func ("/gimp/plug-in/selection", test_selection);
  return hosts_end ();
}
