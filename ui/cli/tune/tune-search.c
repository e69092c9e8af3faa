/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of `capra tune`: compares each candidate of a key with the value in use, on images that keys share. */
#include <gio/gio.h>
#include <math.h>

#include "ui/cli/bench/bench-run.h"
#include "ui/cli/tune/tune-search.h"

#define TOLERANCE 2e-5 /* each of two results is within 1e-5 of the exact one */

struct _TuneSearch {
  CapraDevice *device;
  gsize size;
  TuneClock *clock;
  TuneTryFunc *try_func;
  gpointer data;
  GPtrArray *inputs;   /* of BenchInputs, for the workloads of the current key */
  GPtrArray *expected; /* of GArray of doubles: their results with the shipped value; NULL until needed */
  const char *key, *used;
  guint turn;
};

void
tune_result_free (TuneResult *result)
{
  g_free (result->key);
  g_free (result->shipped);
  g_free (result->winner);
  g_array_unref (result->candidates);
  g_free (result);
}

static char **
list_of (const char *key, const char *name)
{
  return g_key_file_get_string_list (capra_tuning_candidates (), key, name, NULL, NULL);
}

/* The values of @key that are tried on @device; NULL if there are none. Quirks of the driver may forbid some. */
static char **
values_of (CapraDevice *device, const char *key)
{
  char **values = list_of (key, capra_tuning_kind (device));
  guint n = 0;

  for (guint i = 0; values && values[i]; i++)
    if (capra_quirks_avoid (device, key, values[i]))
      g_free (values[i]);
    else
      values[n++] = values[i];
  if (values)
    values[n] = NULL;
  return values;
}

/* The workloads that @key is tuned with on this kind of device. */
static char **
workloads_of (CapraDevice *device, const char *key)
{
  g_autofree char *own = g_strconcat ("workloads-", capra_tuning_kind (device), NULL);
  char **workloads = list_of (key, own);

  return workloads ? workloads : list_of (key, "workloads");
}

guint
tune_search_runs (CapraDevice *device, const char *key)
{
  g_auto (GStrv) values = values_of (device, key), workloads = workloads_of (device, key);

  return values && *values && workloads ? (g_strv_length (values) - 1) * g_strv_length (workloads) : 0;
}

static const BenchWorkload *
find_workload (const char *name, GError **error)
{
  for (guint i = 0; i < bench_n_workloads; i++)
    if (g_str_equal (bench_workloads[i].name, name))
      return &bench_workloads[i];
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "unknown workload \"%s\"", name);
  return NULL;
}

/* Inputs in @made that are those of @workload; NULL if there are none. */
static BenchInputs *
share_inputs (GPtrArray *made, const BenchWorkload *workload)
{
  BenchInputs *shared = NULL;

  for (guint i = 0; i < made->len && !shared; i++)
    if (made->pdata[i])
      shared = bench_inputs_share (made->pdata[i], workload);
  return shared;
}

static void
free_inputs (gpointer inputs)
{
  if (inputs)
    bench_inputs_free (inputs);
}

/* Replaces the inputs of the search by those of @workloads, and reuses those of the previous key. */
static gboolean
take_inputs (TuneSearch *search, char **workloads, GError **error)
{
  g_autoptr (GPtrArray) previous = search->inputs;

  search->inputs = g_ptr_array_new_with_free_func (free_inputs);
  for (char **name = workloads; *name; name++)
    {
      const BenchWorkload *workload = find_workload (*name, error);

      if (!workload)
        return FALSE;
      g_ptr_array_add (search->inputs, share_inputs (previous, workload));
    }
  g_clear_pointer (&previous, g_ptr_array_unref);
  for (guint i = 0; i < search->inputs->len; i++)
    if (!search->inputs->pdata[i])
      {
        const BenchWorkload *workload = find_workload (workloads[i], error);
        BenchInputs *inputs = share_inputs (search->inputs, workload);
        gint64 start = g_get_monotonic_time ();

        if (!inputs)
          inputs = bench_inputs_new (workload, search->device, search->size / (workload->channels > 1 ? 2 : 1), error);
        g_debug ("images for %s in %.0f ms", workload->name, (double) (g_get_monotonic_time () - start) * 1e-3);
        if (!inputs)
          return FALSE;
        search->inputs->pdata[i] = inputs;
      }
  return TRUE;
}

