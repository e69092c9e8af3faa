/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The accounts and the pool behind block.c. Private. */
#pragma once

#include "runtime/memory/block.h"

G_BEGIN_DECLS

/* Accounts for @bytes more of @kind; fails with advice when the budget does not allow it even after
 * the pool was trimmed: capra_memory_evict() may help then. */
gboolean capra_memory_reserve (CapraContext *context, gsize bytes, CapraMemoryKind kind, GError **error);
/* Whether the budget allows @bytes more beside what is in use and in the pool. */
gboolean capra_memory_has_room (CapraContext *context, gsize bytes);
void capra_memory_release (CapraContext *context, gsize bytes, CapraMemoryKind kind);
void capra_memory_move (CapraContext *context, gsize bytes, CapraMemoryKind from, CapraMemoryKind to);

/* The list of resident arrays whose contents may be moved to the host, the least recently used first:
 * adds the array of @link, or notes that it was used just now; takes it off, if it is there. */
void capra_memory_touch (CapraContext *context, GList *link);
void capra_memory_forget (CapraContext *context, GList *link);
/* Evicts one array in favour of @bytes; FALSE if there is none that could be, or no use in it. Others that
 * come meanwhile wait, and may find what they need then. */
gboolean capra_memory_evict (CapraContext *context, gsize bytes);

/* For it, in array-evict.c. Takes a reference, unless the array is just being freed; moves its
 * contents to the host if nobody uses it, and gives the reference back. */
gboolean capra_array_claim (gpointer array);
gboolean capra_array_evict (gpointer array);

/* A free block that fits, or NULL; with @idle none with a command under way. */
CapraBlock *capra_pool_take (CapraContext *context, gsize bytes, CapraMemoryKind kind, gboolean idle);
/* Takes a block that is no longer used. */
void capra_pool_give (CapraBlock *block);

gboolean capra_block_is_idle (const CapraBlock *block);
gboolean capra_block_fits (const CapraBlock *block, gsize wanted, gboolean staging);
void capra_block_destroy (CapraBlock *block);

G_END_DECLS
