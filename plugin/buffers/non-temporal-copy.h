/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Non-temporal copy: copies past the CPU's caches, for images that are larger than these.
 *
 * An ordinary copy first reads the cache lines that it is about to overwrite, and evicts other data from the caches. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From this many bytes on, an image is larger than the CPU's caches, and is written past them. */
#define CAPRA_MIN_NON_TEMPORAL_BYTES ((gsize) 16 << 20)

/* Like memcpy(). Other threads may read the copy after this thread has called capra_non_temporal_fence(). */
void capra_non_temporal_copy (gpointer to, gconstpointer from, gsize bytes);
void capra_non_temporal_fence (void);

G_END_DECLS
