/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Block: a piece of memory of a device, with fences that order its users. Private. */
#pragma once

#include "runtime/device/context.h"
#include "runtime/memory/memory.h"

G_BEGIN_DECLS

/* Freed blocks go to the context's pool with their fences, so reuse waits for the last user. */
typedef struct {
  CapraContext *context;
  cl_mem mem;
  gsize bytes; /* as allocated, a multiple of 4096 and at least what was asked for */
  CapraMemoryKind kind;
  gpointer host;                 /* staging blocks: their pinned memory, mapped for the block's life */
  gint64 freed;                  /* when it went into the pool, monotonic microseconds */
  cl_event last[CAPRA_N_QUEUES]; /* the last user in each queue */
  int writer;                    /* the queue of the last writer, -1 for none */
} CapraBlock;

/* A block of at least @bytes with undefined contents. Where memory is short, the pool is trimmed first,
 * then resident arrays are evicted. */
CapraBlock *capra_block_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error);
/* The same for the host to write to, where the device has memory of its own: rather new memory, as far as the budget
 * allows, than a free block whose last user is at work, so that the transfer need not wait for a kernel. */
CapraBlock *capra_block_new_idle (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error);
void capra_block_free (CapraBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraBlock, capra_block_free)

/* Counts @block as another kind from now on (an array that becomes resident). */
void capra_block_set_kind (CapraBlock *block, CapraMemoryKind kind);

/* The events that a command in @queue must wait for before it reads or writes @block are added to
 * @waits (space for CAPRA_N_QUEUES more); call with the context's enqueue lock held. */
void capra_block_before (CapraBlock *block, CapraQueue queue, gboolean write, cl_event *waits, cl_uint *n_waits);
/* Remembers @event as the latest user in @queue; the lock is still held. */
void capra_block_after (CapraBlock *block, CapraQueue queue, gboolean write, cl_event event);

/* Waits until everything enqueued on @block is done. */
gboolean capra_block_finish (CapraBlock *block, GError **error);

G_END_DECLS
