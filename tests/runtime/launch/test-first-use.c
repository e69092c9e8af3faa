/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first use of a device with empty caches: few programs are built, the background builds optimized ones with the
 * same results, and a process may end meanwhile. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tests/support/support.h"

#define SIZE 300
#define ENDS 20 /* with `-m slow`, else half of them */
#define WAIT_MILLISECONDS 600000

typedef GBytes *Operation (CapraArray *image, GError **error);

static GBytes *
take (CapraArray *result, GError **error)
{
  g_autoptr (CapraArray) array = result;
  gsize bytes = array ? capra_shape_bytes (capra_array_get_shape (array)) : 0;
  g_autofree char *values = g_malloc (bytes + 1);

  return array && capra_array_download (array, values, error) ? g_bytes_new_take (g_steal_pointer (&values), bytes)
                                                              : NULL;
}

static GBytes *
blur (CapraArray *image, double sigma, GError **error)
{
  return take (capra_gaussian_blur (image, (const double[]){ sigma, sigma, 0 }, CAPRA_GAUSSIAN_AUTO,
                                    CAPRA_GAUSSIAN_TRUNCATE, CAPRA_BORDER_CLAMP, NULL, error),
               error);
}

static GBytes *
blur_little (CapraArray *image, GError **error)
{
  return blur (image, 1.5, error);
}

static GBytes *
blur_much (CapraArray *image, GError **error)
{
  return blur (image, 20, error);
}

static GBytes *
box (CapraArray *image, GError **error)
{
  return take (capra_box_blur (image, (const int[]){ 15, 15, 0 }, CAPRA_BORDER_CLAMP, NULL, error), error);
}

static GBytes *
convolve (CapraArray *image, GError **error)
{
  g_autoptr (CapraMatrix) matrix = capra_matrix_new (5, 5);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  for (int i = 0; i < 25; i++)
    matrix->values[i] = 1 + i * i % 7;
  return take (capra_convolve (image, matrix, &options, NULL, error), error);
}

static GBytes *
threshold (CapraArray *image, GError **error)
{
  return take (capra_threshold (image, 0.5, 1, error), error);
}

static GBytes *
otsu (CapraArray *image, GError **error)
{
  double value = 0;

  return take (capra_threshold_auto (image, CAPRA_THRESHOLD_OTSU, &value, error), error);
}

static GBytes *
label (CapraArray *image, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  return take (capra_label (image, &options, NULL, error), error);
}

static GBytes *
label_and_measure (CapraArray *image, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr (CapraArray) labels = capra_label (image, &options, NULL, error);
  g_autoptr (GArray) regions = labels ? capra_measure (labels, image, 0, 0, error) : NULL;

  return regions ? g_bytes_new (regions->data, regions->len * g_array_get_element_size (regions)) : NULL;
}

static GBytes *
statistics (CapraArray *image, GError **error)
{
  CapraStatistics values;

  memset (&values, 0, sizeof values);
  return capra_statistics (image, CAPRA_STATISTICS_ALL, &values, error) ? g_bytes_new (&values, sizeof values) : NULL;
}

/* With the maximum of programs and kernels that the first use may build. */
static const struct {
  const char *name;
  Operation *run;
  guint programs, kernels;
} operations[] = {
  { "gaussian-blur", blur_little, 1, 1 },
  { "gaussian-blur-wide", blur_much, 3, 3 },
  { "box-blur", box, 2, 2 },
  { "convolve", convolve, 1, 1 },
  { "threshold", threshold, 1, 1 },
  { "threshold-otsu", otsu, 4, 4 },
  { "label", label, 2, 5 },
  { "measure", label_and_measure, 4, 8 },
  { "statistics", statistics, 4, 4 },
};

static CapraArray *
make_image (void)
{
  g_autofree float *values = support_noise (SIZE * SIZE, 0, 1, 7);

  for (guint i = 0; i < SIZE * SIZE; i++)
    values[i] = values[i] < 0.5f ? 0 : values[i];
  return support_array (support_device (0), SIZE, SIZE, 1, 1, values);
}

