/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* First result: makes memory for it ready, and counts pixels until there are as many as it has. */
#include "plugin/buffers/first-result.h"

#include "runtime/memory/memory.h"

/* The thread waits so long for a request. */
#define WAIT (10 * G_TIME_SPAN_SECOND)

static GMutex lock;
static GCond known;
static const CapraTileGrid *first; /* atomic; NULL until it is known */
/* Pixels; guarded by the lock. If parts of several results are computed, the first one is taken as complete too early,
 * which does no harm. */
static double computed;
static gint complete; /* atomic */

gboolean
capra_first_result_is_complete (void)
{
  return g_atomic_int_get (&complete);
}

static gpointer
prepare (gpointer unused)
{
  gint64 end = g_get_monotonic_time () + WAIT;
  const CapraTileGrid *grid = NULL;

  g_mutex_lock (&lock);
  while (!first && g_cond_wait_until (&known, &lock, end))
    ;
  grid = first;
  g_mutex_unlock (&lock);
  if (grid)
    capra_tile_grid_prepare_tiles (grid);
  return NULL;
}

void
capra_first_result_expect (void)
{
  static gint expected; /* atomic */
  GThread *thread = NULL;

  if (!g_atomic_int_get (&expected) && g_atomic_int_compare_and_exchange (&expected, FALSE, TRUE))
    thread = g_thread_try_new ("capra-tiles", prepare, NULL, NULL);
  if (thread)
    g_thread_unref (thread);
}

gboolean
capra_first_result_is_known (void)
{
  return g_atomic_pointer_get (&first) != NULL;
}

void
capra_first_result_prepare (const CapraTileGrid *grid)
{
  static CapraTileGrid copy;

  g_mutex_lock (&lock);
  if (!first)
    {
      copy = *grid;
      g_atomic_pointer_set (&first, &copy);
      g_cond_signal (&known);
    }
  g_mutex_unlock (&lock);
}

static void
count (const GeglRectangle *rect, const GeglRectangle *whole)
{
  g_mutex_lock (&lock);
  computed += (double) rect->width * rect->height;
  if (computed >= (double) whole->width * whole->height)
    g_atomic_int_set (&complete, TRUE);
  g_mutex_unlock (&lock);
}

void
capra_first_result_add (const GeglRectangle *rect, const GeglRectangle *whole, CapraDevice *device)
{
  if (capra_first_result_is_complete ())
    return;
  count (rect, whole);
  capra_memory_trim (device);
}
