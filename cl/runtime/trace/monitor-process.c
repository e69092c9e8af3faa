/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: what is known of a process, and how a message changes it. Nothing in a message is trusted. */
#include <string.h>

#include "runtime/trace/monitor-message.h"
#include "runtime/trace/monitor-process.h"
#include "runtime/trace/running-statistics.h"

#define KEPT_RECORDS 8192
/* Of a process; more are ignored. */
#define MOST_DEVICES 256
#define MOST_TIMINGS 1024
#define MOST_NAME_BYTES ((gsize) 256 << 10)
/* Longer names of processes are ignored. */
#define MOST_TEXT 1024

typedef struct {
  CapraMonitorProcess open;
  GHashTable *names; /* of records, as a set */
  gsize name_bytes;
  guint64 seen;      /* the process's own count of records */
  gboolean counting; /* since a reset: statistics are made here, from records */
  GPtrArray *series; /* then, of Counted */
} Known;

typedef struct {
  guint device;
  const char *name;
  CapraSeries times;
} Counted;

static void
device_free (CapraMonitorDevice *device)
{
  g_free (device->id);
  g_free (device->name);
  g_free (device);
}

CapraMonitorProcess *
capra_monitor_process_new (gint64 pid)
{
  Known *known = g_new0 (Known, 1);
  CapraMonitorProcess *process = &known->open;

  known->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  known->series = g_ptr_array_new_with_free_func (g_free);
  process->pid = pid;
  process->name = g_strdup ("");
  process->title = g_strdup ("");
  process->version = g_strdup ("");
  process->devices = g_ptr_array_new_with_free_func ((GDestroyNotify) device_free);
  process->timings = g_array_new (FALSE, TRUE, sizeof (CapraMonitorTiming));
  process->records = g_array_new (FALSE, TRUE, sizeof (CapraMonitorRecord));
  return process;
}

void
capra_monitor_process_free (CapraMonitorProcess *process)
{
  Known *known = (Known *) process;

  g_ptr_array_unref (process->devices);
  g_array_unref (process->timings);
  g_array_unref (process->records);
  g_free (process->name);
  g_free (process->title);
  g_free (process->version);
  g_ptr_array_unref (known->series);
  g_hash_table_unref (known->names);
  g_free (known);
}

static void
update_string (GVariantDict *message, const char *key, const char *fallback, char **text)
{
  g_autofree char *found = NULL;

  if (!g_variant_dict_lookup (message, key, "s", &found) || strlen (found) > MOST_TEXT)
    return;
  if (*found == '\0')
    {
      g_free (found);
      found = g_strdup (fallback);
    }
  g_free (*text);
  *text = g_steal_pointer (&found);
}

static void
update_devices (CapraMonitorProcess *process, GVariant *devices)
{
  GVariantIter iter;
  CapraMonitorDevice read = { 0 };
  guint32 type = 0;
  guint64 *bytes = read.memory.bytes;

  g_ptr_array_set_size (process->devices, 0);
  g_variant_iter_init (&iter, devices);
  while (g_variant_iter_next (&iter, CAPRA_MONITOR_DEVICE, &read.id, &read.name, &type, &bytes[CAPRA_MEMORY_ARRAYS],
                              &bytes[CAPRA_MEMORY_RESIDENT], &bytes[CAPRA_MEMORY_STAGING], &bytes[CAPRA_MEMORY_POOL],
                              &read.memory.peak, &read.memory.budget, &read.memory.allocations))
    {
      if (process->devices->len == MOST_DEVICES)
        {
          g_free (read.id);
          g_free (read.name);
          break;
        }
      read.type = type <= CAPRA_DEVICE_ACCELERATOR ? (CapraDeviceType) type : CAPRA_DEVICE_ACCELERATOR;
      g_ptr_array_add (process->devices, g_memdup2 (&read, sizeof read));
    }
}

static void
update_yielded (CapraMonitorProcess *process, GVariant *yielded)
{
  GVariantIter iter;

  g_variant_iter_init (&iter, yielded);
  for (guint i = 0; i < process->devices->len; i++)
    {
      CapraMonitorDevice *device = process->devices->pdata[i];

      if (!g_variant_iter_next (&iter, CAPRA_MONITOR_YIELDED, &device->memory.evictions, &device->memory.freed))
        break;
    }
}

/* A copy of @name that lives as long as the process is known; NULL if it has sent too many. */
static const char *
keep_name (Known *known, const char *name)
{
  gsize bytes = strlen (name) + 1;
  char *kept = g_hash_table_lookup (known->names, name);

  if (kept || known->name_bytes + bytes > MOST_NAME_BYTES)
    return kept;
  kept = g_strdup (name);
  g_hash_table_add (known->names, kept);
  known->name_bytes += bytes;
  return kept;
}

/* The message's statistics, of known devices only; an entry without a name stands for any other, so
 * that the records' indices stay right. */
