/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra memory: what the running processes of this user hold on each device, as text or as JSON, and freeing what they
 * do not use. */
#include <stdio.h>

#include "capra.h"
#include "ui/cli/command.h"
#include "ui/cli/json.h"

/* In milliseconds: processes connect at once, unless the machine is busy. */
#define QUIET 500
#define LONGEST 5000
#define INTERVAL 20

static gboolean as_json, free_unused;

static const GOptionEntry entries[] = {
  { "free", 'f', 0, G_OPTION_ARG_NONE, &free_unused, "Ask the processes to free what they do not use", NULL },
  { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "Print JSON", NULL },
  { NULL },
};

typedef struct {
  CapraMonitorEvent awaited;
  gboolean seen;
  gint64 last; /* when it came */
} Reports;

static void
on_event (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  Reports *reports = data;

  if (event != reports->awaited)
    return;
  reports->seen = TRUE;
  reports->last = g_get_monotonic_time ();
}

/* Runs the main context until such an event has not come for a while. @certain: it will come once at least. */
static void
wait_for (Reports *reports, CapraMonitorEvent event, gboolean certain)
{
  gint64 begin = g_get_monotonic_time (), now = begin;

  *reports = (Reports){ event, !certain, begin };
  while ((!reports->seen || now - reports->last < QUIET * G_TIME_SPAN_MILLISECOND)
         && now - begin < LONGEST * G_TIME_SPAN_MILLISECOND)
    {
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (INTERVAL * 1000);
      now = g_get_monotonic_time ();
    }
}

static gboolean
is_used (const CapraMemory *memory)
{
  return memory->budget > 0;
}

/* Sets @freed to the bytes that all processes have freed on request until now, and @unused to those that they can free.
 */
static void
sum_up (CapraMonitor *monitor, guint64 *freed, guint64 *unused)
{
  const GPtrArray *processes = capra_monitor_get_processes (monitor);

  *freed = *unused = 0;
  for (guint i = 0; i < processes->len; i++)
    {
      const CapraMonitorProcess *process = processes->pdata[i];

      for (guint k = 0; k < process->devices->len; k++)
        {
          const CapraMemory *memory = &((const CapraMonitorDevice *) process->devices->pdata[k])->memory;

          *freed += memory->freed;
          *unused += memory->bytes[CAPRA_MEMORY_POOL] + memory->bytes[CAPRA_MEMORY_RESIDENT];
        }
    }
}

static double
mib (guint64 bytes)
{
  return (double) bytes / 1048576.0;
}

static void
print_process (const CapraMonitorProcess *process)
{
  g_autofree char *program = g_path_get_basename (process->name);

  for (guint i = 0; i < process->devices->len; i++)
    {
      const CapraMonitorDevice *device = process->devices->pdata[i];
      const CapraMemory *memory = &device->memory;

      if (is_used (memory))
        printf ("%-8" G_GINT64_FORMAT " %-16.16s %2u: %-20.20s %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n", process->pid,
                program, i, device->name, mib (memory->bytes[CAPRA_MEMORY_ARRAYS]),
                mib (memory->bytes[CAPRA_MEMORY_RESIDENT]), mib (memory->bytes[CAPRA_MEMORY_POOL]),
                mib (memory->bytes[CAPRA_MEMORY_STAGING]), mib (memory->peak), mib (memory->budget));
    }
}

static void
print_text (CapraMonitor *monitor, guint64 freed)
{
  const GPtrArray *processes = capra_monitor_get_processes (monitor);

  if (processes->len == 0)
    printf ("No running process of this user has used a device through Capra.\n");
  else
    printf ("MiB; arrays: in use; resident: kept for the next operation; unused: kept for the next allocation;\n"
            "staging: host memory for transfers; peak: of arrays and resident together\n\n"
            "%-8s %-16s %-24s %9s %9s %9s %9s %9s %9s\n",
            "process", "program", "device", "arrays", "resident", "unused", "staging", "peak", "budget");
  for (guint i = 0; i < processes->len; i++)
    print_process (processes->pdata[i]);
  if (free_unused)
    printf ("\nfreed: %.1f MiB\n", mib (freed));
}

static void
add_process (JsonBuilder *json, const CapraMonitorProcess *process)
{
  json_builder_begin_object (json);
  json_add_integer (json, "process", (guint64) process->pid);
  json_add_string (json, "program", process->name);
  json_add_string (json, "version", process->version);
  json_begin_array (json, "devices");
  for (guint i = 0; i < process->devices->len; i++)
    {
      const CapraMonitorDevice *device = process->devices->pdata[i];
      const CapraMemory *memory = &device->memory;

      if (!is_used (memory))
        continue;
      json_builder_begin_object (json);
      json_add_string (json, "name", device->name);
      json_add_string (json, "id", device->id);
      json_add_integer (json, "arrays", memory->bytes[CAPRA_MEMORY_ARRAYS]);
      json_add_integer (json, "resident", memory->bytes[CAPRA_MEMORY_RESIDENT]);
      json_add_integer (json, "unused", memory->bytes[CAPRA_MEMORY_POOL]);
      json_add_integer (json, "staging", memory->bytes[CAPRA_MEMORY_STAGING]);
      json_add_integer (json, "peak", memory->peak);
      json_add_integer (json, "budget", memory->budget);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
print_json (CapraMonitor *monitor, guint64 freed)
{
  const GPtrArray *processes = capra_monitor_get_processes (monitor);
  g_autoptr (JsonBuilder) json = json_builder_new ();

  json_builder_begin_object (json);
  json_add_string (json, "unit", "bytes");
  json_begin_array (json, "processes");
  for (guint i = 0; i < processes->len; i++)
    add_process (json, processes->pdata[i]);
  json_builder_end_array (json);
  if (free_unused)
    json_add_integer (json, "freed", freed);
  json_builder_end_object (json);
  json_print (json);
}

int
capra_command_memory (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new ("- show the memory of devices that processes hold");
  g_autoptr (CapraMonitor) monitor = NULL;
  g_autoptr (GError) error = NULL;
  guint64 before = 0, after = 0, unused = 0;
  Reports reports = { CAPRA_MONITOR_APPEARED, FALSE, 0 };

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error) || argc > 1)
    {
      fprintf (stderr, "capra memory: %s%s\n", error ? error->message : "unexpected argument ", error ? "" : argv[1]);
      return 2;
    }
  monitor = capra_monitor_new (on_event, &reports, &error);
  if (!monitor)
    {
      fprintf (stderr, "capra memory: %s\n", error->message);
      return 1;
    }
  wait_for (&reports, CAPRA_MONITOR_APPEARED, FALSE);
  sum_up (monitor, &before, &unused);
  if (free_unused)
    {
      capra_monitor_free_unused (monitor);
      wait_for (&reports, CAPRA_MONITOR_CHANGED, unused > 0);
    }
  sum_up (monitor, &after, &unused);
  (as_json ? print_json : print_text) (monitor, after - before);
  return 0;
}
