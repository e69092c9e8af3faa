/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters: programs are built once for all threads, and loaded quickly from disk in the next process. */
#include <stdlib.h>
#include <time.h>

#include "tests/support/support-caches.h"
#include "tests/support/support.h"

#define SIZE 300
#define THREADS 6
/* The limit for the processors' time in which the programs of one operation are loaded from the disk cache and run, for
 * PoCL and GPUs: other drivers for CPUs link them again. To compile one kernel takes longer. Other processes change it
 * little. Under a sanitizer it is not checked, and builds take so long that the test uses the user's cache. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define MAX_MICROSECONDS G_MAXINT64
#define OWN_CACHE FALSE
#else
#define MAX_MICROSECONDS 50000
#define OWN_CACHE TRUE
#endif

typedef gboolean Operation (CapraArray *image, GError **error);

static gboolean
finish (CapraArray *result)
{
  gboolean done = result != NULL;

  g_clear_pointer (&result, capra_array_unref);
  return done;
}

static gboolean
blur (CapraArray *image, double sigma, GError **error)
{
  return finish (capra_gaussian_blur (image, (const double[]){ sigma, sigma, 0 }, CAPRA_GAUSSIAN_AUTO,
                                      CAPRA_GAUSSIAN_TRUNCATE, CAPRA_BORDER_CLAMP, NULL, error));
}

static gboolean
blur_little (CapraArray *image, GError **error)
{
  return blur (image, 1, error);
}

static gboolean
blur_much (CapraArray *image, GError **error)
{
  return blur (image, 6, error);
}

static gboolean
box (CapraArray *image, GError **error)
{
  return finish (capra_box_blur (image, (const int[]){ 9, 9, 0 }, CAPRA_BORDER_CLAMP, NULL, error));
}

static gboolean
convolve (CapraArray *image, int size, GError **error)
{
  g_autoptr (CapraMatrix) matrix = capra_matrix_new (size, size);
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  for (int i = 0; i < size * size; i++)
    matrix->values[i] = 1 + i * i % 7;
  return finish (capra_convolve (image, matrix, &options, NULL, error));
}

static gboolean
convolve_small (CapraArray *image, GError **error)
{
  return convolve (image, 5, error);
}

static gboolean
convolve_large (CapraArray *image, GError **error)
{
  return convolve (image, 21, error);
}

static gboolean
threshold (CapraArray *image, GError **error)
{
  return finish (capra_threshold (image, 0.5, 1, error));
}

static gboolean
otsu (CapraArray *image, GError **error)
{
  double value = 0;

  return finish (capra_threshold_auto (image, CAPRA_THRESHOLD_OTSU, &value, error));
}

static gboolean
label_and_measure (CapraArray *image, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr (CapraArray) labels = capra_label (image, &options, NULL, error);
  g_autoptr (GArray) regions = labels ? capra_measure (labels, image, 0, 0, error) : NULL;

  return regions != NULL;
}

static gboolean
statistics (CapraArray *image, GError **error)
{
  CapraStatistics values = { 0 };

  return capra_statistics (image, CAPRA_STATISTICS_ALL, &values, error);
}

static int threads_done; /* atomic */

static const struct {
  const char *name;
  Operation *run;
} operations[] = {
  { "gaussian blur, sigma 1", blur_little },
  { "gaussian blur, sigma 6", blur_much },
  { "box blur", box },
  { "convolution 5x5", convolve_small },
  { "convolution 21x21", convolve_large },
  { "threshold", threshold },
  { "otsu", otsu },
  { "label and measure", label_and_measure },
  { "statistics", statistics },
};

static CapraArray *
make_image (guint device)
{
  g_autofree float *values = support_noise (SIZE * SIZE, 0, 1, 7);

  return support_array (support_device (device), SIZE, SIZE, 1, 1, values);
}

static gpointer
run_all (gpointer image)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autoptr (GError) error = NULL;

      operations[i].run (image, &error);
      g_assert_no_error (error);
    }
  return NULL;
}

