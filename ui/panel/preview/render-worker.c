/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-worker: the thread behind a preview. */
#include "ui/panel/preview/render-worker.h"

#include <math.h>
#include <string.h>

#include "ui/pipeline/graph/display.h"

#define RANGE_SIDE 512     /* of the small picture in which the range of numbers is found */
#define UNKNOWN_COST 120.0 /* nanoseconds a pixel, of a pipeline that never ran */
#define FULL_BLOCK 1024    /* pixels of the image between two looks at whether it is still wanted */

static int workers; /* atomic: threads that are alive */

CapraWorker *
capra_worker_new (CapraPyramid *pyramid, GObject *preview)
{
  CapraWorker *worker = g_new0 (CapraWorker, 1);

  worker->refs = 1;
  g_mutex_init (&worker->mutex);
  g_cond_init (&worker->cond);
  worker->preview = preview;
  worker->pyramid = capra_pyramid_ref (pyramid);
  worker->patches = capra_patches_new ();
  worker->wants.steps = g_ptr_array_new_with_free_func (g_object_unref);
  worker->wants.generation = 1;
  worker->wants.changed_at = g_get_monotonic_time ();
  worker->generation = 1;
  worker->status.busy = TRUE;
  worker->status.first_ms = worker->status.final_ms = -1.0;
  worker->errors = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return worker;
}

void
capra_worker_unref (CapraWorker *worker)
{
  if (!g_atomic_int_dec_and_test (&worker->refs))
    return;
  g_ptr_array_unref (worker->wants.steps);
  g_hash_table_unref (worker->errors);
  capra_pyramid_unref (worker->pyramid);
  capra_patches_free (worker->patches);
  g_mutex_clear (&worker->mutex);
  g_cond_clear (&worker->cond);
  g_free (worker);
}

static gboolean
on_idle (gpointer data)
{
  CapraWorker *worker = data;
  guint what;

  g_mutex_lock (&worker->mutex);
  what = worker->announce;
  worker->announce = 0;
  worker->idle = 0;
  g_mutex_unlock (&worker->mutex);
  if (worker->preview)
    {
      g_autoptr (GObject) preview = g_object_ref (worker->preview);

      if (what & CAPRA_ANNOUNCE_STATUS)
        g_signal_emit_by_name (preview, "status");
      if (what & CAPRA_ANNOUNCE_UPDATED)
        g_signal_emit_by_name (preview, "updated");
      if (what & CAPRA_ANNOUNCE_PROBED)
        g_signal_emit_by_name (preview, "probed");
    }
  return G_SOURCE_REMOVE;
}

static void
release (gpointer data)
{
  capra_worker_unref (data);
}

void
capra_worker_announce (CapraWorker *worker, CapraAnnounce what)
{
  g_mutex_lock (&worker->mutex);
  worker->announce |= what;
  if (!worker->idle)
    {
      g_atomic_int_inc (&worker->refs);
      worker->idle = g_idle_add_full (G_PRIORITY_DEFAULT, on_idle, worker, release);
    }
  g_mutex_unlock (&worker->mutex);
}

/* What only the thread knows. */
typedef struct {
  CapraWorker *worker;
  CapraWants wants;
  CapraGraph *full;  /* over the image */
  CapraGraph *small; /* over the pyramid's level */
  int small_level;
  guint full_generation, small_generation, refreshes, timed_generation;
  GeglRectangle bounds;
  CapraCosts costs;
  guint length;    /* of the pipeline that the costs are of */
  double range[2]; /* of numbers: what is black and what white */
  guint range_generation;
} Thread;

static CapraGraph *
get_full (Thread *self)
{
  gboolean cache = capra_plan_get_level (self->wants.scale) <= 0;

  if (self->full && self->full_generation == self->wants.generation)
    return self->full;
  if (!self->full)
    self->full = capra_graph_new (capra_pyramid_get_buffer (self->worker->pyramid, 0), 1.0, cache);
  capra_graph_update (self->full, self->wants.steps);
  self->full_generation = self->wants.generation;
  return self->full;
}

