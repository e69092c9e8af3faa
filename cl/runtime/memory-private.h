/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accounts and the pool behind block.c. Private. */
#pragma once

#include "block.h"

G_BEGIN_DECLS

/* Accounts for @bytes more of @kind; fails with advice when the budget does not allow it even after
 * the pool was trimmed. */
gboolean capra_memory_reserve (CapraContext *context, gsize bytes, CapraMemoryKind kind,
                               GError **error);
void capra_memory_release (CapraContext *context, gsize bytes, CapraMemoryKind kind);
void capra_memory_move (CapraContext *context, gsize bytes, CapraMemoryKind from,
                        CapraMemoryKind to);

/* A free block that fits, or NULL. */
CapraBlock *capra_pool_take (CapraContext *context, gsize bytes, CapraMemoryKind kind);
/* Takes a block that is no longer used. */
void capra_pool_give (CapraBlock *block);

gboolean capra_block_fits (const CapraBlock *block, gsize wanted, gboolean staging);
void capra_block_destroy (CapraBlock *block);

G_END_DECLS
