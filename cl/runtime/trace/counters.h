/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Counters: what using a device takes beside the work itself, and should take only once. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraCounters:
 * @allocations: memory objects that the driver was asked for; those from the pool do not count
 * @builds: programs built from their source
 * @loads: programs built from what the disk cache holds
 * @kernels: kernel objects made
 * @build_time: microseconds that the builds and loads took, added up over threads
 *
 * In this process so far. Work of a kind and size that was done before adds nothing.
 */
typedef struct {
  guint allocations, builds, loads, kernels, build_time;
} CapraCounters;

/**
 * capra_counters_query:
 * @counters: (out): that of @device; all 0 if it was never used
 */
CAPRA_API
void capra_counters_query (CapraDevice *device, CapraCounters *counters);

/**
 * capra_counters_get_active_builds:
 *
 * For progress displays: the first use of a device can spend seconds on its kernels. Returns at once, in any thread.
 *
 * Returns: how many programs this process is building from their source right now, on all devices, for work that waits
 *   for them; those built in the background do not count
 */
CAPRA_API
guint capra_counters_get_active_builds (void);

G_END_DECLS