static CapraGraph *
get_small (Thread *self, int level)
{
  if (self->small && self->small_level != level)
    g_clear_pointer (&self->small, capra_graph_free);
  if (self->small && self->small_generation == self->wants.generation)
    return self->small;
  if (!self->small)
    self->small = capra_graph_new (capra_pyramid_get_buffer (self->worker->pyramid, level),
                                   capra_level_get_scale (level), TRUE);
  self->small_level = level;
  capra_graph_update (self->small, self->wants.steps);
  self->small_generation = self->wants.generation;
  return self->small;
}

static gboolean
is_stale (Thread *self)
{
  return (guint) g_atomic_int_get (&self->worker->generation) != self->wants.generation;
}

/* What numbers are black and white on the screen, found once for each state of the steps in a small picture of the
 * result; NULL for pictures. */
static const double *
get_range (Thread *self)
{
  CapraPyramid *pyramid = self->worker->pyramid;
  const GeglRectangle *whole = gegl_buffer_get_extent (capra_pyramid_get_buffer (pyramid, 0));
  g_autoptr (CapraGraph) graph = NULL;
  GeglBuffer *small;
  int level = 0;

  if (!capra_raw_values_get (capra_pyramid_get_buffer (pyramid, 0)))
    return NULL;
  if (self->range_generation == self->wants.generation)
    return self->range;
  while (level < CAPRA_PYRAMID_MAX_LEVEL && MAX (whole->width, whole->height) >> level > RANGE_SIDE)
    level++;
  small = capra_pyramid_get_buffer (pyramid, level);
  capra_pyramid_fill (pyramid, level, gegl_buffer_get_extent (small), NULL, 0);
  graph = capra_graph_new (small, capra_level_get_scale (level), FALSE);
  capra_graph_update (graph, self->wants.steps);
  capra_display_find_range (graph, self->range);
  self->range_generation = self->wants.generation;
  return self->range;
}

/* From a smaller source; its surroundings are fetched, too, as far as most filters look. */
static gboolean
render_small (Thread *self, const CapraJobPlan *job, guint32 *pixels)
{
  GeglRectangle source = job->rect;
  const GeglRectangle *extent;
  GeglBuffer *buffer = capra_pyramid_get_buffer (self->worker->pyramid, job->level);
  int margin = self->wants.steps->len ? 128 : 0, coarser;

  extent = gegl_buffer_get_extent (buffer);
  if (self->wants.steps->len && (gint64) extent->width * extent->height <= 4 << 20)
    source = *extent;
  else
    source = (GeglRectangle){ source.x - margin, source.y - margin, source.width + 2 * margin,
                              source.height + 2 * margin };
  if (!capra_pyramid_fill (self->worker->pyramid, job->level, &source, &self->worker->generation,
                           (int) self->wants.generation))
    return FALSE;
  /* As large on the screen as those of the view's own level, which will take its place. */
  coarser = job->level - MAX (capra_plan_get_level (self->wants.scale), 0);
  capra_display_render (get_small (self, job->level), &job->rect, 0, get_range (self),
                        MAX (CAPRA_CHECK_SIDE >> MAX (coarser, 0), 1), pixels, job->rect.width * 4);
  return TRUE;
}

/* From the image, seen from afar: block by block, since each is large. */
static gboolean
render_blocks (Thread *self, const CapraJobPlan *job, guint32 *pixels)
{
  CapraGraph *graph = get_full (self);
  int side = MAX (FULL_BLOCK >> job->level, 1);

  for (int y = 0; y < job->rect.height; y += side)
    for (int x = 0; x < job->rect.width; x += side)
      {
        GeglRectangle block = { job->rect.x + x, job->rect.y + y, MIN (side, job->rect.width - x),
                                MIN (side, job->rect.height - y) };

        if (is_stale (self))
          return FALSE;
        capra_display_render (graph, &block, job->level, get_range (self), CAPRA_CHECK_SIDE,
                              pixels + (gsize) y * job->rect.width + x, job->rect.width * 4);
      }
  return TRUE;
}

