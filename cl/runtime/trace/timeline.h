/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline: a record of every transfer and every kernel, and statistics of them. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraRecord:
 * @device: where it ran
 * @name: "upload" and "download" (arrays, large ones in pieces), "evict" and "restore" (whole arrays, when memory is short),
 *   "result" and "numbers" (the few numbers that a reduction gives or takes), "copy", or the kernel's name; never freed
 * @bytes: bytes moved (a transfer), or that had to be read and written at least (a kernel)
 * @queued: when it was enqueued, in nanoseconds of the device's clock
 * @start: when it began
 * @end: when it was done
 */
typedef struct {
  CapraDevice *device;
  const char *name;
  guint64 bytes, queued, start, end;
} CapraRecord;

/**
 * CapraTiming:
 * @min: shortest, in milliseconds; @median, @max, @mean, @std (of the population) and @total likewise.
 *   The median is that of the last 4096
 * @bytes: in all
 *
 * Statistics of the records of one device and name.
 */
typedef struct {
  CapraDevice *device;
  const char *name;
  guint64 count, bytes;
  double min, median, max, mean, std, total;
} CapraTiming;

/**
 * capra_timeline_statistics:
 *
 * Waits for work under way on all devices first.
 *
 * Returns: (element-type CapraTiming) (transfer full): one entry a device and name, in the order in
 *   which they first ran
 */
CAPRA_API
GArray *capra_timeline_statistics (void);

/**
 * capra_timeline_records:
 * @since: how many records to leave out from the first one after the last reset
 *
 * Returns: (element-type CapraRecord) (transfer full): the finished records in the order of enqueueing;
 *   the last 65536 are kept
 */
CAPRA_API
GArray *capra_timeline_records (guint64 since);

/**
 * capra_timeline_total:
 * @device: (nullable): %NULL for all
 * @name: (nullable): %NULL for all
 * @count: (out) (optional): how many records
 * @bytes: (out) (optional): their bytes
 *
 * Returns: their time in milliseconds
 */
CAPRA_API
double capra_timeline_total (CapraDevice *device, const char *name, guint64 *count, guint64 *bytes);

/**
 * capra_timeline_reset:
 *
 * Forgets everything recorded so far.
 */
CAPRA_API
void capra_timeline_reset (void);

/**
 * capra_timeline_to_text:
 * Returns: (transfer full): the statistics as a table for people, times in milliseconds
 */
CAPRA_API
char *capra_timeline_to_text (void);

/**
 * capra_timeline_to_json:
 * Returns: (transfer full): the same as JSON
 */
CAPRA_API
char *capra_timeline_to_json (void);

/**
 * capra_timeline_save:
 * @path: a file ("-": standard output; a name that ends in ".json" gets JSON), replaced as a whole
 */
CAPRA_API
gboolean capra_timeline_save (const char *path, GError **error);

G_END_DECLS
