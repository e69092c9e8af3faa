/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 with a window: operations in its GEGL tool are previewed, applied, saved and compared. */
#include <string.h>

#include "tests/hosts/gimp.h"
#include "tests/hosts/reference.h"
#include "tests/hosts/watch.h"

#define TOLERANCE 1.2e-5

static void
apply_without_errors (const char *path, const char *steps, const char *screenshot)
{
  g_autofree char *log = gimp_run_window (NULL, path, steps, screenshot);

  if (strstr (log, "GEGL-capra"))
    g_error ("GIMP: %s", log);
}

static void
test_chain (void)
{
  const char *path = hosts_path ("chain.tif");
  const double matrix[] = { 1, 2, 1, 2, 4, 2, 1, 2, 1 }; /* the default, times 16 */
  g_autoptr (HostsImage) sample = hosts_image_sample (203, 147, 3);
  g_autoptr (HostsImage) image = NULL, blurred = NULL, boxed = NULL;
  g_autoptr (HostsImage) expected = NULL, found = NULL;
  g_autoptr (GPtrArray) seen = NULL;
  const HostsSeen *gimp = NULL;
  HostsWatch *watch = NULL;

  hosts_image_save (sample, path, "RGB");
  image = hosts_image_load (path, "RGB");
  blurred = reference_gaussian (image, 3.0, 3.0, 4.0, REFERENCE_CLAMP);
  boxed = reference_box (blurred, 2, REFERENCE_CLAMP);
  expected = reference_convolve (boxed, matrix, 3, 3, REFERENCE_CLAMP);
  watch = hosts_watch_begin ();
  apply_without_errors (path,
                        "capra:gaussian-blur;Size X=3;Size Y=3"
                        "|capra:box-blur;Radius=2"
                        "|capra:convolve;Divisor=2",
                        "gimp-chain");
  seen = hosts_watch_end (watch);
  gimp = hosts_seen_find (seen, "gimp-2.10");
  g_assert_cmpstr (gimp->title, ==, "GNU Image Manipulation Program");
  g_assert_true (gimp->left);
  g_assert_cmpuint (gimp->recorded, >=, 9); /* at least an upload, a kernel and a download for each filter */
  for (int i = 0; i < 3 * expected->width * expected->height; i++)
    expected->values[i] /= 2 * 16;
  found = hosts_image_load (path, "RGB");
  hosts_assert_close (found, expected, 2 * TOLERANCE);
}

/* Operations that need the whole image, on an image of several GIMP tiles. GIMP also connects their aux pads, but to no
 * source. */
static void
test_whole (void)
{
  const char *path = hosts_path ("whole.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (300, 203, 3);
  g_autoptr (HostsImage) gray = NULL, found = NULL;
  g_autofree guint32 *labels = NULL;
  g_autofree int *firsts = NULL;
  double otsu = 0;
  guint32 count = 0;

  hosts_image_save (sample, path, "RGB");
  gray = hosts_image_load (path, "Y");
  otsu = reference_otsu (gray);
  for (int i = 0; i < gray->width * gray->height; i++)
    gray->values[i] = gray->values[i] > otsu;
  labels = reference_label (gray, 8, &count);
  firsts = g_new0 (int, count + 1);

  apply_without_errors (path, "capra:threshold;=Otsu|capra:label", "gimp-whole");
  found = hosts_image_load (path, "RGB");
  for (int i = gray->width * gray->height - 1; i >= 0; i--)
    firsts[labels[i]] = i;
  for (int i = 0; i < gray->width * gray->height; i++)
    {
      const double *color = found->values + 3 * i, *first = found->values + 3 * firsts[labels[i]];

      g_assert_cmpmem (color, sizeof (double[3]), first, sizeof (double[3]));
      g_assert_cmpint (color[0] + color[1] + color[2] > 0.01, ==, labels[i] > 0);
    }
}

/* An unknown device: the dialog shows the error and the image is unchanged. Later operations work. */
static void
test_error (void)
{
  const char *path = hosts_path ("error.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 90, 1);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;
  g_autofree char *log = NULL;

  hosts_image_save (sample, path, "Y");
  image = hosts_image_load (path, "Y");
  expected = reference_box (image, 4, REFERENCE_CLAMP);
  log = gimp_run_window (NULL, path,
                         "!capra:gaussian-blur;no-such-device;no-such-device"
                         "|capra:box-blur;Radius=4",
                         "gimp-error");
  found = hosts_image_load (path, "Y");
  hosts_assert_close (found, expected, TOLERANCE);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/window/chain", test_chain);
  g_test_add_func ("/gimp/window/whole", test_whole);
  g_test_add_func ("/gimp/window/error", test_error);
  return hosts_end ();
}
