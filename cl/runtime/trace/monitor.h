/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Monitor: sees what every process of this user does with Capra, this one among them.
 *
 * A process that uses a device publishes its timeline and memory to every monitor of the same user,
 * a few times a second and only while there is one (unless the setting "monitor" is "off"). */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory.h"

G_BEGIN_DECLS

/**
 * CapraMonitorDevice:
 * @id: as in #CapraDeviceInfo; likewise @name and @type
 * @memory: what the process holds on it; all 0 if it has not used it
 *
 * A device as another process names it: this process may see other ones.
 */
typedef struct {
  char *id, *name;
  CapraDeviceType type;
  CapraMemory memory;
} CapraMonitorDevice;

/**
 * CapraMonitorTiming:
 * @device: index into the process's devices
 * @name: lives as long as the process is known; the rest is as in #CapraTiming
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
 * @title: its name for people, such as "GNU Image Manipulation Program"; @name where it gave none
 * @version: its Capra's version
 * @devices: (element-type CapraMonitorDevice): all that it sees
 * @timings: (element-type CapraMonitorTiming): statistics since it began, or since the latest
 *   capra_monitor_reset(); those without a record since then are missing
 * @records: (element-type CapraMonitorRecord): the latest 8192 at least, in the order of enqueueing
 * @recorded: how many records came in all since then
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
  CAPRA_MONITOR_LEFT, /* the process is freed when the function returns */
} CapraMonitorEvent;

typedef struct _CapraMonitor CapraMonitor;

typedef void (*CapraMonitorFunc) (CapraMonitor *monitor, const CapraMonitorProcess *process, CapraMonitorEvent event,
                                  gpointer data);

/**
 * capra_monitor_new:
 * @func: (nullable): called from the main context that is the thread's default now
 *
 * Listens from now on. Processes connect by themselves, those that run already within a moment.
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
 * Counts @timings and @records of all processes from now on. Only this monitor forgets: the
 * processes keep their own timelines.
 */
CAPRA_API
void capra_monitor_reset (CapraMonitor *monitor);

/**
 * capra_monitor_free_unused:
 *
 * Asks all processes to do capra_memory_free_unused() on all their devices. What it brought is in the
 * "freed" of their memory soon after.
 */
CAPRA_API
void capra_monitor_free_unused (CapraMonitor *monitor);

G_END_DECLS