static gboolean
is_close (const GArray *got, const GArray *expected, gboolean exact)
{
  if (got->len != expected->len)
    return FALSE;
  for (guint i = 0; i < got->len; i++)
    {
      double a = g_array_index (got, double, i), b = g_array_index (expected, double, i);

      if (!(a == b || (isnan (a) && isnan (b)) || (!exact && fabs (a - b) <= TOLERANCE * MAX (fabs (b), 1))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run (gpointer data, guint workload, const char *value, double *ms, GError **error)
{
  TuneSearch *search = data;

  capra_tuning_try (search->key, value);
  return bench_run (search->inputs->pdata[workload], search->turn++, ms, error);
}

static gboolean
verify (gpointer data, const char *value)
{
  TuneSearch *search = data;

  for (guint i = 0; i < search->inputs->len; i++)
    {
      const BenchInputs *inputs = search->inputs->pdata[i];
      g_autoptr (GArray) values = NULL;

      if (!search->expected->pdata[i])
        {
          capra_tuning_try (search->key, search->used);
          search->expected->pdata[i] = bench_run_values (inputs, NULL);
        }
      capra_tuning_try (search->key, value);
      values = bench_run_values (inputs, NULL);
      if (!values || !search->expected->pdata[i]
          || !is_close (values, search->expected->pdata[i], inputs->workload->exact))
        return FALSE;
    }
  return TRUE;
}

static gboolean
stop (gpointer data)
{
  const TuneSearch *search = data;

  return tune_clock_is_over (search->clock);
}

static void
free_values (gpointer values)
{
  if (values)
    g_array_unref (values);
}

TuneSearch *
tune_search_new (CapraDevice *device, gsize size, TuneClock *clock, TuneTryFunc *try_func, gpointer data)
{
  TuneSearch *search = g_new0 (TuneSearch, 1);

  search->device = device;
  search->size = size;
  search->clock = clock;
  search->try_func = try_func;
  search->data = data;
  search->inputs = g_ptr_array_new_with_free_func (free_inputs);
  search->expected = g_ptr_array_new_with_free_func (free_values);
  return search;
}

void
tune_search_free (TuneSearch *search)
{
  g_ptr_array_unref (search->inputs);
  g_ptr_array_unref (search->expected);
  g_free (search);
}

/* Creates inputs, and builds the kernels of the shipped value. */
static gboolean
prepare (TuneSearch *search, char **workloads, GError **error)
{
  double first = 0;

  if (search->try_func)
    search->try_func (search->key, search->used, search->data);
  g_ptr_array_set_size (search->expected, 0);
  if (!take_inputs (search, workloads, error))
    return FALSE;
  g_ptr_array_set_size (search->expected, (gint) search->inputs->len);
  for (guint i = 0; i < search->inputs->len; i++)
    if (!run (search, i, search->used, &first, error))
      return FALSE;
  return TRUE;
}

/* Compares @value with the value in use, and uses it from then on if it wins. */
static TuneVerdict
try_value (TuneSearch *search, const char *value, TuneResult *result, GError **error)
{
  const TuneRunner runner = { search, search->inputs->len, run, verify, stop };
  TuneCandidate candidate = { value, TUNE_STOPPED, 1 };
  g_autoptr (GError) failure = NULL;

  if (search->try_func)
    search->try_func (search->key, value, search->data);
  candidate.verdict = tune_race (&runner, search->used, value, &candidate.gain, &failure);
  candidate.gain *= result->gain;
  if (candidate.verdict == TUNE_FASTER)
    {
      search->used = value;
      result->gain = candidate.gain;
    }
  capra_tuning_try (search->key, search->used);
  if (candidate.verdict != TUNE_STOPPED)
    g_array_append_val (result->candidates, candidate);
  if (failure)
    g_propagate_prefixed_error (error, g_steal_pointer (&failure), "after %s=%s, ", search->key, value);
  return candidate.verdict;
}

/* Tries candidates until the time is too short for another one, or one makes the device fail. */
static gboolean
try_values (TuneSearch *search, char **values, TuneResult *result, GError **error)
{
  for (char **value = values; *value && result->complete; value++)
    {
      g_autoptr (GError) failure = NULL;

      if (g_str_equal (*value, result->shipped))
        continue;
      result->complete = !tune_clock_is_short (search->clock, search->inputs->len)
                         && try_value (search, g_intern_string (*value), result, &failure) != TUNE_STOPPED;
      search->clock->done += result->complete ? search->inputs->len : 0;
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
  return TRUE;
}

TuneResult *
tune_search_key (TuneSearch *search, const char *key, GError **error)
{
  g_auto (GStrv) values = values_of (search->device, key);
  g_auto (GStrv) workloads = workloads_of (search->device, key);
  g_autoptr (TuneResult) result = g_new0 (TuneResult, 1);

  result->key = g_strdup (key);
  result->shipped = capra_tuning_get (search->device, key);
  result->candidates = g_array_new (FALSE, FALSE, sizeof (TuneCandidate));
  result->gain = 1;
  if (!values || !workloads || !result->shipped)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "\"%s\" has no default value, or no workload", key);
      return NULL;
    }
  search->key = key;
  search->used = result->shipped;
  result->complete = !tune_clock_is_short (search->clock, g_strv_length (workloads));
  if (result->complete && (!prepare (search, workloads, error) || !try_values (search, values, result, error)))
    return NULL;
  result->winner = g_strdup (search->used);
  return g_steal_pointer (&result);
}
