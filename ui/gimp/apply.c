/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply: applies a pipeline to a drawable of GIMP.
 *
 * Only the main thread can use GIMP's wire protocol, but GEGL's workers read from any thread. So the drawable is copied
 * first, a strip of rows per iteration of the main loop; a thread processes the copy; and the result is copied back in
 * strips. */
#include "ui/gimp/apply.h"

#include <glib/gi18n-lib.h>

#include "capra.h"
#include "ui/gimp/host.h"
#include "ui/pipeline/gegl-threads.h"
#include "ui/pipeline/graph/graph.h"
#include "ui/pipeline/graph/palette.h"

#define STRIP 128         /* rows: the height of GIMP's tiles is 64 or 128 */
#define READ_FRACTION 0.1 /* of the progress */
#define WRITE_FRACTION 0.1
#define DELAY 500    /* ms: after this time GIMP shows the progress */
#define INTERVAL 100 /* ms: between updates of the progress */
/* Of copying: that of redrawing, so that neither starves the other. */
#define COPY_PRIORITY (G_PRIORITY_HIGH_IDLE + 20)

/* A copy of a buffer in progress. */
typedef struct {
  GeglBuffer *from, *to;
  GeglRectangle area;
  int done;     /* rows */
  int rendered; /* the drawable with effects that is read; -1 for none */
} Copy;

/* What the thread works on, with a counted reference (g_atomic_rc_box): when the job is canceled, it ends at once, and
 * the thread after the band that it computes. */
typedef struct {
  GPtrArray *steps;
  GeglRectangle area;
  GeglBuffer *input, *result;
  int per_mille; /* atomic: the progress */
} Computation;

typedef struct {
  int drawable;
  gboolean with_effects;
  GPtrArray *steps;
  GCancellable *cancellable;
  CapraApplyProgress progress;
  gpointer progress_data;
  double fraction; /* of the progress */
  GeglRectangle area;
  Copy copy;
  Computation *computation; /* NULL until it begins */
  guint poll;               /* updates the progress */
  guint delay;              /* until GIMP shows the progress */
  gboolean ended;
} Job;

/* Palettes that differ have the same colors: indices are copied as they are. */
static void
copy_rows (const Copy *copy, const GeglRectangle *rows)
{
  const Babl *from = gegl_buffer_get_format (copy->from), *to = gegl_buffer_get_format (copy->to);
  g_autofree guint8 *pixels = NULL;

  if (from == to || !babl_format_is_palette (from))
    {
      gegl_buffer_copy (copy->from, rows, GEGL_ABYSS_NONE, copy->to, rows);
      return;
    }
  pixels = g_malloc ((gsize) babl_format_get_bytes_per_pixel (from) * (gsize) rows->width * (gsize) rows->height);
  gegl_buffer_get (copy->from, rows, 1.0, from, pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_set (copy->to, rows, 0, to, pixels, GEGL_AUTO_ROWSTRIDE);
}

/* Copies the next strip. FALSE if all have been copied. */
static gboolean
copy_strip (Copy *copy)
{
  GeglRectangle strip = copy->area;

  strip.y += copy->done;
  strip.height = MIN (STRIP, copy->area.height - copy->done);
  if (strip.height <= 0)
    return FALSE;
  copy_rows (copy, &strip);
  copy->done += strip.height;
  return TRUE;
}

static void
copy_clear (Copy *copy)
{
  g_clear_object (&copy->from);
  g_clear_object (&copy->to);
  copy->done = 0;
  if (copy->rendered >= 0)
    capra_host_delete_rendered (copy->rendered);
  copy->rendered = -1;
}

static void
computation_clear (gpointer data)
{
  Computation *computation = data;

  g_ptr_array_unref (computation->steps);
  g_object_unref (computation->input);
  g_object_unref (computation->result);
}

static void
computation_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, computation_clear);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_handle_id (&job->poll, g_source_remove);
  g_clear_handle_id (&job->delay, g_source_remove);
  copy_clear (&job->copy);
  g_clear_pointer (&job->computation, computation_unref);
  g_object_unref (job->cancellable);
  g_ptr_array_unref (job->steps);
  g_free (job);
}

static const char *
get_text (void)
{
  return capra_counters_get_active_builds () > 0 ? _ ("Preparing kernels for this device (first use)") : _ ("Capra");
}

static void
report (Job *job, double fraction)
{
  job->fraction = fraction;
  if (job->progress)
    job->progress (fraction, job->progress_data);
}

