/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-worker-sample: values of the result's own pixels, square by square, after all that is seen in the picture. */
#include "ui/panel/preview/render-worker-private.h"

/* Returns: whether a sample is wanted that is not complete; then it is begun */
static gboolean
begin (CapraRenderThread *self)
{
  const CapraRenderRequest *request = &self->request;

  if (!request->sampled.format)
    {
      g_clear_pointer (&self->sample, capra_value_sample_unref);
      return FALSE;
    }
  if (self->n_samples == request->n_samples && self->sample_generation == request->generation)
    return self->sample != NULL;
  g_clear_pointer (&self->sample, capra_value_sample_unref);
  self->sample = capra_renderer_begin_sample (self->renderer, &request->sampled);
  self->n_samples = request->n_samples;
  self->sample_generation = request->generation;
  return TRUE;
}

static void
publish (CapraRenderThread *self)
{
  CapraRenderWorker *worker = self->worker;

  g_mutex_lock (&worker->mutex);
  if (!capra_render_thread_is_replaced (self) && worker->request.n_samples == self->n_samples)
    {
      g_clear_pointer (&worker->sample, capra_value_sample_unref);
      worker->sample = g_steal_pointer (&self->sample);
      worker->sample_generation = self->sample_generation;
    }
  g_mutex_unlock (&worker->mutex);
  g_clear_pointer (&self->sample, capra_value_sample_unref);
  capra_render_worker_notify (worker, CAPRA_RENDER_CHANGED_SAMPLE);
}

gboolean
capra_render_thread_take_sample (CapraRenderThread *thread)
{
  if (!begin (thread))
    return FALSE;
  if (!capra_renderer_take_sample (thread->renderer, &thread->request.sampled, thread->sample))
    publish (thread);
  return TRUE;
}

void
capra_render_worker_set_sample (CapraRenderWorker *worker, const CapraSampleSubject *subject)
{
  g_mutex_lock (&worker->mutex);
  worker->request.sampled = subject ? *subject : (CapraSampleSubject){ 0 };
  worker->request.n_samples++;
  g_clear_pointer (&worker->sample, capra_value_sample_unref);
  g_cond_signal (&worker->cond);
  g_mutex_unlock (&worker->mutex);
}

CapraValueSample *
capra_render_worker_get_sample (CapraRenderWorker *worker)
{
  CapraValueSample *sample = NULL;

  g_mutex_lock (&worker->mutex);
  if (worker->sample && worker->sample_generation == worker->request.generation)
    sample = capra_value_sample_ref (worker->sample);
  g_mutex_unlock (&worker->mutex);
  return sample;
}