static GArray *
read_timings (Known *known, GVariant *timings)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (CapraMonitorTiming));
  CapraMonitorTiming timing = { 0 };
  GVariantIter iter;
  const char *name = NULL;

  g_variant_iter_init (&iter, timings);
  while (all->len < MOST_TIMINGS
         && g_variant_iter_next (&iter, "(u&sttdddddd)", &timing.device, &name, &timing.count, &timing.bytes,
                                 &timing.min, &timing.median, &timing.max, &timing.mean, &timing.std, &timing.total))
    {
      timing.name = NULL;
      if (timing.device < known->open.devices->len)
        timing.name = keep_name (known, name);
      g_array_append_val (all, timing);
    }
  return all;
}

/* NULL if there are too many already. */
static Counted *
counted_get (Known *known, guint device, const char *name)
{
  Counted *counted = NULL;

  for (guint i = 0; i < known->series->len; i++)
    {
      counted = known->series->pdata[i];
      if (counted->device == device && counted->name == name)
        return counted;
    }
  if (known->series->len >= MOST_TIMINGS)
    return NULL;
  counted = g_new0 (Counted, 1);
  counted->device = device;
  counted->name = name;
  g_ptr_array_add (known->series, counted);
  return counted;
}

static void
update_records (Known *known, const GArray *timings, GVariant *records)
{
  CapraMonitorProcess *process = &known->open;
  gsize n = 0;
  const CapraMonitorPacked *packed = g_variant_get_fixed_array (records, &n, sizeof *packed);

  for (gsize i = n - MIN (n, CAPRA_MONITOR_MOST_RECORDS); i < n; i++)
    {
      const CapraMonitorTiming *timing = NULL;
      Counted *counted = NULL;
      CapraMonitorRecord record = { 0, NULL, packed[i].bytes, packed[i].queued, packed[i].start, packed[i].end };

      if (packed[i].timing >= timings->len || record.end < record.start)
        continue;
      timing = &g_array_index (timings, CapraMonitorTiming, packed[i].timing);
      if (!timing->name)
        continue;
      record.device = timing->device;
      record.name = timing->name;
      g_array_append_val (process->records, record);
      if (known->counting && (counted = counted_get (known, record.device, record.name)))
        capra_series_add (&counted->times, (double) (record.end - record.start) * 1e-6, record.bytes);
    }
  if (process->records->len > KEPT_RECORDS + CAPRA_MONITOR_MOST_RECORDS)
    g_array_remove_range (process->records, 0, process->records->len - KEPT_RECORDS);
}

static void
take_counted (Known *known)
{
  g_array_set_size (known->open.timings, 0);
  for (guint i = 0; i < known->series->len; i++)
    {
      const Counted *counted = known->series->pdata[i];
      CapraSeries times = counted->times;
      CapraMonitorTiming timing = { counted->device, counted->name, times.count,
                                    times.bytes,     times.min,     0,
                                    times.max,       times.mean,    capra_series_std (&times),
                                    times.total };

      timing.median = capra_series_take_median (&times);
      g_array_append_val (known->open.timings, timing);
    }
}

static void
take_sent (Known *known, const GArray *timings)
{
  g_array_set_size (known->open.timings, 0);
  for (guint i = 0; i < timings->len; i++)
    if (g_array_index (timings, CapraMonitorTiming, i).name)
      g_array_append_val (known->open.timings, g_array_index (timings, CapraMonitorTiming, i));
}

/* The process's count tells whether it has begun anew itself. */
static void
update_count (Known *known, guint64 recorded)
{
  if (recorded < known->seen)
    {
      capra_monitor_process_reset (&known->open);
      known->counting = FALSE;
      known->seen = 0;
    }
  known->open.recorded += recorded - known->seen;
  known->seen = recorded;
}

void
capra_monitor_process_update (CapraMonitorProcess *process, GVariant *message)
{
  Known *known = (Known *) process;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (message);
  g_autofree char *unnamed = g_strdup_printf ("process %" G_GINT64_FORMAT, process->pid);
  g_autoptr (GVariant) devices = g_variant_dict_lookup_value (&dict, "devices",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_DEVICE));
  g_autoptr (GVariant) yielded = g_variant_dict_lookup_value (&dict, "yielded",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_YIELDED));
  g_autoptr (GVariant) timings = g_variant_dict_lookup_value (&dict, "timings",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_TIMING));
  g_autoptr (GVariant) records = g_variant_dict_lookup_value (&dict, "records",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_RECORD));
  guint64 recorded = 0;

  update_string (&dict, "name", unnamed, &process->name);
  update_string (&dict, "title", process->name, &process->title);
  update_string (&dict, "version", "", &process->version);
  if (g_variant_dict_lookup (&dict, "recorded", "t", &recorded))
    update_count (known, recorded);
  if (devices)
    update_devices (process, devices);
  if (yielded)
    update_yielded (process, yielded);
  if (timings)
    {
      g_autoptr (GArray) sent = read_timings (known, timings);

      if (records)
        update_records (known, sent, records);
      if (known->counting)
        take_counted (known);
      else
        take_sent (known, sent);
    }
}

void
capra_monitor_process_reset (CapraMonitorProcess *process)
{
  Known *known = (Known *) process;

  known->counting = TRUE;
  g_ptr_array_set_size (known->series, 0);
  g_array_set_size (process->timings, 0);
  g_array_set_size (process->records, 0);
  process->recorded = 0;
}
