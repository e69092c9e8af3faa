/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operation-pictures: small pictures of what operations do, with their defaults, to a sample. */
#include "ui/panel/steps/operation-pictures.h"

#include <gegl-paramspecs.h>
#include <math.h>
#include <string.h>

#include "ui/panel/preview/graph-picture.h"
#include "ui/pipeline/log-catcher.h"

#define WIDTH 64
#define HEIGHT 48

struct _CapraOperationPictures {
  GObject parent_instance;
  GHashTable *pictures; /* name -> GdkTexture, NULL while it is not rendered or if nothing is to be shown */
  GQueue waiting;       /* of names, which the table owns */
  gboolean running, paused;
};

G_DEFINE_FINAL_TYPE (CapraOperationPictures, capra_operation_pictures, G_TYPE_OBJECT)

static guint ready_signal;

/* Colored discs and a dark ring before a sky: edges, colors, and regions to find. */
static void
draw_pixel (int x, int y, guint8 rgb[3])
{
  static const struct {
    int x, y, radius;
    guint8 rgb[3];
  } discs[] = {
    { 14, 14, 9, { 240, 214, 90 } },
    { 44, 12, 6, { 250, 250, 250 } },
    { 20, 36, 7, { 220, 90, 70 } },
    { 48, 33, 11, { 120, 220, 130 } },
  };

  rgb[0] = (guint8) (30 + y);
  rgb[1] = (guint8) (50 + y + x / 2);
  rgb[2] = (guint8) (110 + x / 2);
  for (guint i = 0; i < G_N_ELEMENTS (discs); i++)
    if (hypot (x - discs[i].x, y - discs[i].y) < discs[i].radius)
      for (int c = 0; c < 3; c++)
        rgb[c] = discs[i].rgb[c];
  if (fabs (hypot (x - 48, y - 33) - 6.0) < 1.5)
    rgb[0] = rgb[1] = rgb[2] = 20;
}

static GeglBuffer *
make_sample (void)
{
  const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };
  GeglBuffer *buffer = gegl_buffer_new (&extent, babl_format ("R'G'B' u8"));
  guint8 pixels[HEIGHT][WIDTH][3];

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      draw_pixel (x, y, pixels[y][x]);
  gegl_buffer_set (buffer, &extent, 0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* Operations that need no second image, or no file, although they can have one. */
static gboolean
is_complete (const char *operation)
{
  static const char *const names[] = { "capra:convolve", "capra:threshold", "gegl:threshold", NULL };

  return g_strv_contains (names, operation);
}

/* Whether the sample shows what the operation does: it needs no file, and its result is a picture. */
static gboolean
can_show (const char *operation)
{
  guint count;
  g_autofree GParamSpec **list = capra_operation_get_properties (operation, &count);

  if (capra_operation_has_table (operation))
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (GEGL_IS_PARAM_SPEC_FILE_PATH (list[i]))
      return is_complete (operation);
  return TRUE;
}

/* Returns: (transfer full): GEGL's operation of the same name, which needs no kernels: they may take seconds to build
 */
static CapraStep *
make_step (const char *operation)
{
  const char *name = strchr (operation, ':');
  g_autofree char *own = g_strconcat ("gegl", name ? name : operation, NULL);

  return capra_step_new (gegl_has_operation (own) ? own : operation);
}

/* The steps that show @operation. Two images are the blurred sample and the sample. */
static GPtrArray *
make_steps (const char *operation)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);
  CapraStep *step = make_step (operation);
  int labels;

  if (capra_operation_find_labels_property (operation, &labels)) /* regions to label */
    g_ptr_array_add (steps, capra_step_new ("gegl:threshold"));
  if (capra_operation_has_aux (operation) && !is_complete (operation))
    {
      g_autoptr (CapraAuxSource) sample = capra_aux_source_new_input ();

      g_ptr_array_add (steps, capra_step_new ("gegl:gaussian-blur"));
      capra_step_set_aux (step, sample);
    }
  g_ptr_array_add (steps, step);
  return steps;
}

