/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run` with results, tables and figures of several images at once. */
#include <string.h>

#include <glib/gstdio.h>

#include "tests/hosts/hosts.h"
#include "ui/pipeline/read/original.h"

#define SIDE 60
#define BRIGHT "-- gegl:multiply value=3 capra:box-blur"

static const char *image, *copy; /* the same pixels */

static void
assert_same_files (const char *one, const char *other)
{
  g_autofree char *a = NULL, *b = NULL;
  gsize lengths[2];

  g_assert_true (g_file_get_contents (hosts_path (one), &a, &lengths[0], NULL));
  g_assert_true (g_file_get_contents (hosts_path (other), &b, &lengths[1], NULL));
  g_assert_cmpmem (a, lengths[0], b, lengths[1]);
}

/* The figure of the second image does not show the bytes that JPEG needed for the first one. */
static void
test_jpeg (void)
{
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s %s --jobs=1 -o %s --figure=%s " BRIGHT, image, copy,
                                              hosts_path ("j{n}.jpg"), hosts_path ("j{n}-figure.png"));

  hosts_assert_success (run);
  assert_same_files ("j1.jpg", "j2.jpg");
  assert_same_files ("j1-figure.png", "j2-figure.png");
}

static void
test_twice (void)
{
  g_autoptr (HostsRun) tables = hosts_capra_run (NULL, "-q %s %s --tables=%s -- capra:statistics", image, image,
                                                 hosts_path ("{name}.csv"));
  g_autoptr (HostsRun) both = hosts_capra_run (NULL, "-q %s %s -o %s --figure=%s -- gegl:nop", image, copy,
                                               hosts_path ("both{n}.png"), hosts_path ("./both{n}.png"));

  hosts_assert_error (tables, 2, "image.csv would be written more than once");
  hosts_assert_error (both, 2, "both1.png would be written more than once");
  g_assert_false (g_file_test (hosts_path ("image.csv"), G_FILE_TEST_EXISTS));
}

static HostsRun *
resume (const char *options)
{
  return hosts_capra_run (NULL, "-q %s %s --resume --tables=%s --figure=%s %s -- capra:statistics", image, copy,
                          hosts_path ("r{n}.csv"), hosts_path ("r{n}.png"), options);
}

/* Tables and figures that were removed are made again; other options of figures are errors. */
static void
test_removed (void)
{
  static const char *const names[] = { "r1.csv", "r2.png" };
  g_autoptr (HostsRun) first = resume (""), second = NULL, other = NULL;

  hosts_assert_success (first);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (g_unlink (hosts_path (names[i])), ==, 0);
  second = resume ("");
  hosts_assert_success (second);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_true (g_file_test (hosts_path (names[i]), G_FILE_TEST_EXISTS));
  other = resume ("--stretch=log");
  hosts_assert_error (other, 1, "other options");
}

/* Floats for the input, the result and an image between them, and 5 %: 45360 bytes. Nothing is written. */
static void
test_forecast (void)
{
  g_autoptr (HostsRun) ample = hosts_capra_run (NULL, "--forecast %s %s -o %s -- capra:box-blur", image, copy,
                                                hosts_path ("f{n}.png"));
  g_autoptr (HostsRun) small = hosts_capra_run ("CAPRA_MEMORY_BUDGET=32K", "--forecast %s -- gegl:nop capra:box-blur",
                                                image);
  g_autoptr (HostsRun) none = hosts_capra_run (NULL, "--forecast %s -- gegl:invert", image);

  hosts_assert_success (ample);
  g_assert_nonnull (strstr (ample->out, "image.tif: needs 0.04 MiB of "));
  g_assert_nonnull (strstr (ample->out, "copy.tif: needs 0.04 MiB of "));
  g_assert_null (strstr (ample->out, "bands"));
  g_assert_false (g_file_test (hosts_path ("f1.png"), G_FILE_TEST_EXISTS));
  hosts_assert_success (small);
  g_assert_nonnull (strstr (small->out, "needs 0.04 MiB of 0.03 MiB on "));
  g_assert_nonnull (
    strstr (small->out, ", so it is computed in bands; images of up to 50 x 50 are computed at once\n"));
  hosts_assert_success (none);
  g_assert_nonnull (strstr (none->out, "image.tif: needs no memory of a device\n"));
}

/* A PNG names the image that it was computed from, with its hash. */
static void
test_original (void)
{
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s -o %s " BRIGHT, image, hosts_path ("o.png"));
  g_autoptr (GFile) result = g_file_new_for_path (hosts_path ("o.png")), file = g_file_new_for_path (image);
  g_autoptr (CapraOriginal) original = NULL;

  hosts_assert_success (run);
  original = capra_original_find (result);
  g_assert_cmpint (original->state, ==, CAPRA_ORIGINAL_FOUND);
  g_assert_true (g_file_equal (original->file, file));
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsImage) sample = NULL;

  hosts_begin (&argc, &argv);
  sample = hosts_image_sample (SIDE, SIDE, 1);
  image = hosts_path ("image.tif");
  copy = hosts_path ("copy.tif");
  hosts_image_save (sample, image, "Y");
  hosts_image_save (sample, copy, "Y");
  g_test_add_func ("/capra-run-outputs/jpeg", test_jpeg);
  g_test_add_func ("/capra-run-outputs/twice", test_twice);
  g_test_add_func ("/capra-run-outputs/removed", test_removed);
  g_test_add_func ("/capra-run-outputs/forecast", test_forecast);
  g_test_add_func ("/capra-run-outputs/original", test_original);
  return hosts_end ();
}
