/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline: a record of every transfer and every kernel, and statistics of them. */
#pragma once

#include "runtime/trace/timeline-record.h"

G_BEGIN_DECLS

/**
 * CapraTiming:
 * @count: number of records
 * @bytes: their sum
 * @min: shortest time in milliseconds
 * @median: median of the last 4096 times
 * @max: longest time
 * @mean: mean time
 * @std: population standard deviation
 * @total: sum of all times
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
 * Waits for all enqueued commands first.
 *
 * Returns: (element-type CapraTiming) (transfer full): one entry per device and name, in the order in
 *   which they first ran
 */
CAPRA_API
GArray *capra_timeline_statistics (void);

/**
 * capra_timeline_records:
 * @since: number of the first record to return, counted from the last reset
 *
 * Returns: (element-type CapraRecord) (transfer full): the records in the order of enqueueing, from the
 *   latest 65536
 */
CAPRA_API
GArray *capra_timeline_records (guint64 since);

/* Whether records of that name are transfers or copies, not kernels. */
CAPRA_API
gboolean capra_timeline_is_transfer (const char *name);

/**
 * capra_timeline_is_shared:
 * @unified: whether host and device share memory, as in #CapraDeviceInfo
 *
 * Whether records of that name are mappings, which copy nothing: their bytes and times do not give a rate. The upload
 * of an array from another device to such a device is counted with the mappings.
 */
CAPRA_API
gboolean capra_timeline_is_shared (const char *name, gboolean unified);

/**
 * capra_timeline_total:
 * @device: (nullable): %NULL for all
 * @name: (nullable): %NULL for all
 * @count: (out) (optional): number of records
 * @bytes: (out) (optional): sum of their bytes
 *
 * Returns: sum of their times in milliseconds
 */
CAPRA_API
double capra_timeline_total (CapraDevice *device, const char *name, guint64 *count, guint64 *bytes);

/**
 * capra_timeline_reset:
 *
 * Removes all records and statistics.
 */
CAPRA_API
void capra_timeline_reset (void);

/**
 * capra_timeline_to_text:
 * Returns: (transfer full): the statistics as a text table, times in milliseconds
 */
CAPRA_API
char *capra_timeline_to_text (void);

/**
 * capra_timeline_to_json:
 * Returns: (transfer full): the statistics as JSON
 */
CAPRA_API
char *capra_timeline_to_json (void);

/**
 * capra_timeline_save:
 * @path: a file, which is replaced, or "-" for standard output; JSON is written if the name ends with ".json"
 */
CAPRA_API
gboolean capra_timeline_save (const char *path, GError **error);

G_END_DECLS