/* More than was thought counts at once; less soon, as the first time builds kernels. */
static void
learn (Thread *self, const CapraJobPlan *job, gint64 microseconds)
{
  double *cost = job->small ? &self->costs.small : &self->costs.full;
  double side = job->small ? 1.0 : pow (2.0, job->level);
  double area = (job->rect.width * side + CAPRA_SURROUND) * (job->rect.height * side + CAPRA_SURROUND);
  double now = microseconds * 1000.0 / area;

  *cost = now > *cost ? now : 0.25 * *cost + 0.75 * now;
}

static void
run_job (Thread *self, const CapraJobPlan *job)
{
  gsize bytes = (gsize) job->rect.width * job->rect.height * 4;
  g_autofree guint32 *pixels = g_malloc (bytes);
  gint64 start = g_get_monotonic_time ();
  gboolean done;

  if (job->small && job->level > 0)
    done = render_small (self, job, pixels);
  else if (job->level > 0)
    done = render_blocks (self, job, pixels);
  else
    {
      capra_display_render (get_full (self), &job->rect, job->level, get_range (self), CAPRA_CHECK_SIDE, pixels,
                            job->rect.width * 4);
      done = TRUE;
    }
  if (!done)
    return;
  learn (self, job, g_get_monotonic_time () - start);
  capra_patches_add (self->worker->patches, job->level, &job->rect, self->wants.generation, job->quality,
                     g_bytes_new_take (g_steal_pointer (&pixels), bytes));
}

/* After a piece of work: what people shall know. */
static void
tell (Thread *self, CapraGraph *graph)
{
  CapraWorker *worker = self->worker;
  CapraPreviewStatus status;
  gboolean covered;
  double ms = (g_get_monotonic_time () - self->wants.changed_at) / 1000.0;
  GHashTable *errors = graph ? capra_graph_get_errors (graph) : NULL;

  g_mutex_lock (&worker->mutex);
  status = worker->status;
  g_mutex_unlock (&worker->mutex);
  covered = capra_plan_measure (worker, &self->wants, &self->bounds, &status);
  status.bounds = self->bounds;
  if (self->timed_generation != self->wants.generation)
    status.first_ms = status.final_ms = -1.0;
  self->timed_generation = self->wants.generation;
  if (covered && status.first_ms < 0.0)
    status.first_ms = ms;
  if (status.complete && status.final_ms < 0.0)
    status.final_ms = ms;
  g_mutex_lock (&worker->mutex);
  if (worker->wants.generation != self->wants.generation) /* changed meanwhile: this is of yesterday */
    {
      status.complete = FALSE;
      status.busy = TRUE;
      status.first_ms = status.final_ms = -1.0;
    }
  worker->status = status;
  if (errors)
    {
      g_hash_table_unref (worker->errors);
      worker->errors = errors;
    }
  g_mutex_unlock (&worker->mutex);
  if (status.complete)
    capra_patches_drop_older (worker->patches, self->wants.generation);
  capra_patches_limit (worker->patches, &self->wants.visible);
  capra_worker_announce (worker, CAPRA_ANNOUNCE_UPDATED | CAPRA_ANNOUNCE_STATUS);
}

