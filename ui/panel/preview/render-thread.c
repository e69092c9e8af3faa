/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-thread: the thread of a render worker. */
#include "ui/panel/preview/render-worker-private.h"
#include "ui/pipeline/gegl-threads.h"

/* Without changes of the steps before what is outside the view begins. */
#define PAUSE (200 * G_TIME_SPAN_MILLISECOND)
#define FOREVER G_MAXINT64

static CapraRenderState
get_state (CapraRenderThread *self)
{
  return (CapraRenderState){
    .tiles = self->worker->tiles,
    .pyramid = self->worker->pyramid,
    .generation = self->request.generation,
    .has_steps = self->request.steps->len > 0,
    .bounds = *capra_renderer_get_bounds (self->renderer),
    .visible = self->request.visible,
    .scale = self->request.scale,
    .costs = *capra_renderer_get_costs (self->renderer),
  };
}

/* @status: the previous status, which is updated. */
static void
update_status (CapraRenderThread *self, const CapraRenderState *state, CapraPreviewStatus *status)
{
  double ms = (g_get_monotonic_time () - self->request.changed_at) / 1000.0;
  CapraRenderProgress progress;

  capra_render_schedule_measure (state, &progress);
  status->bounds = state->bounds;
  status->busy = progress.busy;
  status->complete = progress.complete;
  status->progress = progress.fraction;
  if (self->measured_generation != state->generation)
    status->first_ms = status->final_ms = -1.0;
  self->measured_generation = state->generation;
  if (progress.covered && status->first_ms < 0.0)
    status->first_ms = ms;
  if (progress.complete && status->final_ms < 0.0)
    {
      double building = self->scope ? capra_timeline_scope_get_build_time (self->scope) : 0.0;

      status->final_ms = ms;
      status->render_ms = MAX ((double) self->rendering / 1000.0 - building, 0.0);
      status->build_ms = self->building + building;
    }
}

static void
replace_table (GHashTable **table, GHashTable *by)
{
  if (by)
    g_hash_table_unref (*table);
  if (by)
    *table = by;
}

void
capra_render_thread_publish (CapraRenderThread *thread, GHashTable *errors, GHashTable *results)
{
  CapraRenderWorker *worker = thread->worker;
  CapraRenderState state = get_state (thread);
  CapraPreviewStatus status;

  capra_render_worker_get_status (worker, &status);
  update_status (thread, &state, &status);
  g_mutex_lock (&worker->mutex);
  if (capra_render_thread_is_replaced (thread))
    {
      g_mutex_unlock (&worker->mutex);
      g_clear_pointer (&errors, g_hash_table_unref);
      g_clear_pointer (&results, g_hash_table_unref);
      return;
    }
  if (worker->request.generation != state.generation) /* the steps have changed: this result is outdated */
    {
      status.complete = FALSE;
      status.busy = TRUE;
      status.first_ms = status.final_ms = -1.0;
    }
  worker->status = status;
  replace_table (&worker->errors, errors);
  replace_table (&worker->results, results);
  if (status.complete && thread->scope) /* what follows is outside of the view */
    {
      g_clear_pointer (&worker->scope, capra_timeline_scope_unref);
      worker->scope = g_steal_pointer (&thread->scope);
    }
  g_mutex_unlock (&worker->mutex);
  if (status.complete)
    capra_texture_tiles_remove_older (worker->tiles, state.generation);
  capra_texture_tiles_limit (worker->tiles, &state.visible);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_TILES | CAPRA_RENDER_CHANGED_STATUS);
}

static void
probe (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;
  CapraProbe values;

  g_mutex_lock (&worker->mutex);
  worker->request.probe = FALSE; /* a later request sets it again */
  self->request.probe_x = worker->request.probe_x;
  self->request.probe_y = worker->request.probe_y;
  g_mutex_unlock (&worker->mutex);
  capra_renderer_probe (self->renderer, self->request.probe_x, self->request.probe_y, &values);
  g_mutex_lock (&worker->mutex);
  if (self->request.generation == worker->request.generation)
    worker->probe = values;
  g_mutex_unlock (&worker->mutex);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_PROBE);
}

/* With the mutex locked. */
static gboolean
has_new_request (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;
  const CapraRenderRequest *now = &worker->request, *then = &self->request;

  return worker->quit || capra_render_thread_is_replaced (self) || now->probe || now->generation != then->generation
         || now->scale != then->scale || now->labels != then->labels || now->n_samples != then->n_samples
         || !gegl_rectangle_equal (&now->visible, &then->visible) || !capra_render_worker_has_profile (worker);
}

static void
begin_timing (CapraRenderThread *self)
{
  g_clear_pointer (&self->scope, capra_timeline_scope_unref);
  self->scope = capra_timeline_scope_new ();
  self->rendering = 0;
}

/* The times are those of the view that stays: a coarse one before it is not added to them. */
static void
time_other_kind (CapraRenderThread *self, const CapraRenderJob *job)
{
  const CapraRenderJob *before = &self->job;

  if (!self->scope || self->rendering == 0
      || (job->level == before->level && job->quality == before->quality && job->reduced == before->reduced))
    return;
  self->building += capra_timeline_scope_get_build_time (self->scope);
  begin_timing (self);
}

