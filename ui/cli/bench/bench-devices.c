/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra bench --devices: several devices in turn, at the same time, and together on one volume. */
#include "ui/cli/bench/bench-devices.h"

#include <math.h>
#include <stdio.h>

#include "ui/cli/bench/bench-inputs.h"
#include "ui/cli/bench/bench-run.h"
#include "ui/cli/json.h"

#define PLANES 10
#define N_SIGMAS 5
#define FIRST_SIGMA 20
#define MAX_DEVICES 16
#define BAR 24 /* characters */

/* What is timed: each device alone, all of them at the same time with a volume each, and one volume split over them. */
typedef struct {
  char *name;
  double *times[N_SIGMAS]; /* of each run, in ms */
  double median[N_SIGMAS], total;
} Case;

typedef struct {
  CapraDevice *devices[MAX_DEVICES];
  guint n;
  CapraShape shape;
  float *values, *results[MAX_DEVICES];
  Case cases[MAX_DEVICES + 2];
  int repeats;
  CapraSplitShare shares[MAX_DEVICES];
  guint n_parts;     /* of the split volume */
  double difference; /* the largest between the split volume and the first device's, relative to the largest value */
} Bench;

/* One blur with upload and download, by one device or split over several. */
typedef struct {
  const Bench *bench;
  const CapraSplitShare *shares;
  guint n, n_parts;
  double sigma;
  float *result;
  gboolean done;
  GError *error;
} Blur;

static CapraArray *
blur_part (CapraArray *input, const CapraWindow *window, gpointer data, GError **error)
{
  const double *sigma = data;

  return capra_gaussian_blur (input, (const double[]){ *sigma, *sigma, 0 }, CAPRA_GAUSSIAN_AUTO,
                              CAPRA_GAUSSIAN_TRUNCATE, CAPRA_BORDER_MIRROR, window, error);
}

static gpointer
blur_run (gpointer data)
{
  Blur *blur = data;
  guint reach = (guint) capra_gaussian_source_radius (blur->sigma, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE);
  g_autoptr (CapraSplitArray) input = capra_split_array_new_from_data (
    blur->shares, blur->n, reach, &blur->bench->shape, blur->bench->values, &blur->error);
  g_autoptr (CapraSplitArray) result = input ? capra_split_array_filter (input, reach, CAPRA_BORDER_MIRROR, blur_part,
                                                                         &blur->sigma, &blur->error)
                                             : NULL;

  blur->done = result && capra_split_array_download (result, blur->result, &blur->error);
  blur->n_parts = input ? capra_split_array_get_n_parts (input) : 0;
  return NULL;
}

/* Runs all blurs at the same time; @time: in ms. */
static gboolean
run_blurs (Blur *blurs, guint n, double *time, GError **error)
{
  GThread *threads[MAX_DEVICES] = { NULL };
  gint64 begin = g_get_monotonic_time ();
  gboolean done = TRUE;

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_new ("capra-bench", blur_run, &blurs[i]);
  blur_run (&blurs[0]);
  for (guint i = 1; i < n; i++)
    g_thread_join (threads[i]);
  *time = (double) (g_get_monotonic_time () - begin) * 1e-3;
  for (guint i = 0; i < n; i++)
    {
      if (done && !blurs[i].done)
        g_propagate_error (error, g_steal_pointer (&blurs[i].error));
      done = done && blurs[i].done;
      g_clear_error (&blurs[i].error);
    }
  return done;
}

/* One run of a case: below the number of devices, that device alone. */
static gboolean
run_case (Bench *bench, guint number, double sigma, double *time, GError **error)
{
  Blur blurs[MAX_DEVICES];
  guint n = number == bench->n ? bench->n : 1;

  for (guint i = 0; i < n; i++)
    blurs[i] = (Blur){
      .bench = bench, .shares = &bench->shares[n > 1 ? i : number], .n = 1, .sigma = sigma, .result = bench->results[i]
    };
  if (number == bench->n + 1)
    blurs[0] = (Blur){
      .bench = bench, .shares = bench->shares, .n = bench->n, .sigma = sigma, .result = bench->results[1]
    };
  if (!run_blurs (blurs, n, time, error))
    return FALSE;
  if (number == bench->n + 1)
    bench->n_parts = blurs[0].n_parts;
  return TRUE;
}

/* Builds kernels, and finds the speeds, by which a volume is split. */
static gboolean
prepare (Bench *bench, GError **error)
{
  for (guint i = 0; i < bench->n; i++)
    {
      double first, time;

      bench->shares[i] = (CapraSplitShare){ bench->devices[i], 1.0 };
      for (int sigma = 0; sigma < N_SIGMAS; sigma++)
        if (!run_case (bench, i, FIRST_SIGMA + sigma, &first, error)
            || !run_case (bench, i, FIRST_SIGMA + sigma, &time, error))
          return FALSE;
      bench->shares[i].weight = 1.0 / MAX (time, 1e-3);
    }
  return TRUE;
}

/* The results of the first device alone and of the split volume are the last two. */
static void
compare (Bench *bench)
{
  double largest = 0, difference = 0;

  for (gsize i = 0; i < capra_shape_count (&bench->shape); i++)
    {
      largest = MAX (largest, fabs (bench->results[0][i]));
      difference = MAX (difference, fabs ((double) bench->results[0][i] - bench->results[1][i]));
    }
  bench->difference = largest > 0 ? difference / largest : 0;
}

