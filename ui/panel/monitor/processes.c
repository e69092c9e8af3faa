/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: a CapraMonitor as an object with signals. */
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "ui/panel/monitor/processes.h"

struct _CapraProcesses {
  GObject parent_instance;
  CapraMonitor *monitor;
  GPtrArray *empty;
  char *error;
};

enum { EVENT, RESET, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CapraProcesses, capra_processes, G_TYPE_OBJECT)

static void
on_event (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  g_signal_emit (data, signals[EVENT], 0, process, (int) event);
}

static void
capra_processes_finalize (GObject *object)
{
  CapraProcesses *processes = CAPRA_PROCESSES (object);

  g_clear_pointer (&processes->monitor, capra_monitor_free);
  g_ptr_array_unref (processes->empty);
  g_free (processes->error);
  G_OBJECT_CLASS (capra_processes_parent_class)->finalize (object);
}

static void
capra_processes_class_init (CapraProcessesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = capra_processes_finalize;
  signals[EVENT] = g_signal_new ("event", CAPRA_TYPE_PROCESSES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_POINTER, G_TYPE_INT);
  signals[RESET] = g_signal_new ("reset", CAPRA_TYPE_PROCESSES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
capra_processes_init (CapraProcesses *processes)
{
  g_autoptr (GError) error = NULL;

  processes->empty = g_ptr_array_new ();
  processes->monitor = capra_monitor_new (on_event, processes, &error);
  if (!processes->monitor)
    /* Translators: %s is the reason. */
    processes->error = g_strdup_printf (_ ("Memory and timings cannot be shown: %s"), error->message);
}

CapraProcesses *
capra_processes_new (void)
{
  return g_object_new (CAPRA_TYPE_PROCESSES, NULL);
}

const GPtrArray *
capra_processes_list (CapraProcesses *processes)
{
  g_return_val_if_fail (CAPRA_IS_PROCESSES (processes), NULL);

  return processes->monitor ? capra_monitor_get_processes (processes->monitor) : processes->empty;
}

const char *
capra_processes_get_error (CapraProcesses *processes)
{
  g_return_val_if_fail (CAPRA_IS_PROCESSES (processes), NULL);

  return processes->error;
}

void
capra_processes_reset (CapraProcesses *processes)
{
  g_return_if_fail (CAPRA_IS_PROCESSES (processes));

  if (processes->monitor)
    capra_monitor_reset (processes->monitor);
  g_signal_emit (processes, signals[RESET], 0);
}

void
capra_processes_free_unused (CapraProcesses *processes)
{
  g_return_if_fail (CAPRA_IS_PROCESSES (processes));

  if (processes->monitor)
    capra_monitor_free_unused (processes->monitor);
}

guint64
capra_processes_get_freed (CapraProcesses *processes)
{
  const GPtrArray *list = capra_processes_list (processes);
  guint64 freed = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const CapraMonitorProcess *process = list->pdata[i];

      for (guint d = 0; d < process->devices->len; d++)
        freed += ((const CapraMonitorDevice *) process->devices->pdata[d])->memory.freed;
    }
  return freed;
}

char *
capra_process_title (const CapraMonitorProcess *process)
{
  if (process->pid == getpid ())
    return g_strdup (_ ("This window"));
  if (g_str_equal (process->title, process->name))
    return g_strdup_printf ("%s (%" G_GINT64_FORMAT ")", process->name, process->pid);
  return g_strdup_printf ("%s (%s, %" G_GINT64_FORMAT ")", process->title, process->name, process->pid);
}

char *
capra_process_device_title (const CapraMonitorProcess *process, guint index)
{
  const CapraMonitorDevice *device = index < process->devices->len ? process->devices->pdata[index] : NULL;

  for (guint i = 0; device && i < process->devices->len; i++)
    if (i != index && g_str_equal (((const CapraMonitorDevice *) process->devices->pdata[i])->name, device->name))
      return g_strdup_printf ("%u: %s", index, device->name);
  return g_strdup (device ? device->name : "");
}

gboolean
capra_process_is_unified (const CapraMonitorProcess *process, guint index)
{
  return index < process->devices->len && ((const CapraMonitorDevice *) process->devices->pdata[index])->unified;
}
