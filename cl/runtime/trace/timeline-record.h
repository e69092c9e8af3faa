/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline record: a transfer or a kernel that has finished. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraRecord:
 * @device: the device
 * @name: the name of the kernel, or "upload" and "download" (arrays; large ones in several parts), "evict" and
 *   "restore" (whole arrays, when memory is short), "result" and "numbers" (results and parameters of reductions), or
 *   "copy"; a static string
 * @bytes: the bytes of a transfer, or the least number of bytes that a kernel must read and write
 * @queued: when the command was enqueued, in nanoseconds of the device's clock
 * @start: when it started
 * @end: when it finished
 * @enqueued: when the command was enqueued, in microseconds of the host's monotonic time
 * @scope: the number of the scope that it belongs to, from 1 on, or 0 if it belongs to none
 */
typedef struct {
  CapraDevice *device;
  const char *name;
  guint64 bytes, queued, start, end;
  gint64 enqueued;
  guint scope;
} CapraRecord;

G_END_DECLS
