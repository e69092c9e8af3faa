/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a workload on its inputs and times it. */
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cli/bench/bench-inputs.h"
#include "ui/cli/bench/bench-run.h"

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

static CapraShape
input_shape (const BenchWorkload *workload, gsize size)
{
  return (CapraShape){ workload->width ? workload->width : size, workload->height ? workload->height : size,
                       workload->depth, workload->channels, CAPRA_F32 };
}

static void
fill_values (const BenchWorkload *workload, const CapraShape *shape, guint number, float *values)
{
  bench_input (workload->input, shape->width * shape->channels, shape->height * shape->depth, number, values);
}

/* Creates the input and the second input on the device, and times the transfers. */
static gboolean
make_input (BenchInput *input, const BenchWorkload *workload, CapraDevice *device, const CapraShape *shape,
            const float *values, GError **error)
{
  capra_timeline_reset ();
  input->image = capra_array_new_from_data (device, shape, values, error);
  if (!input->image)
    return FALSE;
  input->upload = capra_timeline_total (device, "upload", NULL, NULL);
  capra_timeline_reset ();
  if (!capra_array_map_read (input->image, error) || !capra_array_unmap (input->image, error))
    return FALSE;
  input->download = capra_timeline_total (device, "download", NULL, NULL);
  if (workload->prepare)
    input->second = workload->prepare (workload, input->image, error);
  return !workload->prepare || input->second;
}

static void
input_clear (BenchInput *input)
{
  g_clear_pointer (&input->image, capra_array_unref);
  g_clear_pointer (&input->second, capra_array_unref);
}

BenchInputs *
bench_inputs_new (const BenchWorkload *workload, CapraDevice *device, gsize size, GError **error)
{
  g_autoptr (BenchInputs) inputs = g_new0 (BenchInputs, 1);
  const CapraShape shape = input_shape (workload, size);
  gsize bytes = capra_shape_bytes (&shape);
  guint count = (guint) CLAMP (BENCH_ROTATION_BYTES / bytes, BENCH_ROTATION_MIN, BENCH_ROTATION_MAX);
  g_autofree float *values = g_try_malloc (bytes), *first = g_try_malloc (bytes);

  inputs->workload = workload;
  inputs->rotation = g_array_new (FALSE, TRUE, sizeof (BenchInput));
  g_array_set_clear_func (inputs->rotation, (GDestroyNotify) input_clear);
  g_array_set_size (inputs->rotation, count);
  if (!values || !first)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "not enough host memory for an image of %.0f MiB",
                   (double) bytes / 1048576.0);
      return NULL;
    }
  fill_values (workload, &shape, 0, first);
  for (guint i = 0; i < count; i++)
    {
      if (i > 0)
        fill_values (workload, &shape, i, values);
      if (!make_input (&g_array_index (inputs->rotation, BenchInput, i), workload, device, &shape,
                       i > 0 ? values : first, error))
        return NULL;
    }
  inputs->values = g_bytes_new_take (g_steal_pointer (&first), bytes);
  return g_steal_pointer (&inputs);
}

BenchInputs *
bench_inputs_share (const BenchInputs *inputs, const BenchWorkload *workload)
{
  const BenchWorkload *other = inputs->workload;
  BenchInputs *shared = NULL;

  if (strcmp (other->input, workload->input) != 0 || other->channels != workload->channels
      || other->width != workload->width || other->height != workload->height || other->depth != workload->depth
      || (workload->prepare && other->prepare != workload->prepare))
    return NULL;
  shared = g_new0 (BenchInputs, 1);
  shared->workload = workload;
  shared->rotation = g_array_ref (inputs->rotation);
  shared->values = g_bytes_ref (inputs->values);
  return shared;
}

void
bench_inputs_free (BenchInputs *inputs)
{
  g_clear_pointer (&inputs->rotation, g_array_unref);
  g_clear_pointer (&inputs->kernels, g_ptr_array_unref);
  g_clear_pointer (&inputs->values, g_bytes_unref);
  g_free (inputs->result);
  g_free (inputs);
}

