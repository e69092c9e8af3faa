/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Transfers between a buffer and the host: copies, and mappings where both share memory. Private. */
#pragma once

#include "runtime/memory/buffer.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_UPLOAD,
  CAPRA_DOWNLOAD,
} CapraDirection;

/* Enqueues the transfer of @bytes between @buffer, from @offset on, and @host, which is in @staging or (NULL) in any
 * memory of the host. Recorded under @name. The caller waits for @event (out, nullable). */
gboolean capra_buffer_enqueue_transfer (CapraBuffer *buffer, CapraBuffer *staging, CapraDirection direction,
                                        const char *name, gsize offset, gsize bytes, gpointer host, cl_event *event,
                                        GError **error);

/* The same with any memory of the host; returns when it is done. */
gboolean capra_buffer_transfer (CapraBuffer *buffer, CapraDirection direction, const char *name, gsize offset,
                                gsize bytes, gpointer host, GError **error);

/* Maps the first @bytes of @buffer, to read them (download) or to replace them (upload); NULL with @error set. */
gpointer capra_buffer_map (CapraBuffer *buffer, CapraDirection direction, gsize bytes, GError **error);
gboolean capra_buffer_unmap (CapraBuffer *buffer, CapraDirection direction, gsize bytes, gpointer host, GError **error);

G_END_DECLS
