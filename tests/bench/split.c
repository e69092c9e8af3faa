/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters and labels of an image that stays on the devices, on each device alone and with its rows split over all that
 * are named:
 *
 *   bench-split SIZE RUNS DEVICE DEVICE …
 *
 * Prints medians in milliseconds from the call to the end of its work. Each result is freed after the next one was
 * computed, as in a chain of filters. */
#include <stdio.h>
#include <stdlib.h>

#include "capra.h"
#include "ui/cli/bench/bench-inputs.h"

#define MAX_DEVICES 8
#define MATRIX 63 /* width and height */
#define SIGMA 5.0

/* @input: as bench_input() names it. @func: (nullable): %NULL for labels */
typedef struct {
  const char *name, *input;
  guint reach;
  CapraSplitFunc func;
} Workload;

static CapraArray *
blur (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  return capra_gaussian_blur (input, (const double[]){ SIGMA, SIGMA, 0 }, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE,
                              CAPRA_BORDER_MIRROR, window, error);
}

static CapraArray *
convolve (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.border = CAPRA_BORDER_MIRROR;
  return capra_convolve (input, data, &options, window, error);
}

static CapraArray *
box (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  return capra_box_blur (input, (const int[]){ 15, 15, 0 }, CAPRA_BORDER_MIRROR, window, error);
}

static void
fail (const GError *error)
{
  fprintf (stderr, "bench-split: %s\n", error->message);
  exit (1);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static CapraSplitArray *
run_workload (const Workload *workload, const CapraSplitArray *image, CapraMatrix *matrix, GError **error)
{
  if (!workload->func)
    return capra_split_array_label (image, &CAPRA_LABEL_DEFAULTS, NULL, error);
  return capra_split_array_filter (image, workload->reach, CAPRA_BORDER_MIRROR, workload->func, matrix, error);
}

/* The median time of a workload on these devices. */
static double
measure (const CapraSplitShare *shares, guint n, const Workload *workload, const CapraShape *shape, const float *values,
         CapraMatrix *matrix, guint runs)
{
  g_autoptr (GError) error = NULL;
  g_autofree double *times = g_new (double, runs);
  g_autoptr (CapraSplitArray) split = capra_split_array_new_from_data (shares, n, workload->reach, shape, values,
                                                                       &error);
  CapraSplitArray *last = NULL;

  for (guint run = 0; !error && run < runs + 3; run++)
    {
      gint64 begin = g_get_monotonic_time ();
      CapraSplitArray *result = run_workload (workload, split, matrix, &error);

      if (result && capra_split_array_wait (result, &error) && run >= 3)
        times[run - 3] = (double) (g_get_monotonic_time () - begin) * 1e-3;
      g_clear_pointer (&last, capra_split_array_free);
      last = result;
    }
  g_clear_pointer (&last, capra_split_array_free);
  if (error)
    fail (error);
  qsort (times, runs, sizeof *times, compare);
  return times[runs / 2];
}

int
main (int argc, char **argv)
{
  gsize size = argc > 3 ? (gsize) atoi (argv[1]) : 0;
  guint runs = argc > 3 ? (guint) atoi (argv[2]) : 0, n = 0;
  CapraShape shape = CAPRA_SHAPE_2D (size, size, CAPRA_F32);
  g_autofree float *values = g_new (float, size * size);
  g_autoptr (CapraMatrix) matrix = capra_matrix_new (MATRIX, MATRIX);
  g_autoptr (GError) error = NULL;
  CapraSplitShare shares[MAX_DEVICES];
  const Workload workloads[] = {
    { "gaussian 5", "noise", (guint) capra_gaussian_source_radius (SIGMA, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE),
      blur },
    { "box 15", "noise", 15, box },
    { "convolve 63x63", "noise", MATRIX / 2, convolve },
    { "label blobs", "blobs", 0, NULL },
    { "label sparse", "sparse", 0, NULL },
    { "label noise 50", "noise-50", 0, NULL },
  };

  if (size < 1 || runs < 1 || argc > 3 + MAX_DEVICES)
    {
      fprintf (stderr, "usage: bench-split SIZE RUNS DEVICE DEVICE …\n");
      return 2;
    }
  capra_settings_choose ("kernels", "optimized");
  for (int i = 0; i < MATRIX * MATRIX; i++)
    matrix->values[i] = (1 + i * 7 % 13) / (7.0 * MATRIX * MATRIX);
  for (int i = 3; i < argc; i++)
    {
      shares[n].device = capra_device_select (argv[i], &error);
      if (!shares[n].device)
        fail (error);
      n++;
    }
  printf ("%zu x %zu float32, medians of %u runs in ms\n%-16s", size, size, runs, "");
  for (int i = 3; i < argc; i++)
    printf (" %10.10s", argv[i]);
  printf (" %10s %10s\n", "split", "gain");
  for (guint w = 0; w < G_N_ELEMENTS (workloads); w++)
    {
      double best = G_MAXDOUBLE, time;

      if (w == 0 || !g_str_equal (workloads[w].input, workloads[w - 1].input))
        bench_input (workloads[w].input, size, size, 0, values);
      printf ("%-16s", workloads[w].name);
      for (guint i = 0; i < n; i++)
        {
          shares[i].weight = 1;
          time = measure (&shares[i], 1, &workloads[w], &shape, values, matrix, runs);
          shares[i].weight = 1 / time;
          best = MIN (best, time);
          printf (" %10.3f", time);
        }
      time = measure (shares, n, &workloads[w], &shape, values, matrix, runs);
      printf (" %10.3f %9.2fx\n", time, best / time);
      fflush (stdout);
    }
  return 0;
}