gsize
bench_inputs_bytes (const BenchInputs *inputs)
{
  return capra_shape_bytes (capra_array_get_shape (g_array_index (inputs->rotation, BenchInput, 0).image));
}

void
bench_inputs_transfers (const BenchInputs *inputs, double *upload, double *download)
{
  double uploads[BENCH_ROTATION_MAX], downloads[BENCH_ROTATION_MAX];
  guint n = inputs->rotation->len;

  for (guint i = 0; i < n; i++)
    {
      uploads[i] = g_array_index (inputs->rotation, BenchInput, i).upload;
      downloads[i] = g_array_index (inputs->rotation, BenchInput, i).download;
    }
  *upload = bench_median (uploads, n);
  *download = bench_median (downloads, n);
}

static const BenchInput *
get_input (const BenchInputs *inputs, guint turn)
{
  return &g_array_index (inputs->rotation, BenchInput, turn % inputs->rotation->len);
}

static gboolean
make_ready (const BenchWorkload *workload, const BenchCall *call, GError **error)
{
  return !workload->ready || workload->ready (call, error);
}

/* What a run needs, before its time is taken. */
static gboolean
ready_workload (const BenchInputs *inputs, guint turn, GError **error)
{
  const BenchInput *input = get_input (inputs, turn);
  const BenchCall call = { inputs->workload, input->image, input->second };

  return make_ready (inputs->workload, &call, error);
}

static gboolean
call_workload (const BenchInputs *inputs, guint turn, GError **error)
{
  const BenchInput *input = get_input (inputs, turn);
  const BenchCall call = { inputs->workload, input->image, input->second };

  return inputs->workload->run (&call, error);
}

gboolean
bench_run (const BenchInputs *inputs, guint turn, double *device, GError **error)
{
  CapraDevice *where = capra_array_get_device (get_input (inputs, turn)->image);
  guint busy = capra_device_get_info (where)->type == CAPRA_DEVICE_GPU ? 1 : 0;

  if (!ready_workload (inputs, turn, error))
    return FALSE;
  capra_timeline_reset ();
  if ((busy > 0 && !capra_device_keep_busy (where, error)) || !call_workload (inputs, turn, error))
    return FALSE;
  *device = bench_device_time (busy);
  if (inputs->kernels)
    bench_kernels_add (inputs->kernels, busy);
  return TRUE;
}

gboolean
bench_run_wall (const BenchInputs *inputs, guint turn, double *wall, GError **error)
{
  gint64 start = 0;

  if (!ready_workload (inputs, turn, error))
    return FALSE;
  capra_timeline_reset ();
  start = g_get_monotonic_time ();
  if (!call_workload (inputs, turn, error))
    return FALSE;
  bench_device_time (0);
  *wall = (double) (g_get_monotonic_time () - start) * 1e-3;
  return TRUE;
}

gboolean
bench_run_whole (BenchInputs *inputs, double *wall, GError **error)
{
  const BenchInput *first = &g_array_index (inputs->rotation, BenchInput, 0);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (CapraArray) image = capra_array_new_from_data (capra_array_get_device (first->image),
                                                            capra_array_get_shape (first->image),
                                                            g_bytes_get_data (inputs->values, NULL), error);
  const BenchCall call = { inputs->workload, image, first->second, .host = &inputs->result };

  if (!image || !make_ready (inputs->workload, &call, error) || !inputs->workload->run (&call, error))
    return FALSE;
  *wall = (double) (g_get_monotonic_time () - start) * 1e-3;
  return TRUE;
}

GArray *
bench_run_values (const BenchInputs *inputs, GError **error)
{
  const BenchInput *first = &g_array_index (inputs->rotation, BenchInput, 0);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const BenchCall call = { inputs->workload, first->image, first->second, .values = values };

  if (!make_ready (inputs->workload, &call, error) || !inputs->workload->run (&call, error))
    return NULL;
  return g_steal_pointer (&values);
}
