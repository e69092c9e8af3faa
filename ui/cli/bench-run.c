/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a workload on its inputs and times it. */
#include <stdlib.h>

#include "bench-inputs.h"
#include "bench-run.h"

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median (double *values, guint n)
{
  qsort (values, n, sizeof (double), compare_doubles);
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static gboolean
is_transfer (const char *name)
{
  return g_str_equal (name, "push") || g_str_equal (name, "pull") || g_str_equal (name, "result")
         || g_str_equal (name, "numbers");
}

/* From the first kernel's start to the last one's end of everything recorded since the last reset; waits
 * for it. */
static double
device_time (void)
{
  g_autoptr(GArray) records = capra_timeline_records (0);
  guint64 start = G_MAXUINT64, end = 0;

  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      if (is_transfer (record->name))
        continue;
      start = MIN (start, record->start);
      end = MAX (end, record->end);
    }
  return end > 0 ? (double) (end - start) * 1e-6 : 0;
}

static CapraArray *
make_image (const BenchWorkload *workload, CapraDevice *device, gsize size, guint number, double *push,
            GError **error)
{
  CapraShape shape = { workload->width ? workload->width : size, workload->height ? workload->height : size,
                       workload->depth, workload->channels, CAPRA_F32 };
  g_autofree float *values = g_malloc (capra_shape_bytes (&shape));
  CapraArray *image = NULL;

  bench_input (workload->input, shape.width * shape.channels, shape.height * shape.depth, number, values);
  capra_timeline_reset ();
  image = capra_array_new_from_data (device, &shape, values, error);
  *push = capra_timeline_total (device, "push", NULL, NULL);
  return image;
}

static gboolean
time_pull (CapraDevice *device, CapraArray *image, double *pull, GError **error)
{
  capra_timeline_reset ();
  if (!capra_array_map_read (image, error) || !capra_array_unmap (image, error))
    return FALSE;
  *pull = capra_timeline_total (device, "pull", NULL, NULL);
  return TRUE;
}

BenchInputs *
bench_inputs_new (const BenchWorkload *workload, CapraDevice *device, gsize size, GError **error)
{
  g_autoptr(BenchInputs) inputs = g_new0 (BenchInputs, 1);

  inputs->workload = workload;
  for (guint i = 0; i < BENCH_ROTATION; i++)
    {
      inputs->images[i] = make_image (workload, device, size, i, &inputs->push[i], error);
      if (!inputs->images[i] || !time_pull (device, inputs->images[i], &inputs->pull[i], error))
        return NULL;
    }
  if (workload->prepare)
    {
      inputs->second = workload->prepare (workload, inputs->images[0], error);
      if (!inputs->second)
        return NULL;
    }
  return g_steal_pointer (&inputs);
}

void
bench_inputs_free (BenchInputs *inputs)
{
  for (guint i = 0; i < BENCH_ROTATION; i++)
    g_clear_pointer (&inputs->images[i], capra_array_unref);
  g_clear_pointer (&inputs->second, capra_array_unref);
  g_free (inputs);
}

gboolean
bench_run (const BenchInputs *inputs, guint turn, double *device, double *wall, GError **error)
{
  /* A second input belongs to the first image. */
  const BenchCall call = { inputs->workload, inputs->images[inputs->second ? 0 : turn % BENCH_ROTATION],
                           inputs->second, NULL };
  gint64 start = 0;

  capra_timeline_reset ();
  start = g_get_monotonic_time ();
  if (!inputs->workload->run (&call, error))
    return FALSE;
  *device = device_time ();
  *wall = (double) (g_get_monotonic_time () - start) * 1e-3;
  return TRUE;
}

GArray *
bench_run_values (const BenchInputs *inputs, GError **error)
{
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const BenchCall call = { inputs->workload, inputs->images[0], inputs->second, values };

  if (!inputs->workload->run (&call, error))
    return NULL;
  return g_steal_pointer (&values);
}
