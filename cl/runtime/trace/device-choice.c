/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device choice: on which device an operation finishes first, and why. */
#include <glib/gi18n-lib.h>

#include "runtime/trace/device-choice-private.h"
#include "runtime/trace/timeline-private.h"
#include "runtime/trace/write-json.h"

/* Bytes per millisecond where nothing was measured yet: memory of a GPU and of the host, and transfers. */
#define ASSUMED_GPU 5e8
#define ASSUMED_CPU 1e7
#define ASSUMED_TRANSFER 5e6
/* Part of the host's memory bandwidth that an operation without OpenCL is assumed to use. */
#define ASSUMED_HOST (0.25 * ASSUMED_CPU)
/* The number of runs after which a rate is measured again. */
#define PERIOD 64

/* Times in milliseconds. */
typedef struct {
  CapraDevice *device; /* NULL for the operation without OpenCL */
  double queued, transfer, compute;
  gboolean measured; /* whether the rate of the operation was measured */
} Estimate;

typedef struct {
  const char *operation, *host_alternative; /* interned */
  double pixels;
  guint chosen;
  GArray *estimates; /* of Estimate */
} Choice;

typedef struct {
  double rate;
  guint runs;
} Rate;

/* The registry of the process. */
static GMutex lock;
static GHashTable *rates;       /* of Rate by "device operation" */
static GHashTable *busy;        /* of gint64 by device: the time when it finishes, in microseconds */
static GPtrArray *last_choices; /* of Choice */

static Rate *
get_rate (CapraDevice *device, const char *operation)
{
  g_autofree char *key = g_strdup_printf ("%u %s", capra_device_get_info (device)->index, operation ? operation : "");
  Rate *rate = NULL;

  if (!rates)
    rates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  rate = g_hash_table_lookup (rates, key);
  if (!rate)
    g_hash_table_insert (rates, g_steal_pointer (&key), rate = g_new0 (Rate, 1));
  return rate;
}

void
capra_device_set_rate (CapraDevice *device, const char *operation, double rate)
{
  g_return_if_fail (device && rate >= 0);

  g_mutex_lock (&lock);
  *get_rate (device, operation) = (Rate){ rate, rate > 0 };
  g_mutex_unlock (&lock);
}

static gint64 *
get_busy (CapraDevice *device)
{
  gint64 *until = NULL;

  if (!busy)
    busy = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  until = g_hash_table_lookup (busy, device);
  if (!until)
    g_hash_table_insert (busy, device, until = g_new0 (gint64, 1));
  return until;
}

/* Bytes per millisecond of the uploads and downloads that have finished. */
static double
get_transfer_rate (CapraDevice *device)
{
  double rate = get_rate (device, NULL)->rate, time = 0;
  guint64 bytes = 0;

  if (rate > 0)
    return rate;
  time = capra_timeline_finished_transfers (device, &bytes);
  return time > 0 && bytes > 0 ? (double) bytes / time : ASSUMED_TRANSFER;
}

/* The time until all inputs are on @device; %NULL for the host. */
static double
estimate_transfer (const CapraDeviceWork *work, CapraDevice *device)
{
  double time = 0;

  for (guint i = 0; i < CAPRA_DEVICE_WORK_INPUTS; i++)
    {
      CapraDevice *holder = work->inputs[i].holder;

      if (holder == device || work->inputs[i].bytes <= 0)
        continue;
      if (holder)
        time += work->inputs[i].bytes / get_transfer_rate (holder);
      if (device)
        time += work->inputs[i].bytes / get_transfer_rate (device);
    }
  return time;
}

static Estimate
estimate (const CapraDeviceWork *work, CapraDevice *device)
{
  gboolean gpu = capra_device_get_info (device)->type == CAPRA_DEVICE_GPU;
  double rate = get_rate (device, work->operation)->rate;
  double queued = (double) (*get_busy (device) - g_get_monotonic_time ()) * 1e-3;

  return (Estimate){ device, MAX (queued, 0.0), estimate_transfer (work, device),
                     rate > 0 ? work->pixels / rate : work->bytes / (gpu ? ASSUMED_GPU : ASSUMED_CPU), rate > 0 };
}

static double
get_total (const Estimate *estimate)
{
  return estimate->queued + estimate->transfer + estimate->compute;
}

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_array_unref (choice->estimates);
  g_free (choice);
}

/* Replaces the last choice for the same operation. */
static void
remember (Choice *choice)
{
  if (!last_choices)
    last_choices = g_ptr_array_new_with_free_func (choice_free);
  for (guint i = 0; i < last_choices->len; i++)
    if (((Choice *) last_choices->pdata[i])->operation == choice->operation)
      {
        choice_free (last_choices->pdata[i]);
        last_choices->pdata[i] = choice;
        return;
      }
  g_ptr_array_add (last_choices, choice);
}

guint
capra_device_choose (const CapraDeviceWork *work, const GPtrArray *devices)
{
  g_autoptr (GMutexLocker) locker = NULL;
  Choice *choice = NULL;
  guint best = 0;

  g_return_val_if_fail (work && devices && devices->len > 0, 0);

  choice = g_new0 (Choice, 1);
  choice->operation = g_intern_string (work->operation);
  choice->host_alternative = g_intern_string (work->host_alternative);
  choice->pixels = work->pixels;
  choice->estimates = g_array_new (FALSE, FALSE, sizeof (Estimate));
  locker = g_mutex_locker_new (&lock);
  for (guint i = 0; i < devices->len; i++)
    {
      Estimate own = estimate (work, devices->pdata[i]);

      g_array_append_val (choice->estimates, own);
      if (get_total (&own) < get_total (&g_array_index (choice->estimates, Estimate, best)))
        best = i;
    }
  if (work->host_alternative)
    {
      Estimate host = { NULL, 0, estimate_transfer (work, NULL), work->bytes / ASSUMED_HOST, FALSE };

      g_array_append_val (choice->estimates, host);
    }
  choice->chosen = best;
  remember (choice);
  return best;
}

