/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline scope: the commands of one render, apart from those that other threads enqueue at the same time. */
#include "runtime/trace/timeline-scope-private.h"

#define MAX_RECORDS 65536

struct _CapraTimelineScope {
  gatomicrefcount refs;
  guint number;
  GArray *records; /* guarded by the lock of the timeline */
  GMutex lock;     /* of the builds */
  GArray *builds;  /* of Build */
  gboolean separate;
};

/* A time in which a program was built, in monotonic time. */
typedef struct {
  gint64 start, end;
} Build;

static GPrivate current;
static gint n_scopes; /* atomic: since the start of the process */

CapraTimelineScope *
capra_timeline_scope_new (void)
{
  CapraTimelineScope *scope = g_new0 (CapraTimelineScope, 1);

  g_atomic_ref_count_init (&scope->refs);
  scope->number = (guint) g_atomic_int_add (&n_scopes, 1) + 1;
  scope->records = g_array_new (FALSE, FALSE, sizeof (CapraRecord));
  g_mutex_init (&scope->lock);
  scope->builds = g_array_new (FALSE, FALSE, sizeof (Build));
  return scope;
}

CapraTimelineScope *
capra_timeline_scope_new_separate (void)
{
  CapraTimelineScope *scope = capra_timeline_scope_new ();

  scope->separate = TRUE;
  return scope;
}

guint
capra_timeline_scope_get_number (const CapraTimelineScope *scope)
{
  return scope ? scope->number : 0;
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
  g_array_unref (scope->builds);
  g_mutex_clear (&scope->lock);
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
capra_timeline_scope_add_build (CapraTimelineScope *scope, gint64 start, gint64 end)
{
  const Build build = { start, end };
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&scope->lock);

  g_array_append_val (scope->builds, build);
}

void
capra_timeline_scope_record_build (gint64 start)
{
  CapraTimelineScope *scope = g_private_get (&current);

  if (scope)
    capra_timeline_scope_add_build (scope, start, g_get_monotonic_time ());
}

static int
compare_builds (gconstpointer a, gconstpointer b)
{
  const Build *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* Times in which several threads build, or wait for the same program, count once. */
double
capra_timeline_scope_sum_builds (CapraTimelineScope *scope)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&scope->lock);
  gint64 sum = 0, reached = G_MININT64;

  g_array_sort (scope->builds, compare_builds);
  for (guint i = 0; i < scope->builds->len; i++)
    {
      const Build *build = &g_array_index (scope->builds, Build, i);

      sum += MAX (build->end - MAX (build->start, reached), 0);
      reached = MAX (reached, build->end);
    }
  return (double) sum * 1e-3;
}
