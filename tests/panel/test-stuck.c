/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations that go on for long and cannot be interrupted: the view shows other steps, saving can be canceled, and the
 * window closes. */
#include <gegl-plugin.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/preview/image-view.h"
#include "ui/panel/widgets/task-button.h"

/* A step whose pixels are computed when it is released. */

typedef struct {
  GeglOperationPointFilter parent_instance;
} Stuck;

typedef struct {
  GeglOperationPointFilterClass parent_class;
} StuckClass;

GType stuck_get_type (void);
G_DEFINE_TYPE (Stuck, stuck, GEGL_TYPE_OPERATION_POINT_FILTER)

static GMutex lock;
static GCond released;
static gboolean held;
static int n_stuck; /* atomic: calls that have not returned */

static gboolean
stuck_process (GeglOperation *operation, void *in, void *out, glong count, const GeglRectangle *roi, gint level)
{
  g_atomic_int_inc (&n_stuck);
  g_mutex_lock (&lock);
  while (held)
    g_cond_wait (&released, &lock);
  g_mutex_unlock (&lock);
  memcpy (out, in, (gsize) count * 4 * sizeof (float));
  g_atomic_int_add (&n_stuck, -1);
  return TRUE;
}

static void
stuck_prepare (GeglOperation *operation)
{
  gegl_operation_set_format (operation, "input", babl_format ("RGBA float"));
  gegl_operation_set_format (operation, "output", babl_format ("RGBA float"));
}

static void
stuck_class_init (StuckClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  operation_class->prepare = stuck_prepare;
  operation_class->threaded = FALSE;
  GEGL_OPERATION_POINT_FILTER_CLASS (klass)->process = stuck_process;
  gegl_operation_class_set_keys (operation_class, "name", "test:stuck", "title", "Stuck", NULL);
}

static void
stuck_init (Stuck *self)
{
}

/* A step that reads its file, which is slow, before its format is known. */

typedef struct {
  GeglOperationPointFilter parent_instance;
} Slow;

typedef struct {
  GeglOperationPointFilterClass parent_class;
} SlowClass;

GType slow_get_type (void);
G_DEFINE_TYPE (Slow, slow, GEGL_TYPE_OPERATION_POINT_FILTER)

static gboolean
slow_process (GeglOperation *operation, void *in, void *out, glong count, const GeglRectangle *roi, gint level)
{
  memcpy (out, in, (gsize) count * 4 * sizeof (float));
  return TRUE;
}

static void
slow_prepare (GeglOperation *operation)
{
  g_atomic_int_inc (&n_stuck);
  g_mutex_lock (&lock);
  while (held)
    g_cond_wait (&released, &lock);
  g_mutex_unlock (&lock);
  stuck_prepare (operation);
  g_atomic_int_add (&n_stuck, -1);
}

static void
slow_class_init (SlowClass *klass)
{
  GEGL_OPERATION_CLASS (klass)->prepare = slow_prepare;
  GEGL_OPERATION_POINT_FILTER_CLASS (klass)->process = slow_process;
  gegl_operation_class_set_keys (GEGL_OPERATION_CLASS (klass), "name", "test:slow", "title", "Slow", NULL);
}

static void
slow_init (Slow *self)
{
}

static void
release (void)
{
  g_mutex_lock (&lock);
  held = FALSE;
  g_cond_broadcast (&released);
  g_mutex_unlock (&lock);
}

/* Its view is complete. */
static CapraPanelWindow *
open_window (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (101, 67, "R'G'B' u8");
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image", NULL, NULL);

  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (shot_is_complete (window));
  held = TRUE;
  return window;
}

/* The view is rendered by another thread, whatever the first one does, and shows nothing of it later. */
static void
test_view (void)
{
  CapraPanelWindow *window = open_window ();
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);

  for (int i = 0; i < 2; i++)
    {
      shot_add_step (window, "test:stuck");
      SHOT_WAIT_FOR (g_atomic_int_get (&n_stuck) > i);
      g_assert_false (shot_is_complete (window));
      capra_step_model_undo (pipeline);
      SHOT_WAIT_FOR (shot_is_complete (window));
    }
  release ();
  SHOT_WAIT_FOR (g_atomic_int_get (&n_stuck) == 0);
  shot_rest (0.1);
  g_assert_true (shot_is_complete (window));
  capra_step_model_redo (pipeline);
  SHOT_WAIT_FOR (shot_is_complete (window));
  shot_close (GTK_WIDGET (window));
}

