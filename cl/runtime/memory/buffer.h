/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Buffer: memory of a device, and the events that order its users. Not installed.
 *
 * Buffers come from the pool (pool.h) and return to it with their events, so that the next user waits for the last. */
#pragma once

#include "runtime/device/context.h"
#include "runtime/memory/memory-types.h"

G_BEGIN_DECLS

typedef struct {
  CapraContext *context;
  cl_mem mem;
  gsize bytes;             /* the largest request so far: what it occupies at most */
  gsize capacity;          /* the largest request that it can serve */
  gboolean in_large_pages; /* of the host's memory */
  CapraMemoryKind kind;
  gpointer host;                 /* of staging buffers: their pinned memory, mapped as long as the buffer exists */
  cl_event last[CAPRA_N_QUEUES]; /* the last use in each queue */
  int writer;                    /* the queue of the last writer, -1 for none */
} CapraBuffer;

/* Allocates a buffer from the driver, with undefined contents; NULL with *@status set if that fails. */
CapraBuffer *capra_buffer_new (CapraContext *context, gsize bytes, CapraMemoryKind kind, cl_int *status);

/* Returns the memory to the driver, which keeps it until the commands that use it have ended. */
void capra_buffer_destroy (CapraBuffer *buffer);

/* Whether no command that uses @buffer is pending. */
gboolean capra_buffer_is_idle (const CapraBuffer *buffer);

/* Appends the events for which a command in @queue must wait before it reads or writes @buffer to @waits, which has
 * room for CAPRA_N_QUEUES more. Call with the context's enqueue lock held. */
void capra_buffer_add_waits (CapraBuffer *buffer, CapraQueue queue, gboolean write, cl_event *waits, cl_uint *n_waits);

/* Sets the last use of @buffer in @queue to @event, with the same lock still held. */
void capra_buffer_set_last_use (CapraBuffer *buffer, CapraQueue queue, gboolean write, cl_event event);

/* Waits until all commands that use @buffer have ended. */
gboolean capra_buffer_wait (CapraBuffer *buffer, GError **error);

G_END_DECLS
