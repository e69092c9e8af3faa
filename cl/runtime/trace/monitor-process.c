/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A process seen by the monitor: updated by its messages. Nothing in a message is trusted. */
#include <string.h>

#include "runtime/trace/monitor-message.h"
#include "runtime/trace/monitor-process.h"
#include "runtime/trace/running-statistics.h"

#define KEPT_RECORDS 8192
/* The limits of a process; what exceeds them is ignored. */
#define MAX_DEVICES 256
#define MAX_TIMINGS 1024
#define MAX_RECORD_NAMES ((gsize) 256 << 10) /* bytes of all names of records */
#define MAX_TITLE 1024                       /* bytes of its name, title and version each */

typedef struct {
  CapraMonitorProcess public;
  GHashTable *names; /* of records, as a set */
  gsize name_bytes;
  guint64 sent_count;    /* how many records the process had in its latest message */
  gboolean was_reset;    /* statistics are computed here, from the records since then */
  GPtrArray *statistics; /* since the reset, of Statistics */
} Process;

typedef struct {
  guint device;
  const char *name;
  CapraRunningStatistics times;
} Statistics;

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
  Process *self = g_new0 (Process, 1);
  CapraMonitorProcess *process = &self->public;

  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->statistics = g_ptr_array_new_with_free_func (g_free);
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
  Process *self = (Process *) process;

  g_ptr_array_unref (process->devices);
  g_array_unref (process->timings);
  g_array_unref (process->records);
  g_free (process->name);
  g_free (process->title);
  g_free (process->version);
  g_ptr_array_unref (self->statistics);
  g_hash_table_unref (self->names);
  g_free (self);
}

static void
update_string (GVariantDict *message, const char *key, const char *fallback, char **text)
{
  g_autofree char *found = NULL;

  if (!g_variant_dict_lookup (message, key, "s", &found) || strlen (found) > MAX_TITLE)
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
  gsize n = MIN (g_variant_n_children (devices), MAX_DEVICES);

  g_ptr_array_set_size (process->devices, 0);
  for (gsize i = 0; i < n; i++)
    {
      CapraMonitorDevice *device = g_new0 (CapraMonitorDevice, 1);
      CapraMemory *memory = &device->memory;
      guint32 type = 0;

      g_variant_get_child (devices, i, CAPRA_MONITOR_DEVICE, &device->id, &device->name, &type,
                           &memory->bytes[CAPRA_MEMORY_ARRAYS], &memory->bytes[CAPRA_MEMORY_RESIDENT],
                           &memory->bytes[CAPRA_MEMORY_STAGING], &memory->bytes[CAPRA_MEMORY_POOL], &memory->peak,
                           &memory->budget, &memory->allocations, &memory->evictions, &memory->freed);
      device->type = (CapraDeviceType) MIN (type, CAPRA_DEVICE_ACCELERATOR);
      g_ptr_array_add (process->devices, device);
    }
}

static void
update_unified (CapraMonitorProcess *process, GVariant *unified)
{
  gsize n = MIN (g_variant_n_children (unified), process->devices->len);

  for (gsize i = 0; i < n; i++)
    g_variant_get_child (unified, i, "b", &((CapraMonitorDevice *) process->devices->pdata[i])->unified);
}

/* A copy of @name that lives as long as @self; NULL if there are too many names. */
static const char *
copy_name (Process *self, const char *name)
{
  gsize bytes = strlen (name) + 1;
  char *copy = g_hash_table_lookup (self->names, name);

  if (copy || self->name_bytes + bytes > MAX_RECORD_NAMES)
    return copy;
  copy = g_strdup (name);
  g_hash_table_add (self->names, copy);
  self->name_bytes += bytes;
  return copy;
}

/* The statistics in the message. Those of unknown devices stay in the array without a name, since records refer to
 * statistics by their index. */
static GArray *
read_timings (Process *self, GVariant *timings)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (CapraMonitorTiming));
  CapraMonitorTiming timing = { 0 };
  GVariantIter iter;
  const char *name = NULL;

  g_variant_iter_init (&iter, timings);
  while (all->len < MAX_TIMINGS
         && g_variant_iter_next (&iter, "(u&sttdddddd)", &timing.device, &name, &timing.count, &timing.bytes,
                                 &timing.min, &timing.median, &timing.max, &timing.mean, &timing.std, &timing.total))
    {
      timing.name = NULL;
      if (timing.device < self->public.devices->len)
        timing.name = copy_name (self, name);
      g_array_append_val (all, timing);
    }
  return all;
}

/* Finds or adds statistics. NULL if there are too many. */
static Statistics *
get_statistics (Process *self, guint device, const char *name)
{
  Statistics *statistics = NULL;

  for (guint i = 0; i < self->statistics->len; i++)
    {
      statistics = self->statistics->pdata[i];
      if (statistics->device == device && statistics->name == name)
        return statistics;
    }
  if (self->statistics->len >= MAX_TIMINGS)
    return NULL;
  statistics = g_new0 (Statistics, 1);
  statistics->device = device;
  statistics->name = name;
  g_ptr_array_add (self->statistics, statistics);
  return statistics;
}

