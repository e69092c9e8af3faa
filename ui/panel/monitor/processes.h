/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: the monitor for the widgets, which share one. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraProcesses:
 *
 * Signals: "event" (pointer to a CapraMonitorProcess, CapraMonitorEvent) for each event; "reset" when
 * statistics begin anew.
 */
#define CAPRA_TYPE_PROCESSES (capra_processes_get_type ())
G_DECLARE_FINAL_TYPE (CapraProcesses, capra_processes, CAPRA, PROCESSES, GObject)

CapraProcesses *capra_processes_new (void);

/* (element-type CapraMonitorProcess) (transfer none): those that run. */
const GPtrArray *capra_processes_list (CapraProcesses *processes);

/* Why nothing can be seen, or NULL. */
const char *capra_processes_get_error (CapraProcesses *processes);

void capra_processes_reset (CapraProcesses *processes);
/* Asks all to free what can be freed, this one among them. */
void capra_processes_free_unused (CapraProcesses *processes);
/* What they have freed on such requests so far, in bytes. */
guint64 capra_processes_get_freed (CapraProcesses *processes);

/* "GIMP (4711)": how a process is called in lists (g_free). */
char *capra_process_title (const CapraMonitorProcess *process);

/* The name of the device at @index, followed by this index if others are called the same (g_free). */
char *capra_process_device_title (const CapraMonitorProcess *process, guint index);

G_END_DECLS