static gboolean
on_interval (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop, and so the job, within a call of GIMP. */
static gboolean
iterate (double *fraction, const char **text, gpointer data)
{
  Job *job = data;
  gboolean over = FALSE;
  guint timer = g_timeout_add (INTERVAL, on_interval, &over);

  while (!job->ended && !over)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  *fraction = job->fraction;
  *text = get_text ();
  return !job->ended;
}

/* Returns when the job has ended or is canceled in GIMP's window. */
static gboolean
on_delay (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Job *job = g_task_get_task_data (task);

  job->delay = 0;
  if (!capra_host_run (iterate, job))
    g_cancellable_cancel (job->cancellable);
  return G_SOURCE_REMOVE;
}

/* Returns @error (nullable) or success from the task. */
static void
end (GTask *task, GError *error)
{
  Job *job = g_task_get_task_data (task);

  job->ended = TRUE;
  g_clear_handle_id (&job->delay, g_source_remove);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static gboolean
check (GTask *task, GError **error)
{
  Job *job = g_task_get_task_data (task);

  return !g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), error)
         && capra_host_check (job->drawable, error);
}

static gboolean
on_write (gpointer data)
{
  GTask *task = data;
  Job *job = g_task_get_task_data (task);
  Copy *copy = &job->copy;
  GError *error = NULL;

  if (!check (task, &error))
    {
      end (task, error);
      return G_SOURCE_REMOVE;
    }
  if (copy_strip (copy))
    {
      report (job, 1.0 - WRITE_FRACTION + WRITE_FRACTION * copy->done / copy->area.height);
      return G_SOURCE_CONTINUE;
    }
  gegl_buffer_flush (copy->to);
  copy_clear (copy);
  capra_host_merge (job->drawable, &job->area, job->with_effects, &error);
  end (task, error);
  return G_SOURCE_REMOVE;
}

/* In bands of about half a second each, for a smooth progress bar and fast cancellation. */
static void
render (Computation *computation, CapraGraph *graph, GCancellable *cancellable)
{
  const GeglRectangle *area = &computation->area;
  GeglRectangle band = *area;
  int rows = STRIP, done = 0;

  while (done < area->height && !g_cancellable_is_cancelled (cancellable))
    {
      gint64 start = g_get_monotonic_time (), time;

      band.y = area->y + done;
      band.height = MIN (rows, area->height - done);
      gegl_node_blit_buffer (capra_graph_get_output (graph), computation->result, &band, 0, GEGL_ABYSS_NONE);
      done += band.height;
      g_atomic_int_set (&computation->per_mille, (int) (1000.0 * done / area->height));
      time = g_get_monotonic_time () - start;
      if (time < G_TIME_SPAN_SECOND / 4)
        rows *= 4;
      else if (time > G_TIME_SPAN_SECOND)
        rows = MAX (rows / 4, 16);
    }
}

/* Operations of Capra look at the nodes that read their result: if one writes it into a buffer, they compute tiles in
 * the format of that buffer, so that GEGL shares them instead of converting them. This node is never processed. Values
 * of a curve are left to GEGL, which rounds them differently. */
static void
announce_format (CapraGraph *graph, GeglBuffer *buffer)
{
  const Babl *model = babl_format_get_model (gegl_buffer_get_format (buffer));
  GeglNode *sink = NULL;

  if (babl_get_model_flags (model) & (BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL))
    return;
  sink = gegl_node_new_child (capra_graph_get_root (graph), "operation", "gegl:write-buffer", "buffer", buffer, NULL);
  gegl_node_link (capra_graph_get_output (graph), sink);
}