static gpointer
run_all_and_count (gpointer image)
{
  run_all (image);
  g_atomic_int_inc (&threads_done);
  return NULL;
}

/* Threads that want the same programs at once get each built once, and meanwhile the process says so; on the second
 * device, one thread alone asks. */
static void
test_threads (void)
{
  g_autoptr (CapraArray) image = make_image (0);
  g_autoptr (CapraArray) other = make_image (1);
  GThread *threads[THREADS];
  CapraCounters together, alone;
  gboolean seen = FALSE;

  g_assert_cmpuint (capra_counters_get_active_builds (), ==, 0);
  for (guint i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("worker", run_all_and_count, image);
  while (g_atomic_int_get (&threads_done) < THREADS)
    {
      seen |= capra_counters_get_active_builds () > 0;
      g_usleep (100);
    }
  for (guint i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_true (seen || !OWN_CACHE);
  g_assert_cmpuint (capra_counters_get_active_builds (), ==, 0);
  run_all (other);
  capra_counters_query (support_device (0), &together);
  capra_counters_query (support_device (1), &alone);
  g_assert_cmpuint (together.builds + together.loads, >, 0);
  g_assert_true (together.builds > 0 || !OWN_CACHE);
  g_assert_cmpuint (together.build_time, >, 0);
  /* Two equal devices share the disk cache. */
  if (support_device (0) != support_device (1)
      && g_str_equal (capra_device_get_info (support_device (0))->name,
                      capra_device_get_info (support_device (1))->name))
    {
      g_assert_cmpuint (alone.builds, ==, 0);
      g_assert_cmpuint (together.builds + together.loads, ==, alone.loads);
    }
}

static gboolean
is_timed (void)
{
  const CapraDeviceInfo *info = capra_device_get_info (support_device (0));

  return info->type == CAPRA_DEVICE_GPU || g_str_equal (info->platform_name, "Portable Computing Language");
}

/* The time that the threads of this process have computed, in microseconds. */
static gint64
get_processor_time (void)
{
  struct timespec time;

  g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time), ==, 0);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* In a process of its own: every operation's programs come from disk, in time. */
static void
use_first (void)
{
  g_autoptr (CapraArray) image = make_image (0);

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autoptr (GError) error = NULL;
      CapraCounters before, after;
      gint64 time = 0;

      capra_counters_query (support_device (0), &before);
      time = get_processor_time ();
      operations[i].run (image, &error);
      time = get_processor_time () - time;
      g_assert_no_error (error);
      capra_counters_query (support_device (0), &after);
      g_assert_cmpuint (after.builds, ==, before.builds);
      g_printerr ("%s: %u loads in %.1f ms, %.1f ms of the processors with its run\n", operations[i].name,
                  after.loads - before.loads, (after.build_time - before.build_time) * 1e-3, time * 1e-3);
      if (is_timed ())
        g_assert_cmpint (time, <, MAX_MICROSECONDS);
    }
}

static void
test_warm (void)
{
  g_autoptr (CapraArray) image = NULL;

  if (g_test_subprocess ())
    {
      use_first ();
      return;
    }
  image = make_image (0);
  run_all (image);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL, *remove = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_setenv ("CAPRA_KERNELS", "optimized", TRUE); /* programs are saved when they are built */
  if (OWN_CACHE && !g_test_subprocess ())
    {
      folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
      support_keep_driver_caches ();
      g_setenv ("XDG_CACHE_HOME", folder, TRUE);
      g_setenv ("CUDA_CACHE_PATH", folder, TRUE); /* the children's HOME is none, where NVIDIA's driver keeps its own */
    }
  g_test_add_func ("/counters/threads", test_threads);
  g_test_add_func ("/counters/warm", test_warm);
  status = g_test_run ();
  /* The driver may be writing there still. */
  remove = folder ? g_strdup_printf ("rm -rf '%s'", folder) : NULL;
  if (remove && system (remove) != 0)
    g_printerr ("%s stays\n", folder);
  return status;
}
