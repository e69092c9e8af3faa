/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-worker-numbers: the values along a line, the tables of a pipeline's steps and the labels of regions, after the
 * picture. */
#include "ui/panel/preview/render-worker-private.h"

gboolean
capra_render_worker_has_profile (CapraRenderWorker *worker)
{
  const CapraRenderRequest *request = &worker->request;

  return !request->has_line || request->scale <= 0.0
         || (worker->profile && worker->profile_generation == request->generation
             && capra_line_equal (&worker->profile->line, &request->line));
}

/* Returns: whether a profile was to be read */
static gboolean
read_profile (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;
  g_autoptr (CapraProfile) profile = NULL;
  gboolean needed;

  g_mutex_lock (&worker->mutex);
  needed = self->request.has_line && !capra_render_worker_has_profile (worker);
  g_mutex_unlock (&worker->mutex);
  if (!needed)
    return FALSE;
  profile = capra_renderer_get_profile (self->renderer, &self->request.line);
  if (!profile)
    return TRUE; /* the steps have changed */
  g_mutex_lock (&worker->mutex);
  if (worker->request.has_line && !capra_render_thread_is_replaced (self))
    {
      g_clear_pointer (&worker->profile, capra_profile_unref);
      worker->profile = g_steal_pointer (&profile);
      worker->profile_generation = self->request.generation;
    }
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_PROFILE);
  return TRUE;
}

static void
compute_tables (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;
  g_autoptr (GPtrArray) tables = capra_renderer_compute_tables (self->renderer);

  if (!tables)
    return;
  self->tables_generation = self->request.generation;
  /* The picture need not show a step whose table has failed. */
  capra_render_thread_publish (self, capra_renderer_get_errors (self->renderer, &self->job, TRUE), NULL);
  g_mutex_lock (&worker->mutex);
  if (!capra_render_thread_is_replaced (self))
    {
      g_ptr_array_unref (worker->tables);
      worker->tables = g_ptr_array_ref (tables);
      worker->tables_generation = self->request.generation;
      worker->tables_time = g_get_monotonic_time ();
    }
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_TABLES);
}

static void
read_labels (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;
  const CapraRenderRequest *request = &self->request;
  g_autoptr (CapraRegionLabels) labels = NULL;

  if (request->labels)
    {
      labels = capra_renderer_read_labels (self->renderer, request->labels, &request->visible, request->scale);
      if (!labels)
        return;
    }
  self->labels = *request;
  g_mutex_lock (&worker->mutex);
  if (!capra_render_thread_is_replaced (self))
    {
      g_clear_pointer (&worker->labels, capra_region_labels_unref);
      worker->labels = g_steal_pointer (&labels);
    }
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_LABELS);
}

static gboolean
has_labels (CapraRenderThread *self)
{
  const CapraRenderRequest *now = &self->request, *then = &self->labels;

  if (now->labels != then->labels)
    return FALSE;
  return now->labels == 0
         || (now->generation == then->generation && now->scale == then->scale
             && gegl_rectangle_equal (&now->visible, &then->visible));
}

gboolean
capra_render_thread_compute_numbers (CapraRenderThread *thread, const CapraRenderState *state)
{
  CapraRenderProgress progress;

  capra_render_schedule_measure (state, &progress);
  if (!progress.complete)
    return FALSE;
  if (read_profile (thread))
    return TRUE;
  if (thread->tables_generation != thread->request.generation)
    compute_tables (thread);
  else if (!has_labels (thread))
    read_labels (thread);
  else
    return capra_render_thread_take_sample (thread);
  return TRUE;
}

void
capra_render_worker_set_labels (CapraRenderWorker *worker, guint step)
{
  g_mutex_lock (&worker->mutex);
  worker->request.labels = step;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

void
capra_render_worker_set_line (CapraRenderWorker *worker, const CapraLine *line)
{
  g_mutex_lock (&worker->mutex);
  worker->request.has_line = line != NULL;
  if (line)
    worker->request.line = *line;
  else
    g_clear_pointer (&worker->profile, capra_profile_unref);
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

CapraProfile *
capra_render_worker_get_profile (CapraRenderWorker *worker)
{
  CapraProfile *profile;

  g_mutex_lock (&worker->mutex);
  profile = worker->profile ? capra_profile_ref (worker->profile) : NULL;
  g_mutex_unlock (&worker->mutex);
  return profile;
}

GPtrArray *
capra_render_worker_get_tables (CapraRenderWorker *worker, gboolean *current, gint64 *time)
{
  GPtrArray *tables;

  g_mutex_lock (&worker->mutex);
  tables = g_ptr_array_ref (worker->tables);
  *current = worker->tables_generation == worker->request.generation;
  *time = worker->tables_time;
  g_mutex_unlock (&worker->mutex);
  return tables;
}

CapraRegionLabels *
capra_render_worker_get_labels (CapraRenderWorker *worker)
{
  CapraRegionLabels *labels;

  g_mutex_lock (&worker->mutex);
  labels = worker->labels ? capra_region_labels_ref (worker->labels) : NULL;
  g_mutex_unlock (&worker->mutex);
  return labels;
}
