/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Helpers: threads for work that goes on beside what GEGL's own threads do. */
#include "plugin/thread-pool.h"

/* Ranges a thread, so that one that starts late does less. */
#define RANGES 2

/* Lives until the last helper has seen that nothing is left. */
typedef struct {
  gatomicrefcount refs;
  GeglParallelDistributeRangeFunc func;
  gpointer data;
  gsize n;
  gint ranges;
  gint next; /* atomic */
  GMutex lock;
  GCond changed;
  gint done; /* ranges; under the lock */
} Work;

static void
work_unref (Work *work)
{
  if (!g_atomic_ref_count_dec (&work->refs))
    return;
  g_cond_clear (&work->changed);
  g_mutex_clear (&work->lock);
  g_free (work);
}

static void
help (gpointer data, gpointer user_data)
{
  Work *work = data;
  gint i = 0;

  while ((i = g_atomic_int_add (&work->next, 1)) < work->ranges)
    {
      gsize begin = work->n * (gsize) i / (gsize) work->ranges;
      gsize end = work->n * (gsize) (i + 1) / (gsize) work->ranges;

      work->func (begin, end - begin, work->data);
      g_mutex_lock (&work->lock);
      work->done++;
      g_cond_signal (&work->changed);
      g_mutex_unlock (&work->lock);
    }
  work_unref (work);
}

/* The threads, made as needed. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (help, NULL, (gint) g_get_num_processors (), FALSE, NULL));
  return pool;
}

void
capra_thread_pool_distribute_range (gsize n, GeglParallelDistributeRangeFunc func, gpointer data)
{
  Work *work = NULL;
  gint threads = 1;

  g_object_get (gegl_config (), "threads", &threads, NULL);
  threads = (gint) MIN ((gsize) MAX (threads / 2, 1), n);
  work = g_new0 (Work, 1);
  g_atomic_ref_count_init (&work->refs);
  work->func = func;
  work->data = data;
  work->n = n;
  work->ranges = (gint) MIN ((gsize) threads * RANGES, n);
  g_mutex_init (&work->lock);
  g_cond_init (&work->changed);

  for (gint i = 1; i < threads; i++)
    {
      g_atomic_ref_count_inc (&work->refs);
      g_thread_pool_push (get_pool (), work, NULL); /* without a thread it stays there, and is not needed */
    }
  g_atomic_ref_count_inc (&work->refs);
  help (work, NULL);
  g_mutex_lock (&work->lock);
  while (work->done < work->ranges)
    g_cond_wait (&work->changed, &work->lock);
  g_mutex_unlock (&work->lock);
  work_unref (work);
}
