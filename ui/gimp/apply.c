/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply: carries a pipeline out on a drawable of GIMP's.
 *
 * GIMP's wire is for the main thread alone, and GEGL's workers read from any: so the drawable is copied
 * first, strip by strip between other work of the main loop, computed in a thread from copy to copy,
 * and the result is copied back in strips. */
#include "ui/gimp/apply.h"

#include <glib/gi18n-lib.h>

#include "capra.h"
#include "ui/pipeline/graph/graph.h"
#include "ui/gimp/host.h"

#define STRIP 128     /* rows: GIMP's tiles are 64 or 128 high */
#define READ_PART 0.1 /* of the progress */
#define WRITE_PART 0.1
#define POLL 100 /* ms */
/* Of the copies: as redrawing, so that neither waits for the other on a busy machine. */
#define COPY_PRIORITY (G_PRIORITY_HIGH_IDLE + 20)

/* One buffer becomes another one's copy. */
typedef struct {
  GeglBuffer *from, *to;
  GeglRectangle area;
  int done; /* rows */
} Copy;

typedef struct {
  int drawable;
  GPtrArray *steps;
  CapraApplyProgress progress;
  gpointer progress_data;
  GeglRectangle area;
  Copy copy;
  GeglBuffer *input, *result;
  int per_mille; /* atomic: how far the thread is */
  guint poll;
} Applying;

/* One strip more. Returns: whether there was one */
static gboolean
copy_strip (Copy *copy)
{
  GeglRectangle strip = copy->area;

  strip.y += copy->done;
  strip.height = MIN (STRIP, copy->area.height - copy->done);
  if (strip.height <= 0)
    return FALSE;
  gegl_buffer_copy (copy->from, &strip, GEGL_ABYSS_NONE, copy->to, &strip);
  copy->done += strip.height;
  return TRUE;
}

static void
copy_clear (Copy *copy)
{
  g_clear_object (&copy->from);
  g_clear_object (&copy->to);
  copy->done = 0;
}

static void
applying_free (gpointer data)
{
  Applying *applying = data;

  g_clear_handle_id (&applying->poll, g_source_remove);
  copy_clear (&applying->copy);
  g_clear_object (&applying->input);
  g_clear_object (&applying->result);
  g_ptr_array_unref (applying->steps);
  g_free (applying);
}

const char *
capra_apply_get_text (void)
{
  return capra_counters_get_active_builds () > 0 ? _ ("Preparing kernels for this device (first use)") : _ ("Capra");
}

static void
report (Applying *applying, double fraction)
{
  applying->progress (fraction, applying->progress_data);
}

/* Ends the task with @error, or well. */
static void
end (GTask *task, GError *error)
{
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static gboolean
may_go_on (GTask *task, GError **error)
{
  Applying *applying = g_task_get_task_data (task);

  return !g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), error)
         && capra_host_check (applying->drawable, error);
}

static gboolean
on_write (gpointer data)
{
  GTask *task = data;
  Applying *applying = g_task_get_task_data (task);
  Copy *copy = &applying->copy;
  GError *error = NULL;

  if (!may_go_on (task, &error))
    {
      end (task, error);
      return G_SOURCE_REMOVE;
    }
  if (copy_strip (copy))
    {
      report (applying, 1.0 - WRITE_PART + WRITE_PART * copy->done / copy->area.height);
      return G_SOURCE_CONTINUE;
    }
  gegl_buffer_flush (copy->to);
  copy_clear (copy);
  capra_host_merge (applying->drawable, &applying->area, &error);
  end (task, error);
  return G_SOURCE_REMOVE;
}

/* In bands that take about half a second each: so the progress is seen to move, and an end is soon. */
static void
render (Applying *applying, CapraGraph *graph, GCancellable *cancellable)
{
  GeglRectangle band = applying->area;
  int rows = STRIP, done = 0;

  while (done < applying->area.height && !g_cancellable_is_cancelled (cancellable))
    {
      gint64 start = g_get_monotonic_time (), time;

      band.y = applying->area.y + done;
      band.height = MIN (rows, applying->area.height - done);
      gegl_node_blit_buffer (capra_graph_get_output (graph), applying->result, &band, 0, GEGL_ABYSS_NONE);
      done += band.height;
      g_atomic_int_set (&applying->per_mille, (int) (1000.0 * done / applying->area.height));
      time = g_get_monotonic_time () - start;
      if (time < G_TIME_SPAN_SECOND / 4)
        rows *= 4;
      else if (time > G_TIME_SPAN_SECOND)
        rows = MAX (rows / 4, 16);
    }
}

