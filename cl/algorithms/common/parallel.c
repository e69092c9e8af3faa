/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Parallel: threads for the work of several devices. */
#include "algorithms/common/parallel.h"

#include "runtime/trace/timeline-scope.h"

typedef struct {
  CapraParallelFunc func;
  gpointer data;
  guint index;
  CapraTimelineScope *scope;
  gboolean done;
  GError *error;
} Task;

static gpointer
task_run (gpointer data)
{
  Task *task = data;
  CapraTimelineScope *own = capra_timeline_scope_enter (task->scope);

  task->done = task->func (task->index, task->data, &task->error);
  capra_timeline_scope_enter (own);
  return NULL;
}

gboolean
capra_parallel_run (guint n, CapraParallelFunc func, gpointer data, GError **error)
{
  g_autofree Task *tasks = g_new0 (Task, n);
  g_autofree GThread **threads = g_new0 (GThread *, n);
  gboolean done = TRUE;

  for (guint i = 0; i < n; i++)
    tasks[i] = (Task){ func, data, i, capra_timeline_scope_get_current () };
  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("capra-parallel", task_run, &tasks[i], NULL);
  for (guint i = 0; i < n; i++)
    if (!threads[i]) /* the first one, and any whose thread could not be started */
      task_run (&tasks[i]);
  for (guint i = 0; i < n; i++)
    {
      if (threads[i])
        g_thread_join (threads[i]);
      if (done && !tasks[i].done)
        g_propagate_error (error, g_steal_pointer (&tasks[i].error));
      done = done && tasks[i].done;
      g_clear_error (&tasks[i].error);
    }
  return done;
}