static void
update_records (Process *self, const GArray *timings, GVariant *records)
{
  CapraMonitorProcess *process = &self->public;
  gsize n = 0;
  const CapraMonitorPacked *packed = g_variant_get_fixed_array (records, &n, sizeof *packed);

  for (gsize i = n - MIN (n, CAPRA_MONITOR_MAX_RECORDS); i < n; i++)
    {
      const CapraMonitorTiming *timing = NULL;
      Statistics *statistics = NULL;
      CapraMonitorRecord record = { .bytes = packed[i].bytes,
                                    .queued = packed[i].queued,
                                    .start = packed[i].start,
                                    .end = packed[i].end,
                                    .enqueued = packed[i].enqueued,
                                    .scope = packed[i].scope };

      if (packed[i].timing >= timings->len || record.end < record.start)
        continue;
      timing = &g_array_index (timings, CapraMonitorTiming, packed[i].timing);
      if (!timing->name)
        continue;
      record.device = timing->device;
      record.name = timing->name;
      g_array_append_val (process->records, record);
      if (self->was_reset && (statistics = get_statistics (self, record.device, record.name)))
        capra_running_statistics_add (&statistics->times, (double) (record.end - record.start) * 1e-6, record.bytes);
    }
  if (process->records->len > KEPT_RECORDS + CAPRA_MONITOR_MAX_RECORDS)
    g_array_remove_range (process->records, 0, process->records->len - KEPT_RECORDS);
}

static void
use_own_statistics (Process *self)
{
  g_array_set_size (self->public.timings, 0);
  for (guint i = 0; i < self->statistics->len; i++)
    {
      const Statistics *statistics = self->statistics->pdata[i];
      CapraRunningStatistics times = statistics->times;
      CapraMonitorTiming timing = { statistics->device, statistics->name, times.count,
                                    times.bytes,        times.min,        0,
                                    times.max,          times.mean,       capra_running_statistics_std (&times),
                                    times.total };

      timing.median = capra_running_statistics_median (&times);
      g_array_append_val (self->public.timings, timing);
    }
}

static void
use_sent_statistics (Process *self, const GArray *timings)
{
  g_array_set_size (self->public.timings, 0);
  for (guint i = 0; i < timings->len; i++)
    if (g_array_index (timings, CapraMonitorTiming, i).name)
      g_array_append_val (self->public.timings, g_array_index (timings, CapraMonitorTiming, i));
}

/* A count that decreases shows that the process has reset its timeline. */
static void
update_count (Process *self, guint64 recorded)
{
  if (recorded < self->sent_count)
    {
      capra_monitor_process_reset (&self->public);
      self->was_reset = FALSE;
      self->sent_count = 0;
    }
  self->public.recorded += recorded - self->sent_count;
  self->sent_count = recorded;
}

void
capra_monitor_process_update (CapraMonitorProcess *process, GVariant *message)
{
  Process *self = (Process *) process;
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (message);
  g_autofree char *unnamed = g_strdup_printf ("process %" G_GINT64_FORMAT, process->pid);
  g_autoptr (GVariant) devices = g_variant_dict_lookup_value (&dict, "devices",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_DEVICE));
  g_autoptr (GVariant) unified = g_variant_dict_lookup_value (&dict, "unified", G_VARIANT_TYPE ("ab"));
  g_autoptr (GVariant) timings = g_variant_dict_lookup_value (&dict, "timings",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_TIMING));
  g_autoptr (GVariant) records = g_variant_dict_lookup_value (&dict, "records",
                                                              G_VARIANT_TYPE ("a" CAPRA_MONITOR_RECORD));
  guint64 recorded = 0;

  update_string (&dict, "name", unnamed, &process->name);
  update_string (&dict, "title", process->name, &process->title);
  update_string (&dict, "version", "", &process->version);
  if (g_variant_dict_lookup (&dict, "recorded", "t", &recorded))
    update_count (self, recorded);
  if (devices)
    update_devices (process, devices);
  if (unified)
    update_unified (process, unified);
  if (timings)
    {
      g_autoptr (GArray) sent = read_timings (self, timings);

      if (records)
        update_records (self, sent, records);
      if (self->was_reset)
        use_own_statistics (self);
      else
        use_sent_statistics (self, sent);
    }
}

void
capra_monitor_process_reset (CapraMonitorProcess *process)
{
  Process *self = (Process *) process;

  self->was_reset = TRUE;
  g_ptr_array_set_size (self->statistics, 0);
  g_array_set_size (process->timings, 0);
  g_array_set_size (process->records, 0);
  process->recorded = 0;
}
