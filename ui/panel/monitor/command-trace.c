/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command trace: converts records, whose clocks differ between devices, to times of the host. */
#include "ui/panel/monitor/processes.h"
#include "ui/panel/monitor/command-trace.h"

#define PAUSE G_GINT64_CONSTANT (250000000) /* ns between two runs */
/* The latest run is limited to these last records. */
#define MAX_RECORDS 400

G_DEFINE_BOXED_TYPE (CapraCommandTrace, capra_command_trace, capra_command_trace_ref, capra_command_trace_unref)

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const CapraTracedCommand *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* The time in which at least one command was running. Commands are sorted by their starts. */
static double
busy_time (const GArray *commands)
{
  double busy = 0, reached = 0;

  for (guint i = 0; i < commands->len; i++)
    {
      const CapraTracedCommand *command = &g_array_index (commands, CapraTracedCommand, i);

      busy += MAX (command->end - MAX (command->start, reached), 0);
      reached = MAX (reached, command->end);
    }
  return busy;
}

/* Uploads, then kernels, then downloads. */
static int
rank (const CapraCommandTotal *total)
{
  return g_str_equal (total->name, "upload") ? 0 : g_str_equal (total->name, "download") ? 2 : 1;
}

static void
add_to_total (GArray *totals, const CapraTracedCommand *command)
{
  CapraCommandTotal new_total = { command->name, 0, 0, 0 };
  CapraCommandTotal *total = NULL;

  for (guint i = 0; i < totals->len && !total; i++)
    if (g_str_equal (g_array_index (totals, CapraCommandTotal, i).name, command->name))
      total = &g_array_index (totals, CapraCommandTotal, i);
  if (!total)
    {
      g_array_append_val (totals, new_total);
      total = &g_array_index (totals, CapraCommandTotal, totals->len - 1);
    }
  total->count++;
  total->bytes += command->bytes;
  total->time += command->end - command->start;
}

/* A stable sort by rank. */
static void
sort_totals (CapraCommandTrace *trace)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (CapraCommandTotal), trace->totals->len);

  for (int wanted = 0; wanted <= 2; wanted++)
    for (guint i = 0; i < trace->totals->len; i++)
      if (rank (&g_array_index (trace->totals, CapraCommandTotal, i)) == wanted)
        g_array_append_val (sorted, g_array_index (trace->totals, CapraCommandTotal, i));
  g_array_unref (trace->totals);
  trace->totals = sorted;
}

/* A device of the trace. */
typedef struct {
  guint index;   /* in the list of the process */
  gint64 offset; /* from the device's clock to the host's, in nanoseconds */
} TraceDevice;

/* The number of the record's device, which is added to @devices if necessary. */
static guint
find_device (GArray *devices, const CapraMonitorRecord *record)
{
  const TraceDevice added = { record->device, G_MAXINT64 };
  guint i = 0;

  while (i < devices->len && g_array_index (devices, TraceDevice, i).index != record->device)
    i++;
  if (i == devices->len)
    g_array_append_val (devices, added);
  return i;
}

/* The devices of @records. The difference of the clocks is the smallest one: a thread can be interrupted between the
 * reading of one clock and of the other. */
static GArray *
find_devices (const CapraMonitorRecord *records, guint n)
{
  GArray *devices = g_array_new (FALSE, FALSE, sizeof (TraceDevice));

  for (guint i = 0; i < n; i++)
    {
      guint found = find_device (devices, &records[i]);
      TraceDevice *device = &g_array_index (devices, TraceDevice, found);

      device->offset = MIN (device->offset, records[i].enqueued * 1000 - (gint64) records[i].queued);
    }
  return devices;
}

/* In nanoseconds of the host's clock. */
static gint64
host_time (GArray *devices, const CapraMonitorRecord *record, guint64 time)
{
  return (gint64) time + g_array_index (devices, TraceDevice, find_device (devices, record)).offset;
}

/* The devices are added by add_device(). */
static CapraCommandTrace *
trace_new (const CapraMonitorRecord *records, guint n, double wall, GArray *devices)
{
  CapraCommandTrace *trace = g_rc_box_new0 (CapraCommandTrace);
  gint64 zero = G_MAXINT64;

  trace->commands = g_array_sized_new (FALSE, FALSE, sizeof (CapraTracedCommand), n);
  trace->totals = g_array_new (FALSE, FALSE, sizeof (CapraCommandTotal));
  trace->devices = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n; i++)
    zero = MIN (zero, host_time (devices, &records[i], records[i].queued));
  for (guint i = 0; i < n; i++)
    {
      CapraTracedCommand command = {
        g_intern_string (records[i].name), find_device (devices, &records[i]), records[i].bytes, 0, 0, FALSE
      };

      command.start = (double) (host_time (devices, &records[i], records[i].start) - zero) * 1e-6;
      command.end = (double) (host_time (devices, &records[i], records[i].end) - zero) * 1e-6;
      g_array_append_val (trace->commands, command);
      add_to_total (trace->totals, &command);
      trace->span = MAX (trace->span, command.end);
    }
  g_array_sort (trace->commands, compare_starts);
  sort_totals (trace);
  trace->wall = wall > 0 ? wall : trace->span;
  trace->host = MAX (trace->wall - busy_time (trace->commands), 0);
  return trace;
}