/* Copies the request. Waits @until (monotonic time, 0 or FOREVER) for a new one. Returns: FALSE if the thread has to
 * end */
static gboolean
get_request (CapraRenderThread *self, gint64 until)
{
  CapraRenderWorker *worker = self->worker;
  guint generation = self->request.generation, refreshes = self->request.refreshes;
  gboolean quit;

  g_mutex_lock (&worker->mutex);
  if (!capra_render_thread_is_replaced (self))
    worker->working_since = 0;
  while (until > 0 && !has_new_request (self))
    if (until == FOREVER)
      g_cond_wait (&worker->cond, &worker->mutex);
    else if (!g_cond_wait_until (&worker->cond, &worker->mutex, until))
      break;
  quit = worker->quit || capra_render_thread_is_replaced (self);
  if (!quit)
    {
      worker->taken = worker->request.generation;
      worker->working_since = g_get_monotonic_time ();
      g_clear_pointer (&self->request.steps, g_ptr_array_unref);
      self->request = worker->request;
      g_ptr_array_ref (self->request.steps);
    }
  g_mutex_unlock (&worker->mutex);
  if (quit)
    return FALSE;
  capra_renderer_set_scale (self->renderer, self->request.scale);
  capra_renderer_set_stretch (self->renderer, &self->request.stretch);
  if (self->request.generation != generation)
    {
      begin_timing (self);
      self->building = 0.0;
      self->job = (CapraRenderJob){ 0 };
    }
  if (self->request.generation != generation)
    capra_renderer_set_steps (self->renderer, self->request.steps, self->request.generation,
                              self->request.refreshes != refreshes);
  return TRUE;
}

/* The numbers that the steps have found in @job. Those of a reduced image do not replace those of the image at full
 * size. Returns: (transfer full) (nullable) */
static GHashTable *
take_results (CapraRenderThread *self, const CapraRenderJob *job)
{
  if (capra_renderer_is_reduced (job))
    return self->found_generation == self->request.generation ? NULL : capra_renderer_get_results (self->renderer, job);
  self->found_generation = self->request.generation;
  return capra_renderer_get_results (self->renderer, job);
}

static void
render (CapraRenderThread *self, const CapraRenderJob *job)
{
  gint64 start = g_get_monotonic_time ();
  GBytes *pixels = NULL;
  gboolean done = FALSE;

  time_other_kind (self, job);
  capra_timeline_scope_enter (self->scope);
  pixels = capra_renderer_render (self->renderer, job);
  done = pixels != NULL;
  capra_timeline_scope_enter (NULL);
  self->rendering += g_get_monotonic_time () - start;

  if (done)
    capra_texture_tiles_add (self->worker->tiles, job->level, &job->rect, self->request.generation, job->quality,
                             pixels);
  self->job = *job;
  capra_render_thread_publish (
    self, capra_renderer_get_errors (self->renderer, job, self->tables_generation == self->request.generation),
    done ? take_results (self, job) : NULL);
}

/* Returns: 0 if @job is to be rendered now; else the time until which the thread waits */
static gint64
get_next (CapraRenderThread *self, const CapraRenderState *state, CapraRenderJob *job)
{
  gint64 pause = self->request.changed_at + PAUSE;

  if (!capra_render_schedule_next (state, job))
    return FOREVER;
  return job->hidden && g_get_monotonic_time () < pause ? pause : 0;
}

static void
end (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;

  g_mutex_lock (&worker->mutex);
  if (capra_render_thread_is_replaced (self))
    worker->n_replaced--;
  g_mutex_unlock (&worker->mutex);
  g_clear_pointer (&self->request.steps, g_ptr_array_unref);
  g_clear_pointer (&self->scope, capra_timeline_scope_unref);
  g_clear_pointer (&self->sample, capra_value_sample_unref);
  capra_renderer_free (self->renderer);
  capra_render_worker_unref (worker);
  g_free (self);
}

static gpointer
run_thread (gpointer data)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  CapraRenderThread *self = data;
  gint64 until = 0;

  while (get_request (self, until))
    {
      CapraRenderState state = get_state (self);
      CapraRenderJob job;

      until = 0;
      if (capra_render_thread_compute_numbers (self, &state))
        continue;
      until = get_next (self, &state, &job);
      if (self->request.probe && (until > 0 || job.hidden))
        {
          probe (self);
          until = 0;
        }
      else if (until > 0)
        capra_render_thread_publish (self, NULL, NULL);
      else
        render (self, &job);
    }
  end (self);
  capra_gegl_threads_remove ();
  return NULL;
}

void
capra_render_thread_start (CapraRenderWorker *worker)
{
  CapraRenderThread *self = g_new0 (CapraRenderThread, 1);

  self->worker = worker;
  self->renderer = capra_renderer_new (worker->pyramid, &worker->generation);
  g_atomic_int_inc (&worker->refs);
  capra_gegl_threads_add ();
  worker->thread = self; /* the thread compares it */
  g_thread_unref (g_thread_new ("capra-preview", run_thread, self));
}
