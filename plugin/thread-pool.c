/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Thread pool: the plug-in's threads, for work beside GEGL's own threads: downloads, several devices, tiles. */
#include "plugin/thread-pool.h"

#include <unistd.h>

#include "runtime/trace/timeline-scope.h"

/* Ranges per thread: with more than one, a thread that starts late leaves its share to the others. */
#define RANGES_PER_THREAD 2

enum {
  TASK_QUEUED,
  TASK_RUNNING,
  TASK_DONE,
};

/* The pool holds a reference until one of its threads has looked at the task, which may be after it was finished. */
struct _CapraTask {
  gatomicrefcount refs;
  CapraTaskFunc func;
  gpointer data;
  GMutex lock; /* guards state */
  GCond done;
  int state;
  CapraTimelineScope *scope; /* that of the thread which started the task; NULL for none */
};

static void
task_unref (CapraTask *task)
{
  if (!g_atomic_ref_count_dec (&task->refs))
    return;
  g_clear_pointer (&task->scope, capra_timeline_scope_unref);
  g_cond_clear (&task->done);
  g_mutex_clear (&task->lock);
  g_free (task);
}

/* Runs the function, unless another thread has started it. */
static void
task_run (CapraTask *task)
{
  CapraTimelineScope *own = NULL;
  gboolean queued = FALSE;

  g_mutex_lock (&task->lock);
  queued = task->state == TASK_QUEUED;
  if (queued)
    task->state = TASK_RUNNING;
  g_mutex_unlock (&task->lock);
  if (!queued)
    return;

  own = capra_timeline_scope_enter (task->scope);
  task->func (task->data);
  capra_timeline_scope_enter (own);
  g_mutex_lock (&task->lock);
  task->state = TASK_DONE;
  g_cond_signal (&task->done);
  g_mutex_unlock (&task->lock);
}

static void
run_in_pool (gpointer data, gpointer user_data)
{
  CapraTask *task = data;

  task_run (task);
  task_unref (task);
}

/* The pool of this process; NULL in a forked child, which does not inherit the threads. The number of threads is not
 * limited: each caller starts only a few tasks, and a task may wait for others. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;
  static pid_t process;

  if (g_once_init_enter (&pool))
    {
      process = getpid ();
      g_once_init_leave (&pool, g_thread_pool_new (run_in_pool, NULL, -1, FALSE, NULL));
    }
  return process == getpid () ? pool : NULL;
}

CapraTask *
capra_task_start (CapraTaskFunc func, gpointer data)
{
  GThreadPool *pool = get_pool ();
  CapraTask *task = g_new0 (CapraTask, 1);

  g_atomic_ref_count_init (&task->refs);
  task->func = func;
  task->data = data;
  if (capra_timeline_scope_get_current ())
    task->scope = capra_timeline_scope_ref (capra_timeline_scope_get_current ());
  g_mutex_init (&task->lock);
  g_cond_init (&task->done);
  if (pool)
    {
      g_atomic_ref_count_inc (&task->refs);
      /* An error means that the system refused a thread. The task stays queued, and capra_task_finish() runs it. */
      g_thread_pool_push (pool, task, NULL);
    }
  return task;
}

void
capra_task_finish (CapraTask *task)
{
  task_run (task);
  g_mutex_lock (&task->lock);
  while (task->state != TASK_DONE)
    g_cond_wait (&task->done, &task->lock);
  g_mutex_unlock (&task->lock);
  task_unref (task);
}

typedef struct {
  GeglParallelDistributeRangeFunc func;
  gpointer data;
  gsize n;
  gint ranges;
  gint next; /* atomic */
} Distribution;

static void
run_ranges (gpointer data)
{
  Distribution *distribution = data;
  gint i = 0;

  while ((i = g_atomic_int_add (&distribution->next, 1)) < distribution->ranges)
    {
      gsize begin = distribution->n * (gsize) i / (gsize) distribution->ranges;
      gsize end = distribution->n * (gsize) (i + 1) / (gsize) distribution->ranges;

      distribution->func (begin, end - begin, distribution->data);
    }
}

void
capra_thread_pool_distribute_range (gsize n, GeglParallelDistributeRangeFunc func, gpointer data)
{
  Distribution distribution = { func, data, n };
  g_autofree CapraTask **tasks = NULL;
  gint threads = 1;

  g_object_get (gegl_config (), "threads", &threads, NULL);
  threads = (gint) MIN ((gsize) MAX (threads / 2, 1), n);
  distribution.ranges = (gint) MIN ((gsize) threads * RANGES_PER_THREAD, n);
  tasks = g_new (CapraTask *, MAX (threads, 1));
  for (gint i = 1; i < threads; i++)
    tasks[i] = capra_task_start (run_ranges, &distribution);
  run_ranges (&distribution);
  for (gint i = 1; i < threads; i++)
    capra_task_finish (tasks[i]);
}
