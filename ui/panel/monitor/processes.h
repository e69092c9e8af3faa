/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: the running processes and their reports, as an object that widgets share. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraProcesses:
 *
 * Signals: "event" (pointer to a CapraMonitorProcess, CapraMonitorEvent) for each event of the monitor; "reset" when
 * the statistics are reset.
 */
#define CAPRA_TYPE_PROCESSES (capra_processes_get_type ())
G_DECLARE_FINAL_TYPE (CapraProcesses, capra_processes, CAPRA, PROCESSES, GObject)

CapraProcesses *capra_processes_new (void);

/* (element-type CapraMonitorProcess) (transfer none): the processes that are running. */
const GPtrArray *capra_processes_list (CapraProcesses *processes);

/* The error if the monitor could not be started, or NULL. */
const char *capra_processes_get_error (CapraProcesses *processes);

void capra_processes_reset (CapraProcesses *processes);
/* Asks all processes, including this one, to free unused memory. */
void capra_processes_free_unused (CapraProcesses *processes);
/* The bytes that they have freed on such requests. */
guint64 capra_processes_get_freed (CapraProcesses *processes);

/* The title of a process in lists, such as "GIMP (4711)" (g_free). */
char *capra_process_title (const CapraMonitorProcess *process);

/* The name of the device at @index, after the index if several devices have this name (g_free). */
char *capra_process_device_title (const CapraMonitorProcess *process, guint index);

/* Whether the device at @index shares the memory of the host. */
gboolean capra_process_is_unified (const CapraMonitorProcess *process, guint index);

G_END_DECLS
