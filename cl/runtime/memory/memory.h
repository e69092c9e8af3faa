/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory: a budget for each device, and what is in use of it. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* What a piece of device memory is for. */
typedef enum {
  CAPRA_MEMORY_ARRAYS,   /* arrays at work */
  CAPRA_MEMORY_RESIDENT, /* results that wait on the device for the next operation */
  CAPRA_MEMORY_STAGING,  /* pinned host memory for transfers */
  CAPRA_MEMORY_POOL,     /* free pieces, kept for the next allocation */
  CAPRA_N_MEMORY_KINDS,
} CapraMemoryKind;

/**
 * CapraMemory:
 * @bytes: in use, by kind
 * @peak: the most that arrays and resident buffers took together so far
 * @budget: the most that they and the pool's pieces of the device's memory may take
 * @allocations: how many times the driver was asked for memory
 * @evictions: how many times a resident array was moved to the host
 * @freed: bytes that capra_memory_free_unused() has given back in all
 */
typedef struct {
  guint64 bytes[CAPRA_N_MEMORY_KINDS];
  guint64 peak, budget, allocations, evictions, freed;
} CapraMemory;

/**
 * capra_memory_query:
 * @memory: (out): the state of @device in this process; all 0 but the budget if it was never used
 */
CAPRA_API
void capra_memory_query (CapraDevice *device, CapraMemory *memory);

/**
 * capra_memory_set_budget:
 * @bytes: the most that Capra may take on @device in this process; 0 for the default, which is
 *   `CAPRA_MEMORY_BUDGET`, else `memory-budget` of the settings (MiB, or with a suffix K, M, G, %),
 *   else 80 % of a GPU's memory and 50 % of a CPU's
 */
CAPRA_API
void capra_memory_set_budget (CapraDevice *device, guint64 bytes);

/**
 * capra_memory_trim:
 *
 * Gives the pool's free pieces back to the driver.
 *
 * Returns: how many bytes they had, those of pinned host memory among them
 */
CAPRA_API
guint64 capra_memory_trim (CapraDevice *device);

/**
 * capra_memory_free_unused:
 *
 * Gives back to the driver what nobody computes with: resident arrays are moved to the host, where
 * their next use finds them (see capra_array_make_resident()), then the pool is trimmed. The same
 * happens by itself, to the least recently used array first, when an allocation finds the budget or
 * the device's memory exhausted. Any thread may call it, also while others work on the device.
 *
 * Returns: how many bytes of the device's memory became free
 */
CAPRA_API
guint64 capra_memory_free_unused (CapraDevice *device);

G_END_DECLS
