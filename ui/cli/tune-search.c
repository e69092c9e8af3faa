/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search of `capra tune`: a candidate must give the results of the value in use, and then beat it by more than
 * the noise, run by run beside it. */
#include <gio/gio.h>
#include <math.h>

#include "bench-run.h"
#include "tune-search.h"

#define REPEATS 7
#define WORTH 1.03     /* a candidate wins from here on */
#define TOLERANCE 2e-5 /* each of two results is within 1e-5 of the truth */

typedef struct {
  GPtrArray *inputs;   /* of BenchInputs, one a workload that judges */
  GPtrArray *expected; /* of GArray of doubles: their results with the value in use */
} Trial;

static void
trial_clear (Trial *trial)
{
  g_clear_pointer (&trial->inputs, g_ptr_array_unref);
  g_clear_pointer (&trial->expected, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trial, trial_clear)

static const BenchWorkload *
find_workload (const char *name, GError **error)
{
  for (guint i = 0; i < bench_n_workloads; i++)
    if (g_str_equal (bench_workloads[i].name, name))
      return &bench_workloads[i];
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no workload “%s” to judge by", name);
  return NULL;
}

static gboolean
trial_prepare (Trial *trial, CapraDevice *device, const char *key, gsize size, GError **error)
{
  g_auto(GStrv) names = g_key_file_get_string_list (capra_tuning_candidates (), key, "workloads", NULL, error);

  trial->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) bench_inputs_free);
  trial->expected = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (char **name = names; name && *name; name++)
    {
      const BenchWorkload *workload = find_workload (*name, error);
      BenchInputs *inputs = workload ? bench_inputs_new (workload, device, size, error) : NULL;
      GArray *values = NULL;

      if (!inputs)
        return FALSE;
      g_ptr_array_add (trial->inputs, inputs);
      values = bench_run_values (inputs, error);
      if (!values)
        return FALSE;
      g_ptr_array_add (trial->expected, values);
    }
  return names != NULL;
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

/* Whether the value being tried gives the results expected; it is built and run for the first time here. */
static TuneOutcome
verify (const Trial *trial)
{
  for (guint i = 0; i < trial->inputs->len; i++)
    {
      const BenchInputs *inputs = trial->inputs->pdata[i];
      g_autoptr(GArray) values = bench_run_values (inputs, NULL);

      if (!values)
        return TUNE_FAILED;
      if (!is_close (values, trial->expected->pdata[i], inputs->workload->exact))
        return TUNE_WRONG;
    }
  return TUNE_NOT_FASTER;
}

/* How many times as fast as @used @value is on one workload: both take turns. */
static double
compare (const BenchInputs *inputs, const char *key, const char *used, const char *value, GError **error)
{
  double times[2][REPEATS];

  for (guint i = 0; i < REPEATS; i++)
    for (guint which = 0; which < 2; which++)
      {
        capra_tuning_try (key, which ? value : used);
        if (!bench_run (inputs, i, &times[which][i], error))
          return -1;
      }
  return bench_median (times[0], REPEATS) / bench_median (times[1], REPEATS);
}

/* The geometric mean over the workloads. */
static double
gain_over (const Trial *trial, const char *key, const char *used, const char *value, GError **error)
{
  double sum = 0;

  for (guint i = 0; i < trial->inputs->len; i++)
    {
      double gain = compare (trial->inputs->pdata[i], key, used, value, error);

      if (gain <= 0)
        return -1;
      sum += log (gain);
    }
  return exp (sum / trial->inputs->len);
}

/* Tries @value; where it wins, it takes the place of *@used. */
static double
try_value (const Trial *trial, const char *key, char **used, const char *value, TuneOutcome *outcome)
{
  double gain = 1;

  capra_tuning_try (key, value);
  *outcome = verify (trial);
  if (*outcome == TUNE_NOT_FASTER)
    {
      gain = gain_over (trial, key, *used, value, NULL);
      /* What wins must win twice: a busy moment must not decide for years. */
      if (gain >= WORTH)
        gain = MIN (gain, gain_over (trial, key, *used, value, NULL));
      if (gain <= 0)
        *outcome = TUNE_FAILED;
      else if (gain >= WORTH)
        *outcome = TUNE_FASTER;
    }
  if (*outcome == TUNE_FASTER)
    {
      g_free (*used);
      *used = g_strdup (value);
    }
  capra_tuning_try (key, *used);
  return gain;
}

char *
tune_key (CapraDevice *device, const char *key, gsize size, gint64 deadline, TuneReport report, gpointer data,
          double *gain, GError **error)
{
  g_auto(Trial) trial = { 0 };
  g_auto(GStrv) values = g_key_file_get_string_list (capra_tuning_candidates (), key, capra_tuning_kind (device), NULL,
                                                     NULL);
  char *used = capra_tuning_get (device, key);

  *gain = 1;
  if (!used || !values)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "“%s” has no shipped value", key);
      return NULL;
    }
  if (!trial_prepare (&trial, device, key, size, error))
    {
      g_free (used);
      return NULL;
    }
  for (char **value = values; *value && g_get_monotonic_time () < deadline; value++)
    {
      TuneOutcome outcome;
      double ratio = 1;

      if (g_str_equal (*value, used))
        continue;
      ratio = try_value (&trial, key, &used, *value, &outcome);
      if (outcome == TUNE_FASTER)
        *gain *= ratio;
      report (key, *value, outcome, ratio, data);
    }
  return used;
}