static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Computation *computation = data;
  /* Idle callbacks of the operations must not run in the main thread while they process. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  g_autoptr (CapraGraph) graph = capra_graph_new (computation->input, 1.0, FALSE);
  GError *error = NULL;

  capra_graph_update (graph, computation->steps);
  announce_format (graph, computation->result);
  render (computation, graph, cancellable);
  if (!g_cancellable_set_error_if_cancelled (cancellable, &error))
    capra_graph_check (graph, &error);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  capra_gegl_threads_remove ();
}

static gboolean
on_poll (gpointer data)
{
  Job *job = data;
  double fraction = g_atomic_int_get (&job->computation->per_mille) / 1000.0;

  report (job, READ_FRACTION + (1.0 - READ_FRACTION - WRITE_FRACTION) * fraction);
  return G_SOURCE_CONTINUE;
}

static void
on_computed (GObject *source, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;

  g_clear_handle_id (&job->poll, g_source_remove);
  if (!g_task_propagate_boolean (G_TASK (result), &error) || !check (task, &error))
    {
      end (task, error);
      return;
    }
  job->copy.from = g_object_ref (job->computation->result);
  g_clear_pointer (&job->computation, computation_unref);
  job->copy.to = capra_host_get_shadow (job->drawable);
  job->copy.area = job->area;
  g_idle_add_full (COPY_PRIORITY, on_write, task, NULL);
}

static void
compute_async (GTask *task, GeglBuffer *input)
{
  Job *job = g_task_get_task_data (task);
  Computation *computation = g_atomic_rc_box_new0 (Computation);
  g_autoptr (GTask) inner = g_task_new (NULL, g_task_get_cancellable (task), on_computed, task);

  computation->steps = g_ptr_array_ref (job->steps);
  computation->area = job->area;
  computation->input = g_object_ref (input);
  computation->result = gegl_buffer_new (&job->area, capra_palette_format_get_colors (gegl_buffer_get_format (input)));
  job->computation = computation;
  job->poll = g_timeout_add (INTERVAL, on_poll, job);
  g_task_set_task_data (inner, g_atomic_rc_box_acquire (computation), computation_unref);
  g_task_set_return_on_cancel (inner, TRUE);
  capra_gegl_threads_add ();
  g_task_run_in_thread (inner, compute);
}

static gboolean
on_read (gpointer data)
{
  GTask *task = data;
  Job *job = g_task_get_task_data (task);
  Copy *copy = &job->copy;
  GError *error = NULL;

  if (!check (task, &error))
    {
      end (task, error);
      return G_SOURCE_REMOVE;
    }
  if (copy_strip (copy))
    {
      report (job, READ_FRACTION * copy->done / copy->area.height);
      return G_SOURCE_CONTINUE;
    }
  compute_async (task, copy->to);
  copy_clear (copy);
  return G_SOURCE_REMOVE;
}

static gboolean
copy_begin_reading (Copy *copy, int drawable, gboolean with_effects, GError **error)
{
  copy->rendered = with_effects ? capra_host_render_effects (drawable, error) : -1;
  if (with_effects && copy->rendered < 0)
    return FALSE;
  copy->from = capra_host_get_pixels (with_effects ? copy->rendered : drawable);
  copy->area = *gegl_buffer_get_extent (copy->from);
  copy->to = gegl_buffer_new (&copy->area, capra_palette_format_keep (gegl_buffer_get_format (copy->from)));
  return TRUE;
}

void
capra_apply_async (int drawable, GPtrArray *steps, gboolean with_effects, GCancellable *cancellable,
                   CapraApplyProgress progress, gpointer progress_data, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GCancellable) own = cancellable ? g_object_ref (cancellable) : g_cancellable_new ();
  GTask *task = g_task_new (NULL, own, callback, data);
  Job *job = g_new0 (Job, 1);
  GError *error = NULL;

  job->drawable = drawable;
  job->with_effects = with_effects && capra_host_count_effects (drawable) > 0;
  job->copy.rendered = -1;
  job->steps = g_ptr_array_ref (steps);
  job->cancellable = g_object_ref (own);
  job->progress = progress;
  job->progress_data = progress_data;
  g_task_set_task_data (task, job, job_free);
  if (!check (task, &error) || !capra_host_get_area (drawable, &job->area, &error)
      || !copy_begin_reading (&job->copy, drawable, job->with_effects, &error))
    {
      end (task, error);
      return;
    }
  if (capra_host_has_display ())
    job->delay = g_timeout_add (DELAY, on_delay, task);
  g_idle_add_full (COPY_PRIORITY, on_read, task, NULL);
}

gboolean
capra_apply_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

gboolean
capra_apply (int drawable, GPtrArray *steps, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) failure = NULL;

  capra_apply_async (drawable, steps, FALSE, NULL, NULL, NULL, on_finished, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  if (capra_apply_finish (result, &failure))
    return TRUE;
  if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&failure));
  capra_gegl_threads_wait (); /* the process may end next */
  return FALSE;
}

GeglBuffer *
capra_apply_read (int drawable, gboolean with_effects, GError **error)
{
  Copy copy = { .rendered = -1 };
  GeglBuffer *pixels = NULL;

  if (!capra_host_check (drawable, error))
    return NULL;
  capra_host_begin_progress (_ ("Capra"));
  if (copy_begin_reading (&copy, drawable, with_effects, error))
    {
      while (capra_host_check (drawable, error) && copy_strip (&copy))
        capra_host_set_progress ((double) copy.done / copy.area.height, NULL);
      if (copy.done == copy.area.height)
        pixels = g_object_ref (copy.to);
    }
  capra_host_end_progress ();
  copy_clear (&copy);
  return pixels;
}
