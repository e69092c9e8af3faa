/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Budget: how much memory of a device is in use, for what, and how much may be. Private.
 *
 * Plain bookkeeping without a lock: the pool calls it with its own lock held. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory-types.h"

G_BEGIN_DECLS

typedef struct {
  CapraMemory memory;
  guint64 free_staging; /* the part of the kind CAPRA_MEMORY_POOL that is pinned memory of the host */
} CapraBudget;

/* Whether the pool's free buffers can stay when @bytes more are allocated. Pinned memory of the host does not count
 * against the budget. */
gboolean capra_budget_has_room (const CapraBudget *budget, gsize bytes);

/* Counts an allocation of @bytes, unless it exceeds the budget beside all memory in use; free buffers do not count. */
gboolean capra_budget_reserve (CapraBudget *budget, gsize bytes, CapraMemoryKind kind);

/* Reverts capra_budget_reserve(), when the memory was returned to the driver. */
void capra_budget_release (CapraBudget *budget, gsize bytes, CapraMemoryKind kind);

/* Counts @bytes more of free buffers. The caller knows that there is room. */
void capra_budget_grow (CapraBudget *budget, gsize bytes);

/* Counts @bytes as the kind @to from now on. */
void capra_budget_move (CapraBudget *budget, gsize bytes, CapraMemoryKind from, CapraMemoryKind to);

/* The bytes of arrays and resident buffers. */
guint64 capra_budget_get_in_use (const CapraBudget *budget);

G_END_DECLS