/* A picture that is late is announced in its place. */
static void
test_first_picture (void)
{
  g_autoptr (GeglBuffer) image = steps_make_image (101, 67, "R'G'B' u8");
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "image", NULL, NULL);
  GtkWidget *view = shot_find (GTK_WIDGET (window), CAPRA_TYPE_IMAGE_VIEW);
  GtkWidget *spinner = shot_find (shot_find (view, GTK_TYPE_OVERLAY), GTK_TYPE_SPINNER);

  g_assert_false (gtk_widget_get_visible (spinner));
  held = TRUE;
  shot_add_step (window, "test:stuck");
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (spinner));
  shot_take (GTK_WIDGET (window), "first-picture");
  release ();
  SHOT_WAIT_FOR (!gtk_widget_get_visible (spinner));
  SHOT_WAIT_FOR (shot_is_complete (window));
  capra_step_model_undo (capra_panel_window_get_pipeline (window));
  SHOT_WAIT_FOR (shot_is_complete (window));
  g_assert_false (gtk_widget_get_visible (spinner));
  shot_close (GTK_WIDGET (window));
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) open = g_dir_open (folder, 0, NULL);
  guint count = 0;

  while (g_dir_read_name (open))
    count++;
  return count;
}

/* The header says that saving is being canceled. The window closes without a question, and no file is written. */
static void
test_saving (void)
{
  CapraPanelWindow *window = open_window ();
  GtkWidget *tasks = shot_find (GTK_WIDGET (window), CAPRA_TYPE_TASK_BUTTON), *cancel = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-stuck-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "saved.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  shot_add_step (window, "test:stuck");
  capra_panel_window_save (window, file, 16);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (tasks));
  cancel = gtk_widget_get_last_child (tasks);
  g_assert_true (gtk_widget_get_visible (cancel));
  g_signal_emit_by_name (cancel, "clicked");
  SHOT_WAIT_FOR (!gtk_widget_get_visible (cancel));
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (shot_find (tasks, GTK_TYPE_PROGRESS_BAR))), ==,
                   "Canceling…");
  shot_take (GTK_WIDGET (window), "stuck");

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  gtk_window_close (GTK_WINDOW (window));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, 0);
  release ();
  SHOT_WAIT_FOR (!window);
  capra_preview_wait_for_workers ();
  g_assert_cmpuint (count_files (folder), ==, 0);
  shot_remove (folder);
}

static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (GTK_IS_FILE_CHOOSER (window))
        return window;
    }
  return NULL;
}

/* The dialog opens, once, although it is not known what the steps result in. */
static void
test_slow_file (void)
{
  CapraPanelWindow *window = open_window ();

  shot_add_step (window, "test:slow");
  SHOT_WAIT_FOR (g_atomic_int_get (&n_stuck) > 0);
  for (int i = 0; i < 2; i++)
    gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
  SHOT_WAIT_FOR (find_dialog ());
  gtk_window_destroy (GTK_WINDOW (find_dialog ()));
  g_assert_null (find_dialog ());
  release ();
  SHOT_WAIT_FOR (shot_is_complete (window));
  SHOT_WAIT_FOR (g_atomic_int_get (&n_stuck) == 0);
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  g_type_class_unref (g_type_class_ref (stuck_get_type ()));
  g_type_class_unref (g_type_class_ref (slow_get_type ()));
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/stuck/view", test_view);
  g_test_add_func ("/panel/stuck/first-picture", test_first_picture);
  g_test_add_func ("/panel/stuck/saving", test_saving);
  g_test_add_func ("/panel/stuck/slow-file", test_slow_file);
  return g_test_run ();
}