static void
render (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  /* Operations emit signals through the default main context. The main thread's would emit them during the work. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  g_autoptr (GeglBuffer) sample = make_sample ();
  g_autoptr (CapraGraph) graph = capra_graph_new (sample, 1.0, FALSE);
  g_autoptr (GPtrArray) steps = make_steps (data);
  g_autofree char *warning = NULL;
  GdkTexture *picture = NULL;

  capra_log_catcher_begin (FALSE); /* an operation that lacks a file or a second input warns */
  capra_graph_update (graph, steps);
  picture = capra_graph_picture_new (graph, sample);
  warning = capra_log_catcher_end ();
  g_task_return_pointer (task, picture, g_object_unref);
}

static void start (CapraOperationPictures *self);

static void
on_rendered (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraOperationPictures *self = CAPRA_OPERATION_PICTURES (source);
  const char *name = g_task_get_task_data (G_TASK (result));
  GdkTexture *picture = g_task_propagate_pointer (G_TASK (result), NULL);

  self->running = FALSE;
  if (picture)
    {
      g_hash_table_insert (self->pictures, g_strdup (name), picture);
      g_signal_emit (self, ready_signal, g_quark_from_string (name), picture);
    }
  start (self);
}

static void
start (CapraOperationPictures *self)
{
  const char *name = self->running || self->paused ? NULL : g_queue_pop_head (&self->waiting);
  g_autoptr (GTask) task = NULL;

  if (!name)
    return;
  self->running = TRUE;
  task = g_task_new (self, NULL, on_rendered, NULL);
  g_task_set_task_data (task, g_strdup (name), g_free);
  g_task_run_in_thread (task, render);
}

GdkPaintable *
capra_operation_pictures_request (CapraOperationPictures *self, const char *operation)
{
  gpointer key, picture;

  g_return_val_if_fail (CAPRA_IS_OPERATION_PICTURES (self), NULL);
  if (g_hash_table_lookup_extended (self->pictures, operation, NULL, &picture))
    return picture;
  g_hash_table_insert (self->pictures, g_strdup (operation), NULL);
  if (!can_show (operation))
    return NULL;
  g_hash_table_lookup_extended (self->pictures, operation, &key, NULL);
  g_queue_push_tail (&self->waiting, key);
  start (self);
  return NULL;
}

const char *
capra_operation_pictures_get_icon (const char *operation)
{
  return capra_operation_has_table (operation) ? "x-office-spreadsheet-symbolic" : "image-x-generic-symbolic";
}

void
capra_operation_pictures_set_paused (CapraOperationPictures *self, gboolean paused)
{
  g_return_if_fail (CAPRA_IS_OPERATION_PICTURES (self));
  self->paused = paused;
  start (self);
}

gboolean
capra_operation_pictures_is_busy (CapraOperationPictures *self)
{
  return self->running;
}

static void
object_free (gpointer object)
{
  g_clear_object (&object);
}

static void
capra_operation_pictures_finalize (GObject *object)
{
  CapraOperationPictures *self = CAPRA_OPERATION_PICTURES (object);

  g_queue_clear (&self->waiting);
  g_hash_table_unref (self->pictures);
  G_OBJECT_CLASS (capra_operation_pictures_parent_class)->finalize (object);
}

static void
capra_operation_pictures_class_init (CapraOperationPicturesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_operation_pictures_finalize;
  ready_signal = g_signal_new ("ready", CAPRA_TYPE_OPERATION_PICTURES, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL,
                               NULL, NULL, G_TYPE_NONE, 1, GDK_TYPE_PAINTABLE);
}

static void
capra_operation_pictures_init (CapraOperationPictures *self)
{
  self->pictures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, object_free);
  g_queue_init (&self->waiting);
}

CapraOperationPictures *
capra_operation_pictures_new (void)
{
  return g_object_new (CAPRA_TYPE_OPERATION_PICTURES, NULL);
}