static GBytes *
run (gconstpointer operation, CapraArray *image)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = operations[GPOINTER_TO_UINT (operation)].run (image, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

/* Whether the optimizer of this driver runs in the background. */
static gboolean
is_slow (void)
{
  return g_str_equal (capra_device_get_info (support_device (0))->platform_name, "Portable Computing Language");
}

/* Separate folders for all caches. */
static char *
use_empty_caches (void)
{
  char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);

  g_assert_nonnull (folder);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_setenv ("POCL_CACHE_DIR", folder, TRUE);
  g_setenv ("CUDA_CACHE_PATH", folder, TRUE);
  g_setenv ("CAPRA_KERNELS", "background", TRUE);
  return folder;
}

/* Waits until no background process uses this folder. */
static void
remove_caches (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "capra", "prepare.lock", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", folder);
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);

  if (fd >= 0)
    {
      while (flock (fd, LOCK_EX) != 0)
        ;
      close (fd);
    }
  if (system (remove) != 0)
    g_printerr ("%s stays\n", folder);
}

/* A separate process with empty caches: runs @test in a child, which inherits the environment. */
static void
run_in_child (guint times)
{
  for (guint i = 0; i < times; i++)
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
    }
}

static void
test_first (gconstpointer operation)
{
  guint index = GPOINTER_TO_UINT (operation);
  g_autofree char *folder = NULL;

  if (g_test_subprocess ())
    {
      g_autoptr (CapraArray) image = make_image ();
      g_autoptr (GBytes) first = NULL, second = NULL, third = NULL;
      CapraCounters before, cold, warm, after;

      capra_counters_query (support_device (0), &before);
      first = run (operation, image);
      capra_counters_query (support_device (0), &cold);
      g_printerr ("%s: %u programs, %u kernels\n", operations[index].name, cold.builds - before.builds,
                  cold.kernels - before.kernels);
      g_assert_cmpuint (cold.loads, ==, before.loads);
      g_assert_cmpuint (cold.builds - before.builds, >, 0);
      if (is_slow ())
        {
          g_assert_cmpuint (cold.builds - before.builds, <=, operations[index].programs);
          g_assert_cmpuint (cold.kernels - before.kernels, <=, operations[index].kernels);
        }

      /* Programs of the background are used, with the same results. */
      g_assert_true (capra_preparation_wait (WAIT_MILLISECONDS));
      second = run (operation, image);
      g_assert_true (capra_preparation_wait (WAIT_MILLISECONDS));
      capra_counters_query (support_device (0), &warm);
      if (is_slow () && !g_str_equal (operations[index].name, "threshold"))
        g_assert_cmpuint (warm.loads, >, cold.loads);
      g_assert_cmpuint (warm.builds, ==, cold.builds);
      g_assert_true (g_bytes_equal (first, second));

      /* Then nothing more is built or loaded. */
      third = run (operation, image);
      capra_counters_query (support_device (0), &after);
      g_assert_cmpuint (after.builds + after.loads, ==, warm.builds + warm.loads);
      g_assert_cmpuint (after.kernels, ==, warm.kernels);
      g_assert_cmpuint (capra_preparation_count (), ==, 0);
      g_assert_true (g_bytes_equal (first, third));
      return;
    }
  folder = use_empty_caches ();
  run_in_child (1);
  remove_caches (folder);
}

/* A process that ends while the background builds its kernels ends normally, and at once. */
static void
test_end (void)
{
  g_autofree char *folder = NULL;

  if (g_test_subprocess ())
    {
      g_autoptr (CapraArray) image = make_image ();
      g_autoptr (GBytes) bytes = run (GUINT_TO_POINTER (1), image);
      const char *sleep = g_getenv ("CAPRA_TEST_SLEEP");

      g_assert_nonnull (bytes);
      g_usleep ((gulong) g_ascii_strtoull (sleep, NULL, 10) * 50000);
      return;
    }
  for (guint i = 0; i < ENDS / support_step (2); i++)
    {
      g_autofree char *sleep = g_strdup_printf ("%u", i % 10);

      /* Sometimes with empty caches, so that there is always a program to build. */
      if (i % 5 == 0)
        {
          if (folder)
            remove_caches (folder);
          g_free (folder);
          folder = use_empty_caches ();
        }
      g_setenv ("CAPRA_TEST_SLEEP", sleep, TRUE);
      run_in_child (1);
    }
  remove_caches (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* Each builds its kernels anew. */
  for (guint i = g_test_slow () ? 0 : 1; i < G_N_ELEMENTS (operations); i += support_step (3))
    {
      g_autofree char *path = g_strconcat ("/first-use/", operations[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_first);
    }
  g_test_add_func ("/first-use/end", test_end);
  return g_test_run ();
}