/* The cases take turns, so that other load affects all of them. */
static gboolean
run_all (Bench *bench, GError **error)
{
  double time;

  for (int sigma = 0; sigma < N_SIGMAS; sigma++)
    for (int run = 0; run <= bench->repeats; run++) /* the first one is not counted */
      for (guint i = 0; i < bench->n + 2; i++)
        if (!run_case (bench, i, FIRST_SIGMA + sigma, &time, error))
          return FALSE;
        else if (run > 0)
          bench->cases[i].times[sigma][run - 1] = time;
  for (guint i = 0; i < bench->n + 2; i++)
    for (int sigma = 0; sigma < N_SIGMAS; sigma++)
      {
        Case *c = &bench->cases[i];

        c->median[sigma] = bench_median (c->times[sigma], (guint) bench->repeats);
        c->total += c->median[sigma];
      }
  if (!run_case (bench, 0, FIRST_SIGMA, &time, error) || !run_case (bench, bench->n + 1, FIRST_SIGMA, &time, error))
    return FALSE;
  compare (bench);
  return TRUE;
}

static void
print_text (const Bench *bench)
{
  double longest = 0;

  for (guint i = 0; i < bench->n + 2; i++)
    longest = MAX (longest, bench->cases[i].total);
  printf ("Gaussian blur of %zu x %zu x %d float32 values with upload and download, medians of %d runs in ms\n\n",
          bench->shape.width, bench->shape.height, PLANES, bench->repeats);
  printf ("%-40s", "sigma");
  for (int sigma = 0; sigma < N_SIGMAS; sigma++)
    printf (" %8d", FIRST_SIGMA + sigma);
  printf (" %9s\n", "sum");
  for (guint i = 0; i < bench->n + 2; i++)
    {
      const Case *c = &bench->cases[i];

      printf ("%-40.40s", c->name);
      for (int sigma = 0; sigma < N_SIGMAS; sigma++)
        printf (" %8.2f", c->median[sigma]);
      printf (" %9.2f  ", c->total);
      for (int k = 0; k < (int) ceil (BAR * c->total / longest); k++)
        putchar ('#');
      putchar ('\n');
    }
  printf ("\nparts of the split volume: %u; difference from the first device's result: %.1e of the largest value\n",
          bench->n_parts, bench->difference);
}

static void
print_json (const Bench *bench)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  json_add_integer (json, "width", bench->shape.width);
  json_add_integer (json, "height", bench->shape.height);
  json_add_integer (json, "depth", PLANES);
  json_add_integer (json, "repeats", (guint64) bench->repeats);
  json_add_string (json, "unit", "ms");
  json_add_integer (json, "parts", bench->n_parts);
  json_add_number (json, "difference", bench->difference);
  json_begin_array (json, "cases");
  for (guint i = 0; i < bench->n + 2; i++)
    {
      json_builder_begin_object (json);
      json_add_string (json, "name", bench->cases[i].name);
      json_begin_array (json, "times");
      for (int sigma = 0; sigma < N_SIGMAS; sigma++)
        {
          json_builder_begin_object (json);
          json_add_integer (json, "sigma", (guint64) (FIRST_SIGMA + sigma));
          json_add_number (json, "median", bench->cases[i].median[sigma]);
          json_builder_end_object (json);
        }
      json_builder_end_array (json);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  json_print (json);
}

static gboolean
find_devices (Bench *bench, const char *names, GError **error)
{
  g_autoptr (GPtrArray) found = capra_device_select_several (names, error);

  if (!found)
    return FALSE;
  for (guint i = 0; i < found->len && bench->n < MAX_DEVICES; i++)
    bench->devices[bench->n++] = found->pdata[i];
  if (bench->n >= 2)
    return TRUE;
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
               "--devices needs two different devices or more, separated by commas, or \"all\"; `capra devices` lists "
               "them");
  return FALSE;
}

static char *
name_case (const Bench *bench, guint number)
{
  if (number == bench->n)
    return g_strdup_printf ("at the same time, a volume each");
  if (number > bench->n)
    return g_strdup ("one volume, split");
  return g_strdup_printf ("%u: %s", capra_device_get_info (bench->devices[number])->index,
                          capra_device_get_info (bench->devices[number])->name);
}

static gboolean
allocate (Bench *bench, int size, int repeats, GError **error)
{
  gsize count;

  bench->shape = CAPRA_SHAPE_3D ((gsize) size, (gsize) size, PLANES, CAPRA_F32);
  count = capra_shape_count (&bench->shape);
  bench->repeats = repeats;
  bench->values = g_try_new (float, count);
  for (guint i = 0; i < bench->n; i++)
    bench->results[i] = g_try_new (float, count);
  for (guint i = 0; i < bench->n + 2; i++)
    {
      bench->cases[i].name = name_case (bench, i);
      for (int sigma = 0; sigma < N_SIGMAS; sigma++)
        bench->cases[i].times[sigma] = g_new0 (double, repeats);
    }
  for (guint i = 0; i < bench->n; i++)
    if (!bench->values || !bench->results[i])
      {
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, "not enough memory for volumes of %d x %d x %d", size,
                     size, PLANES);
        return FALSE;
      }
  return bench_input ("noise", (gsize) size, (gsize) size * PLANES, 0, bench->values);
}

static void
clear (Bench *bench)
{
  g_free (bench->values);
  for (guint i = 0; i < bench->n; i++)
    g_free (bench->results[i]);
  for (guint i = 0; i < G_N_ELEMENTS (bench->cases); i++)
    {
      g_free (bench->cases[i].name);
      for (int sigma = 0; sigma < N_SIGMAS; sigma++)
        g_free (bench->cases[i].times[sigma]);
    }
}

gboolean
bench_devices (const char *names, int size, int repeats, gboolean as_json, GError **error)
{
  Bench bench = { .n = 0 };
  gboolean done = find_devices (&bench, names, error) && allocate (&bench, size, repeats, error)
                  && prepare (&bench, error) && run_all (&bench, error);

  if (done)
    (as_json ? print_json : print_text) (&bench);
  clear (&bench);
  return done;
}