/* The next one of the devices. Takes @title. */
static void
add_device (CapraCommandTrace *trace, char *title, gboolean unified)
{
  for (guint i = 0; i < trace->commands->len; i++)
    {
      CapraTracedCommand *command = &g_array_index (trace->commands, CapraTracedCommand, i);

      if (command->device == trace->devices->len)
        command->shared = capra_timeline_is_shared (command->name, unified);
    }
  g_ptr_array_add (trace->devices, title);
}

/* The name of a device of this process, after its index if several devices have the name. */
static char *
local_title (const GPtrArray *devices, guint index)
{
  const char *name = capra_device_get_info (devices->pdata[index])->name;

  for (guint i = 0; i < devices->len; i++)
    if (i != index && g_str_equal (capra_device_get_info (devices->pdata[i])->name, name))
      return g_strdup_printf ("%u: %s", index, name);
  return g_strdup (name);
}

CapraCommandTrace *
capra_command_trace_new (const GArray *records, double wall)
{
  g_autofree CapraMonitorRecord *copies = NULL;
  g_autoptr (GArray) devices = NULL;
  const GPtrArray *list = NULL;
  CapraCommandTrace *trace = NULL;

  g_return_val_if_fail (records != NULL, NULL);

  copies = g_new0 (CapraMonitorRecord, records->len + 1);
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      guint device = capra_device_get_info (record->device)->index;

      copies[i] = (CapraMonitorRecord){ device,        record->name, record->bytes,    record->queued,
                                        record->start, record->end,  record->enqueued, record->scope };
    }
  devices = find_devices (copies, records->len);
  trace = trace_new (copies, records->len, wall, devices);
  list = devices->len ? capra_device_list (NULL) : NULL;
  for (guint i = 0; i < devices->len; i++)
    {
      guint index = g_array_index (devices, TraceDevice, i).index;

      add_device (trace, local_title (list, index), capra_device_get_info (list->pdata[index])->unified);
    }
  return trace;
}

CapraCommandTrace *
capra_command_trace_new_of_scope (CapraTimelineScope *scope, double wall, double building)
{
  g_autoptr (GArray) records = capra_timeline_scope_records (scope);
  CapraCommandTrace *trace = records->len > 0 ? capra_command_trace_new (records, wall) : NULL;

  if (trace)
    trace->building = building;
  return trace;
}

/* The records of the latest render: those of the latest scope, as that of a preview or of a saved image. */
static GArray *
find_scope (const CapraMonitorRecord *records, guint n)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (CapraMonitorRecord));
  guint scope = 0;

  for (guint i = 0; i < n; i++)
    scope = MAX (scope, records[i].scope);
  for (guint i = 0; i < n && scope > 0; i++)
    if (records[i].scope == scope)
      g_array_append_val (found, records[i]);
  return found;
}

/* The records after the last pause of all devices. */
static GArray *
find_run (const CapraMonitorRecord *records, guint n)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (CapraMonitorRecord));
  g_autoptr (GArray) devices = find_devices (records, n);
  gint64 reached = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      gint64 end = host_time (devices, &records[i], records[i].end);

      if (host_time (devices, &records[i], records[i].queued) - PAUSE > reached)
        g_array_set_size (found, 0);
      reached = i > 0 ? MAX (reached, end) : end;
      g_array_append_val (found, records[i]);
    }
  return found;
}

CapraCommandTrace *
capra_command_trace_new_latest (const CapraMonitorProcess *process)
{
  const GArray *all = process->records;
  guint n = MIN (all->len, MAX_RECORDS);
  const CapraMonitorRecord *last = n ? &g_array_index (all, CapraMonitorRecord, all->len - n) : NULL;
  g_autoptr (GArray) records = find_scope (last, n);
  g_autoptr (GArray) devices = NULL;
  CapraCommandTrace *trace = NULL;

  if (records->len == 0)
    {
      g_array_unref (records);
      records = find_run (last, n);
    }
  if (records->len == 0)
    return NULL;
  devices = find_devices ((const CapraMonitorRecord *) (gpointer) records->data, records->len);
  trace = trace_new ((const CapraMonitorRecord *) (gpointer) records->data, records->len, 0, devices);
  for (guint i = 0; i < devices->len; i++)
    {
      guint index = g_array_index (devices, TraceDevice, i).index;

      add_device (trace, capra_process_device_title (process, index), capra_process_is_unified (process, index));
    }
  return trace;
}

CapraCommandTrace *
capra_command_trace_ref (CapraCommandTrace *trace)
{
  return g_rc_box_acquire (trace);
}

static void
trace_clear (gpointer data)
{
  CapraCommandTrace *trace = data;

  g_array_unref (trace->commands);
  g_array_unref (trace->totals);
  g_ptr_array_unref (trace->devices);
}

void
capra_command_trace_unref (CapraCommandTrace *trace)
{
  g_rc_box_release_full (trace, trace_clear);
}
