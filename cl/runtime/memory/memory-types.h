/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Kinds of memory, their accounts, and a function that frees some. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* What memory is used for. */
typedef enum {
  CAPRA_MEMORY_ARRAYS,   /* arrays in use */
  CAPRA_MEMORY_RESIDENT, /* results that stay on the device for the next operation */
  CAPRA_MEMORY_STAGING,  /* pinned host memory for transfers */
  CAPRA_MEMORY_POOL,     /* free buffers, for the next allocation */
  CAPRA_N_MEMORY_KINDS,
} CapraMemoryKind;

/**
 * CapraMemory:
 * @bytes: bytes by kind
 * @peak: the maximum of arrays and resident results together, in bytes
 * @budget: the limit in bytes for these and the free buffers in the device's memory
 * @allocations: the number of allocations from the driver
 * @evictions: the number of resident arrays that were evicted to the host
 * @freed: the bytes that all calls of capra_memory_free_unused() have freed
 *
 * The memory of a device that this process uses.
 */
typedef struct {
  guint64 bytes[CAPRA_N_MEMORY_KINDS];
  guint64 peak, budget, allocations, evictions, freed;
} CapraMemory;

/**
 * CapraReleaseFunc: (skip)
 * @device: the device whose memory is short
 *
 * Frees memory of @device whose contents can be computed again, such as the result that was used least recently. Called
 * in the thread that allocates, in one for each device at a time, possibly while it uses arrays and holds locks of its
 * callers: must neither allocate memory of a device nor wait for a thread that does.
 *
 * Returns: whether anything was freed, so that the allocation is tried again
 */
typedef gboolean (*CapraReleaseFunc) (CapraDevice *device);

G_END_DECLS
