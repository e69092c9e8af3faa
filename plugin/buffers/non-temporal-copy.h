/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Stream: copies past the host's caches, for what is larger than they are.
 *
 * An ordinary copy first reads what it is going to overwrite, and drives out of the caches what others need. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Like memcpy(). Other threads may read the copy once capra_non_temporal_fence() was called in this one. */
void capra_non_temporal_copy (gpointer to, gconstpointer from, gsize bytes);
void capra_non_temporal_fence (void);

G_END_DECLS
