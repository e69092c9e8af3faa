/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-worker: renders a view of a pipeline's result in a thread. */
#include "ui/panel/preview/render-worker-private.h"

#define PATIENCE 1000  /* ms from a change until a thread whose operation goes on is replaced */
#define MAX_REPLACED 2 /* threads at once that end later */

void
capra_render_worker_unref (gpointer data)
{
  CapraRenderWorker *worker = data;

  if (!g_atomic_int_dec_and_test (&worker->refs))
    return;
  g_ptr_array_unref (worker->request.steps);
  g_hash_table_unref (worker->errors);
  g_ptr_array_unref (worker->tables);
  g_clear_pointer (&worker->labels, capra_region_labels_unref);
  g_clear_pointer (&worker->profile, capra_profile_unref);
  g_clear_pointer (&worker->sample, capra_value_sample_unref);
  g_hash_table_unref (worker->results);
  g_clear_pointer (&worker->scope, capra_timeline_scope_unref);
  capra_pyramid_unref (worker->pyramid);
  capra_texture_tiles_free (worker->tiles);
  g_mutex_clear (&worker->mutex);
  g_cond_clear (&worker->cond);
  g_free (worker);
}

static gboolean
on_idle (gpointer data)
{
  CapraRenderWorker *worker = data;
  CapraRenderChanges changes;

  g_mutex_lock (&worker->mutex);
  changes = worker->changes;
  worker->changes = 0;
  worker->idle = 0;
  g_mutex_unlock (&worker->mutex);
  if (worker->notify)
    worker->notify (changes, worker->data);
  return G_SOURCE_REMOVE;
}

void
capra_render_worker_notify (CapraRenderWorker *worker, CapraRenderChanges changes)
{
  g_mutex_lock (&worker->mutex);
  worker->changes |= changes;
  if (!worker->idle)
    {
      g_atomic_int_inc (&worker->refs);
      worker->idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, worker, capra_render_worker_unref);
    }
  g_mutex_unlock (&worker->mutex);
}

CapraRenderWorker *
capra_render_worker_new (CapraPyramid *pyramid, CapraRenderNotify notify, gpointer data)
{
  CapraRenderWorker *worker = g_new0 (CapraRenderWorker, 1);

  worker->refs = 1;
  g_mutex_init (&worker->mutex);
  g_cond_init (&worker->cond);
  worker->notify = notify;
  worker->data = data;
  worker->pyramid = capra_pyramid_ref (pyramid);
  worker->tiles = capra_texture_tiles_new ();
  worker->request.steps = g_ptr_array_new_with_free_func (g_object_unref);
  worker->request.generation = 1;
  worker->request.stretch = capra_display_stretch_get_default (
    capra_display_kind_find (capra_pyramid_get_buffer (pyramid, 0), NULL));
  worker->request.changed_at = g_get_monotonic_time ();
  worker->generation = 1;
  worker->status.busy = TRUE;
  worker->status.first_ms = worker->status.final_ms = -1.0;
  worker->errors = g_hash_table_new (NULL, NULL);
  worker->tables = capra_step_tables_new ();
  worker->results = g_hash_table_new (NULL, NULL);
  capra_render_thread_start (worker);
  return worker;
}

void
capra_render_worker_stop (CapraRenderWorker *worker)
{
  g_mutex_lock (&worker->mutex);
  worker->quit = TRUE;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
  g_atomic_int_inc (&worker->generation); /* stops the job that is running */
  g_clear_handle_id (&worker->watch, g_source_remove);
  worker->notify = NULL;
  capra_render_worker_unref (worker);
}

/* An operation of GEGL cannot be interrupted. If one goes on for long with outdated steps, another thread renders the
 * present ones. */
static gboolean
on_watch (gpointer data)
{
  CapraRenderWorker *worker = data;
  gboolean late;

  g_mutex_lock (&worker->mutex);
  late = worker->working_since && worker->taken != worker->request.generation;
  if (late && worker->n_replaced < MAX_REPLACED
      && g_get_monotonic_time () - worker->working_since >= PATIENCE * G_TIME_SPAN_MILLISECOND)
    {
      worker->n_replaced++;
      worker->working_since = 0;
      capra_render_thread_start (worker);
      late = FALSE;
    }
  if (!late)
    worker->watch = 0;
  g_mutex_unlock (&worker->mutex);
  return late;
}

