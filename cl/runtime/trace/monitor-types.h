/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the monitor knows of a process. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory-types.h"

G_BEGIN_DECLS

/**
 * CapraMonitorDevice:
 * @id: as in #CapraDeviceInfo, like @name and @type
 * @memory: the memory that the process uses on it; all 0 if it has not used the device
 * @unified: as in #CapraDeviceInfo
 *
 * A device in the list of another process, which may differ from that of this process.
 */
typedef struct {
  char *id, *name;
  CapraDeviceType type;
  CapraMemory memory;
  gboolean unified;
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
  gint64 enqueued;
  guint scope;
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

G_END_DECLS
