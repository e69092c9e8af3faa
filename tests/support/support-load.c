/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load: threads that compute nothing. */
#include "tests/support/support-load.h"

#include <sys/resource.h>

/* Enough to have most of the time beside other programs, too. */
#define THREADS_PER_PROCESSOR 8

static gint loaded; /* atomic */
static GPtrArray *threads;

static gpointer
burn (gpointer data)
{
  while (g_atomic_int_get (&loaded))
    ;
  return NULL;
}

gboolean
support_load_begin (void)
{
  guint n = THREADS_PER_PROCESSOR * g_get_num_processors ();

  if (getpriority (PRIO_PROCESS, 0) > 0)
    {
      g_test_skip ("needs a normal priority: not with nice");
      return FALSE;
    }
  g_atomic_int_set (&loaded, TRUE);
  threads = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (threads, g_thread_new ("load", burn, NULL));
  return TRUE;
}

void
support_load_end (void)
{
  g_atomic_int_set (&loaded, FALSE);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (threads->pdata[i]);
  g_clear_pointer (&threads, g_ptr_array_unref);
}