/* With the mutex locked. */
static void
begin_generation (CapraRenderWorker *worker)
{
  worker->request.generation++;
  worker->request.changed_at = g_get_monotonic_time ();
  worker->status.busy = TRUE;
  worker->status.complete = FALSE;
  worker->status.first_ms = worker->status.final_ms = -1.0;
  worker->probe.x = worker->probe.y = G_MININT; /* its values are outdated */
  g_atomic_int_set (&worker->generation, (int) worker->request.generation);
  if (!worker->watch)
    worker->watch = g_timeout_add (PATIENCE, on_watch, worker);
  g_cond_signal (&worker->cond);
}

void
capra_render_worker_set_steps (CapraRenderWorker *worker, GPtrArray *steps)
{
  g_mutex_lock (&worker->mutex);
  g_ptr_array_unref (worker->request.steps);
  worker->request.steps = g_ptr_array_ref (steps);
  begin_generation (worker);
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_STATUS);
}

void
capra_render_worker_refresh (CapraRenderWorker *worker)
{
  g_mutex_lock (&worker->mutex);
  worker->request.refreshes++;
  begin_generation (worker);
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_STATUS);
}

void
capra_render_worker_set_stretch (CapraRenderWorker *worker, const CapraDisplayStretch *stretch)
{
  g_mutex_lock (&worker->mutex);
  if (!capra_display_stretch_equal (&worker->request.stretch, stretch))
    {
      worker->request.stretch = *stretch;
      begin_generation (worker);
    }
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_STATUS);
}

void
capra_render_worker_set_view (CapraRenderWorker *worker, const GeglRectangle *visible, double scale)
{
  gboolean begins;

  g_mutex_lock (&worker->mutex);
  /* The thread had nothing to do without a view, and publishes nothing before the first tile. */
  begins = scale > 0.0 && !worker->status.busy && worker->status.first_ms < 0.0;
  worker->request.visible = *visible;
  worker->request.scale = scale;
  worker->status.busy |= begins;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
  if (begins)
    capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_STATUS);
}

void
capra_render_worker_probe (CapraRenderWorker *worker, int x, int y)
{
  g_mutex_lock (&worker->mutex);
  worker->request.probe = TRUE;
  worker->request.probe_x = x;
  worker->request.probe_y = y;
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

void
capra_render_worker_get_status (CapraRenderWorker *worker, CapraPreviewStatus *status)
{
  g_mutex_lock (&worker->mutex);
  *status = worker->status;
  g_mutex_unlock (&worker->mutex);
}

void
capra_render_worker_get_probe (CapraRenderWorker *worker, CapraProbe *values)
{
  g_mutex_lock (&worker->mutex);
  *values = worker->probe;
  g_mutex_unlock (&worker->mutex);
}

GHashTable *
capra_render_worker_get_errors (CapraRenderWorker *worker)
{
  GHashTable *errors;

  g_mutex_lock (&worker->mutex);
  errors = g_hash_table_ref (worker->errors);
  g_mutex_unlock (&worker->mutex);
  return errors;
}

GHashTable *
capra_render_worker_get_results (CapraRenderWorker *worker)
{
  GHashTable *results;

  g_mutex_lock (&worker->mutex);
  results = g_hash_table_ref (worker->results);
  g_mutex_unlock (&worker->mutex);
  return results;
}

CapraTimelineScope *
capra_render_worker_get_scope (CapraRenderWorker *worker)
{
  CapraTimelineScope *scope;

  g_mutex_lock (&worker->mutex);
  scope = worker->scope ? capra_timeline_scope_ref (worker->scope) : NULL;
  g_mutex_unlock (&worker->mutex);
  return scope;
}

CapraTextureTiles *
capra_render_worker_get_tiles (CapraRenderWorker *worker)
{
  return worker->tiles;
}
