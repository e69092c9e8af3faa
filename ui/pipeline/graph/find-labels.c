/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find-labels: finds out in a thread whether steps result in labels, since a step may read a slow file before it is
 * known. */
#include "ui/pipeline/graph/find-labels.h"

#include "ui/pipeline/gegl-threads.h"
#include "ui/pipeline/graph/display.h"
#include "ui/pipeline/graph/graph.h"

typedef struct {
  GPtrArray *steps;
  GeglBuffer *image;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_ptr_array_unref (job->steps);
  g_object_unref (job->image);
  g_free (job);
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Idle callbacks of the operations must not run in the main thread while they prepare. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Job *job = data;
  g_autoptr (CapraGraph) graph = capra_graph_new (job->image, 1.0, FALSE);
  const Babl *format = NULL;

  capra_graph_update (graph, job->steps);
  capra_graph_get_bounds (graph); /* operations choose their formats */
  format = capra_graph_get_format (graph);
  g_task_return_boolean (task, format && capra_format_is_labels (format));
  capra_gegl_threads_remove ();
}

static gboolean
on_late (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

void
capra_find_labels_async (GPtrArray *steps, GeglBuffer *image, guint patience, GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GCancellable) late = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, late, callback, data);
  Job *job = g_new0 (Job, 1);

  job->steps = g_ptr_array_ref (steps);
  job->image = g_object_ref (image);
  g_task_set_task_data (task, job, job_free);
  g_task_set_return_on_cancel (task, TRUE);
  if (patience > 0)
    g_timeout_add_full (G_PRIORITY_DEFAULT, patience, on_late, g_object_ref (late), g_object_unref);
  capra_gegl_threads_add ();
  g_task_run_in_thread (task, run);
}

gboolean
capra_find_labels_finish (GAsyncResult *result)
{
  g_autoptr (GError) late = NULL;

  return g_task_propagate_boolean (G_TASK (result), &late);
}
