/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: receives the timeline and the memory of every process of this user that uses Capra, including this one.
 *
 * A process that uses a device sends them to every monitor of the same user, up to five times a second and only while a
 * monitor exists. The setting "monitor=off" disables this. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory.h"

G_BEGIN_DECLS

/**
 * CapraMonitorDevice:
 * @id: as in #CapraDeviceInfo, like @name and @type
 * @memory: the memory that the process uses on it; all 0 if it has not used the device
 *
 * A device in the list of another process, which may differ from that of this process.
 */
typedef struct {
  char *id, *name;
  CapraDeviceType type;
  CapraMemory memory;
} CapraMonitorDevice;

/**
 * CapraMonitorTiming:
 * @device: index into the process's devices
 * @name: valid until the process leaves; the other fields are as in #CapraTiming
 */
typedef struct {
  guint device;
  const char *name;
  guint64 count, bytes;
  double min, median, max, mean, std, total;
} CapraMonitorTiming;

/**
 * CapraMonitorRecord:
 *
 * As #CapraRecord; @device and @name as in #CapraMonitorTiming.
 */
typedef struct {
  guint device;
  const char *name;
  guint64 bytes, queued, start, end;
} CapraMonitorRecord;

/**
 * CapraMonitorProcess:
 * @pid: its process id
 * @name: its program's name, such as "gimp-2.10"
 * @title: its application name, such as "GNU Image Manipulation Program", or @name if it has none
 * @version: the version of libcapra that it uses
 * @devices: (element-type CapraMonitorDevice): all devices in its list
 * @timings: (element-type CapraMonitorTiming): statistics since its start, or since the last call of
 *   capra_monitor_reset()
 * @records: (element-type CapraMonitorRecord): at least the latest 8192, in the order of enqueueing
 * @recorded: the number of all records since then
 */
typedef struct {
  gint64 pid;
  char *name, *title, *version;
  GPtrArray *devices;
  GArray *timings, *records;
  guint64 recorded;
} CapraMonitorProcess;

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
