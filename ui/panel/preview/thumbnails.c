/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails: small pictures of the results of all steps of a pipeline. */
#include "ui/panel/preview/thumbnails.h"

#include "runtime/trace/timeline-scope.h"
#include "ui/panel/preview/graph-picture.h"

#define SIDE 320  /* largest side of the reduced image, in pixels: small regions remain */
#define DELAY 400 /* ms without changes before they are computed */

struct _CapraThumbnails {
  GObject parent_instance;
  CapraStepModel *pipeline;
  CapraPyramid *image;   /* NULL for none */
  GHashTable *pictures;  /* id of a step -> GdkTexture */
  GCancellable *running; /* NULL while nothing is computed */
  guint timer;
  gboolean busy, outdated;
};

G_DEFINE_FINAL_TYPE (CapraThumbnails, capra_thumbnails, G_TYPE_OBJECT)

enum { PROP_BUSY = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint updated_signal;

typedef struct {
  CapraPyramid *image;
  GPtrArray *steps;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  capra_pyramid_unref (request->image);
  g_ptr_array_unref (request->steps);
  g_free (request);
}

static void
compute (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Request *request = data;
  g_autoptr (GHashTable) pictures = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  int level = capra_pyramid_fill_overview (request->image, SIDE);
  g_autoptr (CapraGraph) graph = capra_graph_new (capra_pyramid_get_buffer (request->image, level),
                                                  capra_pyramid_get_scale (level), TRUE);
  g_autoptr (CapraTimelineScope) scope = capra_timeline_scope_new_separate (); /* timings are those of the view */
  CapraTimelineScope *before = capra_timeline_scope_enter (scope);

  for (guint i = 0; i < request->steps->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      CapraStep *step = request->steps->pdata[i];
      GdkTexture *picture = NULL;

      g_ptr_array_add (steps, step);
      if (!capra_step_get_enabled (step))
        continue;
      capra_graph_update (graph, steps);
      picture = capra_graph_picture_new (graph, capra_pyramid_get_buffer (request->image, 0));
      if (picture)
        g_hash_table_insert (pictures, GUINT_TO_POINTER (capra_step_get_id (step)), picture);
    }
  capra_timeline_scope_enter (before);
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, g_steal_pointer (&pictures), (GDestroyNotify) g_hash_table_unref);
}

static void start (CapraThumbnails *self);

static void
on_computed (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraThumbnails *self = CAPRA_THUMBNAILS (source);
  GHashTable *pictures = g_task_propagate_pointer (G_TASK (result), NULL);

  g_clear_object (&self->running);
  if (pictures && self->image)
    {
      g_hash_table_unref (self->pictures);
      self->pictures = pictures;
      g_signal_emit (self, updated_signal, 0);
    }
  else
    g_clear_pointer (&pictures, g_hash_table_unref);
  start (self);
}

static gboolean
on_timeout (gpointer data)
{
  CapraThumbnails *self = data;
  g_autoptr (GTask) task = NULL;
  Request *request = NULL;

  self->timer = 0;
  self->outdated = FALSE;
  self->running = g_cancellable_new ();
  request = g_new0 (Request, 1);
  request->image = capra_pyramid_ref (self->image);
  request->steps = capra_step_model_snapshot (self->pipeline);
  task = g_task_new (self, self->running, on_computed, NULL);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, compute);
  return G_SOURCE_REMOVE;
}

/* Starts the pause before the work, if there is any. */
static void
start (CapraThumbnails *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->outdated && !self->busy && !self->running && self->image)
    self->timer = g_timeout_add (DELAY, on_timeout, self);
}

/* Steps that run finish first; the rest of the pipeline does not start. */
static void
stop (CapraThumbnails *self)
{
  if (self->running)
    {
      g_cancellable_cancel (self->running);
      self->outdated = TRUE;
    }
}

static void
on_changed (CapraThumbnails *self)
{
  self->outdated = TRUE;
  stop (self);
  start (self);
}

void
capra_thumbnails_set_image (CapraThumbnails *self, CapraPyramid *image)
{
  g_return_if_fail (CAPRA_IS_THUMBNAILS (self));
  g_clear_pointer (&self->image, capra_pyramid_unref);
  self->image = image ? capra_pyramid_ref (image) : NULL;
  g_hash_table_remove_all (self->pictures);
  g_signal_emit (self, updated_signal, 0);
  on_changed (self);
}

void
capra_thumbnails_refresh (CapraThumbnails *self)
{
  g_return_if_fail (CAPRA_IS_THUMBNAILS (self));
  on_changed (self);
}

static void
set_busy (CapraThumbnails *self, gboolean busy)
{
  if (self->busy == !!busy)
    return;
  self->busy = !!busy;
  if (busy)
    stop (self);
  start (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

GdkPaintable *
capra_thumbnails_get (CapraThumbnails *self, guint id)
{
  g_return_val_if_fail (CAPRA_IS_THUMBNAILS (self), NULL);
  return g_hash_table_lookup (self->pictures, GUINT_TO_POINTER (id));
}

static void
capra_thumbnails_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_boolean (value, CAPRA_THUMBNAILS (object)->busy);
}

static void
capra_thumbnails_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  set_busy (CAPRA_THUMBNAILS (object), g_value_get_boolean (value));
}

static void
capra_thumbnails_dispose (GObject *object)
{
  CapraThumbnails *self = CAPRA_THUMBNAILS (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->image, capra_pyramid_unref);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (capra_thumbnails_parent_class)->dispose (object);
}

static void
capra_thumbnails_finalize (GObject *object)
{
  g_hash_table_unref (CAPRA_THUMBNAILS (object)->pictures);
  G_OBJECT_CLASS (capra_thumbnails_parent_class)->finalize (object);
}

static void
capra_thumbnails_class_init (CapraThumbnailsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = capra_thumbnails_get_property;
  object_class->set_property = capra_thumbnails_set_property;
  object_class->dispose = capra_thumbnails_dispose;
  object_class->finalize = capra_thumbnails_finalize;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  updated_signal = g_signal_new ("updated", CAPRA_TYPE_THUMBNAILS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 0);
}

static void
capra_thumbnails_init (CapraThumbnails *self)
{
  self->pictures = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
}

CapraThumbnails *
capra_thumbnails_new (CapraStepModel *pipeline)
{
  CapraThumbnails *self = g_object_new (CAPRA_TYPE_THUMBNAILS, NULL);

  self->pipeline = g_object_ref (pipeline);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return self;
}