static void
run_probe (Thread *self)
{
  CapraWorker *worker = self->worker;
  CapraGraph *graph = get_full (self);
  g_autoptr (GeglBuffer) pixel = NULL;
  CapraProbe probe = { .x = self->wants.probe_x, .y = self->wants.probe_y };
  GeglRectangle rect = { probe.x, probe.y, 1, 1 };
  GeglRectangle bounds = capra_graph_get_bounds (graph);
  GeglNode *numbers = capra_graph_get_labels (graph);

  if (gegl_rectangle_contains (&bounds, &rect))
    {
      pixel = gegl_buffer_new (&rect, numbers ? babl_format ("Y' u32") : capra_graph_get_format (graph));
      gegl_node_blit_buffer (numbers ? numbers : capra_graph_get_output (graph), pixel, &rect, 0, GEGL_ABYSS_NONE);
      capra_probe_buffer (pixel, probe.x, probe.y, &probe);
    }
  g_mutex_lock (&worker->mutex);
  if (self->wants.generation == worker->wants.generation)
    worker->probe = probe;
  g_mutex_unlock (&worker->mutex);
  capra_worker_announce (worker, CAPRA_ANNOUNCE_PROBED);
}

/* New values: where the result lies now, and whether the costs still hold. */
static void
take_new_generation (Thread *self)
{
  if (self->refreshes != self->wants.refreshes)
    {
      g_clear_pointer (&self->full, capra_graph_free);
      g_clear_pointer (&self->small, capra_graph_free);
      self->refreshes = self->wants.refreshes;
    }
  if (self->length != self->wants.steps->len)
    self->costs.full = self->costs.small = self->wants.steps->len ? UNKNOWN_COST : 20.0;
  self->length = self->wants.steps->len;
  self->bounds = capra_graph_get_bounds (get_full (self));
}

/* Copies what is wanted now; waits while @idle and nothing has changed. FALSE: to end. */
static gboolean
take_wants (Thread *self, gboolean idle)
{
  CapraWorker *worker = self->worker;
  guint generation = self->wants.generation;
  gboolean quit;

  g_mutex_lock (&worker->mutex);
  while (idle && !worker->quit && !worker->wants.probing && worker->wants.generation == generation
         && worker->wants.scale == self->wants.scale
         && gegl_rectangle_equal (&worker->wants.visible, &self->wants.visible))
    g_cond_wait (&worker->cond, &worker->mutex);
  quit = worker->quit;
  g_clear_pointer (&self->wants.steps, g_ptr_array_unref);
  self->wants = worker->wants;
  g_ptr_array_ref (self->wants.steps);
  if (idle)
    worker->wants.probing = FALSE;
  g_mutex_unlock (&worker->mutex);
  if (!quit && self->wants.generation != generation)
    take_new_generation (self);
  return !quit;
}

static gpointer
run_thread (gpointer data)
{
  /* What operations have to say by a main loop stays here; the main thread's would say it while they work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Thread self = { .worker = data, .costs = { UNKNOWN_COST, UNKNOWN_COST }, .length = G_MAXUINT };
  gboolean idle = FALSE;

  while (take_wants (&self, idle))
    {
      CapraJobPlan job;

      if (self.wants.probing && idle)
        run_probe (&self);
      idle = !capra_plan_next (self.worker, &self.wants, &self.bounds, &self.costs, &job);
      if (!idle)
        {
          run_job (&self, &job);
          tell (&self, job.small && job.level > 0 ? self.small : self.full);
        }
      else
        tell (&self, NULL);
    }
  g_clear_pointer (&self.wants.steps, g_ptr_array_unref);
  g_clear_pointer (&self.full, capra_graph_free);
  g_clear_pointer (&self.small, capra_graph_free);
  capra_worker_unref (self.worker);
  g_atomic_int_add (&workers, -1);
  return NULL;
}

void
capra_worker_start (CapraWorker *worker)
{
  g_atomic_int_inc (&worker->refs);
  g_atomic_int_inc (&workers);
  g_thread_unref (g_thread_new ("capra-preview", run_thread, worker));
}

void
capra_preview_wait_for_workers (void)
{
  for (int i = 0; i < 300 && g_atomic_int_get (&workers) > 0; i++)
    g_usleep (10000);
}
