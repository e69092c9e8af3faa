/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pool: allocates the buffers of a device within its budget, and keeps free ones for their next use. Not installed.
 *
 * When memory is short, free buffers are returned to the driver first; then the release function frees what can be
 * computed again; then evictable objects are evicted. */
#pragma once

#include "runtime/memory/buffer.h"
#include "runtime/memory/eviction.h"

G_BEGIN_DECLS

/* Allocates a buffer of at least @bytes with undefined contents. */
CapraBuffer *capra_pool_allocate (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error);

/* The same for uploads. On a device with memory of its own it prefers new memory, within the budget, to a free buffer
 * with pending commands, so that the upload need not wait for a kernel. */
CapraBuffer *capra_pool_allocate_idle (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error);

/* Returns @buffer (nullable) to the pool. */
void capra_pool_release (CapraBuffer *buffer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraBuffer, capra_pool_release)

/* Counts @buffer as another kind, such as that of an array that becomes resident. */
void capra_pool_set_kind (CapraBuffer *buffer, CapraMemoryKind kind);

/* The queue of objects that can be evicted from the device. */
CapraEvictionQueue *capra_pool_get_eviction_queue (CapraContext *context);

/* Sets the function of capra_memory_set_release_function(), for all pools. */
void capra_pool_set_release_function (CapraReleaseFunc func);

/* Evicts one object; FALSE if none can be. */
gboolean capra_pool_evict (CapraContext *context);

/* Returns free buffers to the driver. Returns the bytes that they had, of the device's memory, and with @staging of
 * pinned host memory, too. */
guint64 capra_pool_trim (CapraContext *context, guint64 *staging);

void capra_pool_query (CapraContext *context, CapraMemory *memory);
/* @bytes: 0 for the default. */
void capra_pool_set_budget (CapraContext *context, guint64 bytes);
/* Adds to the bytes that capra_memory_free_unused() has freed. */
void capra_pool_count_freed (CapraContext *context, guint64 bytes);

G_END_DECLS
