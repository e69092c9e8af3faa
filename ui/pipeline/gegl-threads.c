/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gegl-threads: counts the threads that run GEGL's operations, so that a process can end after them. */
#include "ui/pipeline/gegl-threads.h"

#define WAIT_STEP 10000 /* microseconds */
#define MAX_WAITS 300

static int threads; /* atomic */

void
capra_gegl_threads_add (void)
{
  g_atomic_int_inc (&threads);
}

void
capra_gegl_threads_remove (void)
{
  g_atomic_int_add (&threads, -1);
}

void
capra_gegl_threads_wait (void)
{
  for (int i = 0; i < MAX_WAITS && g_atomic_int_get (&threads) > 0; i++)
    g_usleep (WAIT_STEP);
}
