/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory: how much each device has in use, and its budget. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory-types.h"

G_BEGIN_DECLS

/**
 * capra_memory_query:
 * @memory: (out): the memory of @device that this process uses; zeros and the budget if it was never used
 */
CAPRA_API
void capra_memory_query (CapraDevice *device, CapraMemory *memory);

/**
 * capra_memory_set_budget:
 * @bytes: the budget of @device in this process; 0 for the default: the setting `memory-budget` (CAPRA_MEMORY_BUDGET;
 *   in MiB, or with a suffix K, M, G, %), otherwise 80 % of the memory of a GPU and 50 % of that of a CPU
 */
CAPRA_API
void capra_memory_set_budget (CapraDevice *device, guint64 bytes);

/**
 * capra_memory_trim:
 *
 * Returns the free buffers of the pool to the driver.
 *
 * Returns: their bytes, including pinned host memory
 */
CAPRA_API
guint64 capra_memory_trim (CapraDevice *device);

/**
 * capra_memory_free_unused:
 *
 * Frees all device memory that no command uses: evicts resident arrays to the host, from where their next use restores
 * them (see capra_array_make_resident()), then trims the pool. The same happens automatically, for one array after the
 * other, when an allocation exceeds the budget or the device's memory and capra_memory_set_release_function() does not
 * help. Any thread may call it, also while others use the device.
 *
 * Returns: the freed bytes of the device's memory
 */
CAPRA_API
guint64 capra_memory_free_unused (CapraDevice *device);

/**
 * capra_memory_set_release_function: (skip)
 * @func: (nullable): the function of this process; replaces an earlier one
 *
 * Sets the function that is called when an allocation exceeds the budget or the device's memory. As long as it frees
 * something, no resident array is evicted.
 */
CAPRA_API
void capra_memory_set_release_function (CapraReleaseFunc func);

G_END_DECLS
