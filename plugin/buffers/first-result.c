/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* First result: counts pixels until there are as many as the result has. */
#include "plugin/buffers/first-result.h"

#include "runtime/memory/memory.h"

static GMutex lock;
/* Pixels; guarded by the lock. If parts of several results are computed, the first one is taken as complete too early,
 * which does no harm. */
static double computed;
static gint complete; /* atomic */

gboolean
capra_first_result_is_complete (void)
{
  return g_atomic_int_get (&complete);
}

void
capra_first_result_prepare (const CapraTileGrid *grid)
{
  static gint prepared; /* atomic */

  if (g_atomic_int_compare_and_exchange (&prepared, FALSE, TRUE))
    capra_tile_grid_prepare_tiles (grid);
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