/* The milliseconds of all kernels of @device. Waits for them. */
static double
get_kernel_time (CapraDevice *device)
{
  g_autoptr (GArray) timings = capra_timeline_statistics ();
  double total = 0;

  for (guint i = 0; i < timings->len; i++)
    {
      const CapraTiming *timing = &g_array_index (timings, CapraTiming, i);

      if (timing->device == device && !capra_timeline_is_transfer (timing->name))
        total += timing->total;
    }
  return total;
}

void
capra_device_run_begin (CapraDeviceRun *run, const CapraDeviceWork *work, CapraDevice *device)
{
  Estimate own;
  gint64 *until = NULL, now = g_get_monotonic_time ();
  Rate *rate = NULL;

  *run = (CapraDeviceRun){ .device = device, .operation = g_intern_string (work->operation), .pixels = work->pixels };
  g_mutex_lock (&lock);
  own = estimate (work, device);
  until = get_busy (device);
  rate = get_rate (device, work->operation);
  run->measured = rate->runs++ % PERIOD == 0;
  run->added = (gint64) (1e3 * (own.transfer + own.compute));
  *until = MAX (*until, now) + run->added;
  g_mutex_unlock (&lock);
  if (run->measured)
    run->kernels = get_kernel_time (device);
}

void
capra_device_run_end (CapraDeviceRun *run, gboolean done)
{
  double kernels = run->measured && done ? get_kernel_time (run->device) - run->kernels : 0;

  g_mutex_lock (&lock);
  if (kernels > 0)
    {
      Rate *rate = get_rate (run->device, run->operation);

      rate->rate = rate->rate > 0 ? 0.5 * (rate->rate + run->pixels / kernels) : run->pixels / kernels;
    }
  if (run->measured || !done) /* it has finished */
    *get_busy (run->device) -= run->added;
  g_mutex_unlock (&lock);
}

static char *
name_device (const Choice *choice, CapraDevice *device)
{
  const CapraDeviceInfo *info = device ? capra_device_get_info (device) : NULL;

  /* Translators: %s is the name of an operation of GEGL. */
  return info ? g_strdup_printf ("%u: %s", info->index, info->name)
              : g_strdup_printf (_ ("%s, without OpenCL"), choice->host_alternative);
}

static void
append_choice (GString *text, const Choice *choice)
{
  for (guint i = 0; i < choice->estimates->len; i++)
    {
      const Estimate *own = &g_array_index (choice->estimates, Estimate, i);
      g_autofree char *device = name_device (choice, own->device);

      if (i == 0)
        /* Translators: %s is the name of an operation. */
        g_string_append_printf (text, _ ("%s, %.0f pixels; times in ms:\n"), choice->operation, choice->pixels);
      /* Translators: the first %s is empty or marks the device that was chosen; %s at the end is one of the words
       * "measured" and "assumed". */
      g_string_append_printf (text, _ ("%s%s: queue %.3f + transfer %.3f + computation %.3f = %.3f (%s)\n"),
                              i == choice->chosen ? "→ " : "  ", device, own->queued, own->transfer, own->compute,
                              get_total (own), own->measured ? _ ("measured") : _ ("assumed"));
    }
}

char *
capra_device_choice_describe (const char *operation)
{
  GString *text = g_string_new (NULL);

  g_mutex_lock (&lock);
  for (guint i = 0; last_choices && i < last_choices->len; i++)
    {
      const Choice *choice = last_choices->pdata[i];

      if (!operation || g_str_equal (choice->operation, operation))
        append_choice (text, choice);
    }
  g_mutex_unlock (&lock);
  return g_string_free (text, text->len == 0);
}

static JsonObject *
estimate_to_object (const Choice *choice, const Estimate *own)
{
  JsonObject *object = json_object_new ();
  g_autofree char *name = name_device (choice, own->device);

  json_object_set_string_member (object, "device", own->device ? capra_device_get_info (own->device)->name : name);
  if (own->device)
    json_object_set_string_member (object, "id", capra_device_get_info (own->device)->id);
  capra_json_set_number (object, "queued", own->queued);
  capra_json_set_number (object, "transfer", own->transfer);
  capra_json_set_number (object, "compute", own->compute);
  capra_json_set_number (object, "total", get_total (own));
  json_object_set_boolean_member (object, "measured", own->measured);
  return object;
}

static JsonObject *
choice_to_object (const Choice *choice)
{
  JsonObject *object = json_object_new ();
  JsonArray *estimates = json_array_new ();
  CapraDevice *chosen = g_array_index (choice->estimates, Estimate, choice->chosen).device;

  json_object_set_string_member (object, "operation", choice->operation);
  json_object_set_string_member (object, "chosen", capra_device_get_info (chosen)->id);
  capra_json_set_number (object, "pixels", choice->pixels);
  for (guint i = 0; i < choice->estimates->len; i++)
    json_array_add_object_element (estimates,
                                   estimate_to_object (choice, &g_array_index (choice->estimates, Estimate, i)));
  json_object_set_array_member (object, "estimates", estimates);
  return object;
}

JsonArray *
capra_device_choice_to_array (void)
{
  JsonArray *array = NULL;

  g_mutex_lock (&lock);
  for (guint i = 0; last_choices && i < last_choices->len; i++)
    {
      if (!array)
        array = json_array_new ();
      json_array_add_object_element (array, choice_to_object (last_choices->pdata[i]));
    }
  g_mutex_unlock (&lock);
  return array;
}
