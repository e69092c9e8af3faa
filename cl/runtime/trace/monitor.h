/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: receives the timeline and the memory of every process of this user that uses Capra, including this one.
 *
 * A process that uses a device sends them to every monitor of the same user, up to five times a second and only while a
 * monitor exists. The setting "monitor=off" disables this. */
#pragma once

#include "runtime/trace/monitor-types.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_MONITOR_APPEARED,
  CAPRA_MONITOR_CHANGED,
  CAPRA_MONITOR_LEFT, /* the process is freed after the call */
} CapraMonitorEvent;

typedef struct _CapraMonitor CapraMonitor;

typedef void (*CapraMonitorFunc) (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event,
                                  gpointer data);

/**
 * capra_monitor_new:
 * @func: (nullable): called in the thread-default main context of the caller
 *
 * Starts to listen. Processes connect on their own; those that are running already do so at once.
 *
 * Returns: (transfer full): a monitor, or %NULL with @error set
 */
CAPRA_API
CapraMonitor *capra_monitor_new (CapraMonitorFunc func, gpointer data, GError **error);

CAPRA_API
void capra_monitor_free (CapraMonitor *monitor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraMonitor, capra_monitor_free)

/**
 * capra_monitor_get_processes:
 *
 * Returns: (element-type CapraMonitorProcess) (transfer none): in the order of appearance; valid
 *   until the main context runs again
 */
CAPRA_API
const GPtrArray *capra_monitor_get_processes (CapraMonitor *monitor);

/**
 * capra_monitor_reset:
 *
 * Clears the timings and records of all processes in this monitor. The timelines of the processes stay.
 */
CAPRA_API
void capra_monitor_reset (CapraMonitor *monitor);

/**
 * capra_monitor_free_unused:
 *
 * Asks all processes to call capra_memory_free_unused() on all their devices. The field "freed" of their memory soon
 * shows the result.
 */
CAPRA_API
void capra_monitor_free_unused (CapraMonitor *monitor);

G_END_DECLS
