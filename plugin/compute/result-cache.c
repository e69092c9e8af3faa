/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memo: the result of an operation that needs its whole input, kept until something changes. */
#include "plugin/compute/result-cache.h"

void
capra_memo_init (CapraMemo *memo)
{
  g_mutex_init (&memo->lock);
}

void
capra_memo_clear (CapraMemo *memo)
{
  g_clear_object (&memo->buffer);
  g_mutex_clear (&memo->lock);
}

GeglBuffer *
capra_memo_get (CapraMemo *memo)
{
  GeglBuffer *buffer = NULL;

  g_mutex_lock (&memo->lock);
  g_set_object (&buffer, memo->buffer);
  g_mutex_unlock (&memo->lock);
  return buffer;
}

gboolean
capra_memo_is_valid (CapraMemo *memo)
{
  gboolean valid = FALSE;

  g_mutex_lock (&memo->lock);
  valid = memo->buffer != NULL;
  g_mutex_unlock (&memo->lock);
  return valid;
}

guint
capra_memo_begin (CapraMemo *memo)
{
  guint generation = 0;

  g_mutex_lock (&memo->lock);
  generation = memo->generation;
  g_mutex_unlock (&memo->lock);
  return generation;
}

void
capra_memo_keep (CapraMemo *memo, GeglBuffer *buffer, guint generation)
{
  g_mutex_lock (&memo->lock);
  if (generation == memo->generation)
    g_set_object (&memo->buffer, buffer);
  g_mutex_unlock (&memo->lock);
}

void
capra_memo_drop (CapraMemo *memo)
{
  GeglBuffer *buffer = NULL;

  g_mutex_lock (&memo->lock);
  buffer = g_steal_pointer (&memo->buffer);
  memo->generation++;
  g_mutex_unlock (&memo->lock);
  g_clear_object (&buffer); /* not under the lock: it may end up in the driver */
}

typedef struct {
  GClosure closure;
  CapraMemo *memo;
} Watch;

static void
node_invalidated (GClosure *closure, GValue *result, guint n_values, const GValue *values, gpointer hint, gpointer data)
{
  capra_memo_drop (((Watch *) closure)->memo);
}

void
capra_memo_watch (CapraMemo *memo, GeglOperation *operation)
{
  GClosure *closure = g_closure_new_object (sizeof (Watch), G_OBJECT (operation));

  ((Watch *) closure)->memo = memo;
  g_closure_set_marshal (closure, node_invalidated);
  g_signal_connect_closure (operation->node, "invalidated", closure, FALSE);
}
