/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memo: the result of an operation that needs its whole input, kept until something changes.
 *
 * Hosts process in parts; without the memo the whole input would be rendered for each of them. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

typedef struct {
  GMutex lock;
  GeglBuffer *buffer;
  guint generation; /* counts the changes */
} CapraMemo;

void capra_memo_init (CapraMemo *memo);
void capra_memo_clear (CapraMemo *memo);

GeglBuffer *capra_memo_get (CapraMemo *memo); /* (transfer full) (nullable) */
gboolean capra_memo_is_valid (CapraMemo *memo);
guint capra_memo_begin (CapraMemo *memo); /* before a computation, for capra_memo_keep() */

/* Keeps @buffer, unless something has changed since capra_memo_begin() gave @generation. */
void capra_memo_keep (CapraMemo *memo, GeglBuffer *buffer, guint generation);
void capra_memo_drop (CapraMemo *memo);

/* Drops @memo whenever the operation's node says that it is invalidated, by a property or from
 * upstream, as long as @operation lives. To be called when it is attached to its node. */
void capra_memo_watch (CapraMemo *memo, GeglOperation *operation);

G_END_DECLS
