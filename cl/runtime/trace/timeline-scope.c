/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline scope: the commands of one render, apart from those that other threads enqueue at the same time. */
#include "runtime/trace/timeline-scope-private.h"

#define MAX_RECORDS 65536

struct _CapraTimelineScope {
  gatomicrefcount refs;
  GArray *records; /* guarded by the lock of the timeline */
  int build_time;  /* atomic; in microseconds */
  gboolean separate;
};

static GPrivate current;

CapraTimelineScope *
capra_timeline_scope_new (void)
{
  CapraTimelineScope *scope = g_new0 (CapraTimelineScope, 1);

  g_atomic_ref_count_init (&scope->refs);
  scope->records = g_array_new (FALSE, FALSE, sizeof (CapraRecord));
  return scope;
}

CapraTimelineScope *
capra_timeline_scope_new_separate (void)
{
  CapraTimelineScope *scope = capra_timeline_scope_new ();

  scope->separate = TRUE;
  return scope;
}

gboolean
capra_timeline_scope_is_separate (const CapraTimelineScope *scope)
{
  return scope && scope->separate;
}

CapraTimelineScope *
capra_timeline_scope_ref (CapraTimelineScope *scope)
{
  g_atomic_ref_count_inc (&scope->refs);
  return scope;
}

void
capra_timeline_scope_unref (CapraTimelineScope *scope)
{
  if (!g_atomic_ref_count_dec (&scope->refs))
    return;
  g_array_unref (scope->records);
  g_free (scope);
}

CapraTimelineScope *
capra_timeline_scope_get_current (void)
{
  return g_private_get (&current);
}

CapraTimelineScope *
capra_timeline_scope_enter (CapraTimelineScope *scope)
{
  CapraTimelineScope *previous = g_private_get (&current);

  g_private_set (&current, scope);
  return previous;
}

void
capra_timeline_scope_add (CapraTimelineScope *scope, const CapraRecord *record)
{
  if (scope->records->len < MAX_RECORDS)
    g_array_append_val (scope->records, *record);
}

GArray *
capra_timeline_scope_copy_records (CapraTimelineScope *scope)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (CapraRecord));

  g_array_append_vals (copy, scope->records->data, scope->records->len);
  return copy;
}

void
capra_timeline_scope_add_build (gint64 microseconds)
{
  CapraTimelineScope *scope = g_private_get (&current);

  if (scope)
    g_atomic_int_add (&scope->build_time, (int) MIN (microseconds, G_MAXINT / 2));
}

double
capra_timeline_scope_get_build_time (CapraTimelineScope *scope)
{
  return g_atomic_int_get (&scope->build_time) * 1e-3;
}
