/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Counters: allocations and builds of a device, which repeated work should not need again. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraCounters:
 * @allocations: memory objects allocated from the driver, not those reused from the pool
 * @builds: programs built from their source
 * @loads: programs loaded from the disk cache
 * @kernels: kernel objects created
 * @build_time: the time of builds and loads in microseconds, summed over threads
 *
 * Totals of this process. Repeating an operation on images of the same size adds nothing.
 */
typedef struct {
  guint allocations, builds, loads, kernels, build_time;
} CapraCounters;

/**
 * capra_counters_query:
 * @counters: (out): the counters of @device; all 0 if it was never used
 */
CAPRA_API
void capra_counters_query (CapraDevice *device, CapraCounters *counters);

/**
 * capra_counters_get_active_builds:
 *
 * For progress displays, since building kernels at the first use of a device can take seconds. Any thread may call it;
 * it does not wait.
 *
 * Returns: the number of programs that this process is building from their source while commands wait for them, on all
 *   devices; not those built in the background
 */
CAPRA_API
guint capra_counters_get_active_builds (void);

G_END_DECLS
