/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The buffer of an array: getting it, evicting it to the host, bringing it back. Not installed. */
#pragma once

#include "runtime/memory/array-internal.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* The buffer of @array, restored if it was evicted; valid as long as the caller has a reference of its own on @array.
 * NULL with @error set if memory is short. */
CapraBuffer *capra_array_get_buffer (CapraArray *array, GError **error);

/* Downloads the first @bytes of @array: the few numbers that a reduction leaves. Recorded as "result", so that the
 * record "download" counts images only. */
gboolean capra_array_download_first (CapraArray *array, gpointer data, gsize bytes, GError **error);
/* Enqueues the same, and returns the pinned memory of the host that it goes to: capra_buffer_wait(), then read @host;
 * free with capra_pool_release(). */
CapraBuffer *capra_array_start_download_first (CapraArray *array, gsize bytes, GError **error);
/* Uploads the first @bytes: numbers that a kernel needs and that differ between images. Recorded as "numbers". */
gboolean capra_array_upload_first (CapraArray *array, gconstpointer data, gsize bytes, GError **error);

/* The contents of an evicted array on the host; NULL with @error set if they were discarded. The array's lock is
 * held. */
gpointer capra_array_get_saved (CapraArray *array, GError **error);
/* Frees what the last read mapping has used, or keeps it as the contents of an evicted array. The lock is held. */
void capra_array_end_reading (CapraArray *array);
/* Brings an evicted array back to the device. The lock is held. */
gboolean capra_array_restore (CapraArray *array, GError **error);

/* How an array is evicted. */
extern const CapraEvictableInterface capra_array_evictable;

G_END_DECLS