static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Applying *applying = data;
  /* What operations have to say by a main loop stays here; the main thread's would say it while they work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  g_autoptr (CapraGraph) graph = capra_graph_new (applying->input, 1.0, FALSE);
  GError *error = NULL;

  capra_graph_update (graph, applying->steps);
  render (applying, graph, cancellable);
  if (!g_cancellable_set_error_if_cancelled (cancellable, &error))
    capra_graph_check (graph, &error);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
on_poll (gpointer data)
{
  Applying *applying = data;

  report (applying, READ_PART + (1.0 - READ_PART - WRITE_PART) * g_atomic_int_get (&applying->per_mille) / 1000.0);
  return G_SOURCE_CONTINUE;
}

static void
on_computed (GObject *source, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  Applying *applying = g_task_get_task_data (task);
  GError *error = NULL;

  g_clear_handle_id (&applying->poll, g_source_remove);
  g_clear_object (&applying->input);
  if (!g_task_propagate_boolean (G_TASK (result), &error) || !may_go_on (task, &error))
    {
      end (task, error);
      return;
    }
  applying->copy.from = g_steal_pointer (&applying->result);
  applying->copy.to = capra_host_get_shadow (applying->drawable);
  applying->copy.area = applying->area;
  g_idle_add_full (COPY_PRIORITY, on_write, task, NULL);
}

static gboolean
on_read (gpointer data)
{
  GTask *task = data;
  Applying *applying = g_task_get_task_data (task);
  Copy *copy = &applying->copy;
  g_autoptr (GTask) inner = NULL;
  GError *error = NULL;

  if (!may_go_on (task, &error))
    {
      end (task, error);
      return G_SOURCE_REMOVE;
    }
  if (copy_strip (copy))
    {
      report (applying, READ_PART * copy->done / copy->area.height);
      return G_SOURCE_CONTINUE;
    }
  applying->input = g_object_ref (copy->to);
  applying->result = gegl_buffer_new (&applying->area, gegl_buffer_get_format (copy->from));
  copy_clear (copy);
  applying->poll = g_timeout_add (POLL, on_poll, applying);
  inner = g_task_new (NULL, g_task_get_cancellable (task), on_computed, task);
  g_task_set_task_data (inner, applying, NULL); /* lives as long as the outer task */
  g_task_run_in_thread (inner, compute);
  return G_SOURCE_REMOVE;
}

static void
copy_begin_reading (Copy *copy, int drawable)
{
  copy->from = capra_host_get_pixels (drawable);
  copy->area = *gegl_buffer_get_extent (copy->from);
  copy->to = gegl_buffer_new (&copy->area, gegl_buffer_get_format (copy->from));
}

void
capra_apply_async (int drawable, GPtrArray *steps, GCancellable *cancellable, CapraApplyProgress progress,
                   gpointer progress_data, GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, data);
  Applying *applying = g_new0 (Applying, 1);
  GError *error = NULL;

  applying->drawable = drawable;
  applying->steps = g_ptr_array_ref (steps);
  applying->progress = progress;
  applying->progress_data = progress_data;
  g_task_set_task_data (task, applying, applying_free);
  if (!may_go_on (task, &error) || !capra_host_get_area (drawable, &applying->area, &error))
    {
      end (task, error);
      return;
    }
  copy_begin_reading (&applying->copy, drawable);
  g_idle_add_full (COPY_PRIORITY, on_read, task, NULL);
}

gboolean
capra_apply_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
show_progress (double fraction, gpointer data)
{
  const char **shown = data, *text = capra_apply_get_text ();

  capra_host_set_progress (fraction, text != *shown ? text : NULL);
  *shown = text;
}

gboolean
capra_apply (int drawable, GPtrArray *steps, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  const char *shown = capra_apply_get_text ();

  capra_host_begin_progress (shown);
  capra_apply_async (drawable, steps, NULL, show_progress, &shown, keep_result, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  capra_host_end_progress ();
  return capra_apply_finish (result, error);
}

GeglBuffer *
capra_apply_read (int drawable, GError **error)
{
  Copy copy = { NULL };
  GeglBuffer *pixels = NULL;

  if (!capra_host_check (drawable, error))
    return NULL;
  capra_host_begin_progress (_ ("Capra"));
  copy_begin_reading (&copy, drawable);
  while (capra_host_check (drawable, error) && copy_strip (&copy))
    capra_host_set_progress ((double) copy.done / copy.area.height, NULL);
  capra_host_end_progress ();
  if (copy.done == copy.area.height)
    pixels = g_object_ref (copy.to);
  copy_clear (&copy);
  return pixels;
}
