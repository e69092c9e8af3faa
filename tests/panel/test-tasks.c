/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is running, in the header bar: progress, canceling; toasts do not hide it, and cover no controls. */
#include <gegl.h>
#include <glib/gstdio.h>

#include "tests/panel/shot.h"
#include "ui/panel/monitor/timings-view.h"
#include "ui/panel/preview/profile-pane.h"
#include "ui/panel/preview/status-bar.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/widgets/table-export.h"
#include "ui/panel/widgets/task-button.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"

#define SIZE 2500

static char *folder;

static GtkWidget *
find_cancel (GtkWidget *button)
{
  GtkWidget *cancel = gtk_widget_get_last_child (button);

  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (cancel)), ==, "_Cancel");
  return cancel;
}

static void
click (GtkWidget *button)
{
  g_assert_true (gtk_widget_get_visible (button));
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

/* One task, two, and none. */
static void
test_button (void)
{
  GtkWidget *widget = g_object_new (CAPRA_TYPE_TASK_BUTTON, NULL), *window = NULL, *list = NULL;
  CapraTaskButton *button = CAPRA_TASK_BUTTON (widget);
  g_autoptr (GCancellable) one = g_cancellable_new (), two = g_cancellable_new ();
  g_autoptr (CapraTask) first = capra_task_new ("Saving a.png", one), second = capra_task_new ("Saving b.png", two);
  GtkProgressBar *progress = GTK_PROGRESS_BAR (shot_find (widget, GTK_TYPE_PROGRESS_BAR));

  g_assert_false (gtk_widget_get_visible (widget));
  capra_task_set_fraction (first, 0.25);
  capra_task_button_add (button, first);
  capra_task_button_add (button, first);
  window = shot_window (widget, 300, 200);
  g_assert_cmpfloat (gtk_progress_bar_get_fraction (progress), ==, 0.25);
  g_assert_cmpstr (gtk_progress_bar_get_text (progress), ==, "25 %");
  g_assert_cmpstr (gtk_widget_get_tooltip_text (find_cancel (widget)), ==, "Cancel: Saving a.png");

  capra_task_set_fraction (second, 0.75);
  capra_task_button_add (button, second);
  g_assert_cmpfloat (gtk_progress_bar_get_fraction (progress), ==, 0.5);
  g_assert_false (gtk_widget_get_visible (find_cancel (widget))); /* which of them? */
  gtk_menu_button_popup (GTK_MENU_BUTTON (shot_find (widget, GTK_TYPE_MENU_BUTTON)));
  list = shot_find (widget, GTK_TYPE_LIST_BOX);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (list));
  g_assert_nonnull (shot_find_label (list, "Saving a.png"));
  g_assert_nonnull (shot_find_label (list, "Saving b.png"));
  click (shot_find_button (GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1)), "_Cancel"));
  g_assert_false (g_cancellable_is_cancelled (one));
  g_assert_true (g_cancellable_is_cancelled (two));
  g_assert_nonnull (shot_find_label (list, "Canceling")); /* it has not ended yet */
  capra_task_end (second);
  g_assert_true (gtk_widget_get_visible (find_cancel (widget)));
  click (find_cancel (widget));
  g_assert_true (g_cancellable_is_cancelled (one));
  g_assert_false (gtk_widget_get_visible (find_cancel (widget)));
  g_assert_cmpstr (gtk_progress_bar_get_text (progress), ==, "Canceling…");
  capra_task_end (first);
  g_assert_false (gtk_widget_get_visible (widget));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Noise, which takes long to write as a PNG. */
static GeglBuffer *
make_image (int size)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, size, size), babl_format ("R'G'B' u8"));
  gsize bytes = 3 * (gsize) size * (gsize) size;
  g_autofree guint8 *pixels = g_malloc (bytes);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gsize i = 0; i < bytes; i++)
    pixels[i] = (guint8) g_rand_int (random);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static CapraPanelWindow *
open_window (int size)
{
  g_autoptr (GeglBuffer) image = make_image (size);
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, "noise", NULL, NULL);
  g_autoptr (CapraStep) step = capra_step_new ("gegl:invert-gamma");

  gtk_window_present (GTK_WINDOW (window));
  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  return window;
}

/* Nothing that the user can close has the progress. */
static void
test_saving (void)
{
  CapraPanelWindow *window = open_window (SIZE);
  GtkWidget *tasks = shot_find (GTK_WIDGET (window), CAPRA_TYPE_TASK_BUTTON);
  g_autofree char *path = g_build_filename (folder, "saved.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  capra_panel_window_save (window, file, 16);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (tasks));
  g_assert_null (shot_find (GTK_WIDGET (window), g_type_from_name ("AdwToastWidget")));
  click (find_cancel (tasks)); /* at once: to draw a picture first may take longer than to save the image */
  SHOT_WAIT_FOR (!gtk_widget_get_visible (tasks));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  capra_panel_window_save (window, file, 16);
  SHOT_WAIT_FOR (gtk_widget_get_mapped (tasks));
  shot_take (GTK_WIDGET (window), "task");
  SHOT_WAIT_FOR (!gtk_widget_get_visible (tasks));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  shot_close (GTK_WIDGET (window));
}

/* Whether there is a toast with this text, and it ends above a widget of this type. It slides in from below, and
 * disappears by itself. */
static gboolean
is_above (CapraPanelWindow *window, const char *text, GType type)
{
  GtkWidget *widget = GTK_WIDGET (window), *toast = shot_find (widget, g_type_from_name ("AdwToastWidget"));
  graphene_rect_t bounds, below;

  return toast && gtk_widget_get_mapped (toast) && shot_find_label (toast, text)
         && gtk_widget_compute_bounds (toast, widget, &bounds)
         && gtk_widget_compute_bounds (shot_find (widget, type), widget, &below) && bounds.size.height > 0.0f
         && bounds.origin.y + bounds.size.height <= below.origin.y;
}

/* The message that a file was saved. */
static void
test_toast (int width, int height)
{
  CapraPanelWindow *window = open_window (50);
  g_autofree char *path = g_build_filename (folder, "small.png", NULL);
  g_autofree char *name = g_strdup_printf ("toast-%d", width);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  capra_panel_window_save (window, file, 8);
  SHOT_WAIT_FOR (is_above (window, "Saved as", CAPRA_TYPE_STATUS_BAR));
  shot_take (GTK_WIDGET (window), name);
  shot_close (GTK_WIDGET (window));
}

static void
test_toasts (void)
{
  test_toast (1280, 800);
  test_toast (800, 600);
}

static void
fail (GtkWidget *widget, const char *message)
{
  g_error ("%s", message);
}

/* Opens a window for a message of one widget; the messages of others would come before it. */
static CapraPanelWindow *
open_with_profile (void)
{
  CapraPanelWindow *window = open_window (50);

  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.line-profile", NULL));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (shot_find (GTK_WIDGET (window), CAPRA_TYPE_PROFILE_PANE)));
  return window;
}

/* Tables of the sidebar and of the profile below the image, which no toast covers. The text is not markup. */
static void
test_tables (void)
{
  g_autoptr (CapraTable) table = capra_table_new ((const char *[]){ "label", NULL });
  g_autofree char *path = g_build_filename (folder, "a<b>&c.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  CapraPanelWindow *window = open_with_profile ();

  capra_table_add_row (table, (double[]){ 1 });
  capra_table_export_copy (shot_find (GTK_WIDGET (window), CAPRA_TYPE_RESULTS_PAGE), table);
  SHOT_WAIT_FOR (is_above (window, "Copied as text", CAPRA_TYPE_PROFILE_PANE));
  shot_close (GTK_WIDGET (window));

  window = open_with_profile ();
  capra_table_export_write (shot_find (GTK_WIDGET (window), CAPRA_TYPE_PROFILE_PANE), table, file, fail);
  SHOT_WAIT_FOR (is_above (window, "a<b>&c.csv", CAPRA_TYPE_PROFILE_PANE));
  shot_take (GTK_WIDGET (window), "toast-table");
  shot_close (GTK_WIDGET (window));

  window = open_with_profile ();
  click (shot_find_icon (shot_find (GTK_WIDGET (window), CAPRA_TYPE_TIMINGS_VIEW), "edit-copy-symbolic"));
  SHOT_WAIT_FOR (is_above (window, "Copied as CSV", CAPRA_TYPE_PROFILE_PANE));
  shot_close (GTK_WIDGET (window));
}

int
main (int argc, char **argv)
{
  int status = 0;

  folder = g_dir_make_tmp ("capra-tasks-XXXXXX", NULL);
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/tasks/button", test_button);
  g_test_add_func ("/panel/tasks/saving", test_saving);
  g_test_add_func ("/panel/tasks/toasts", test_toasts);
  g_test_add_func ("/panel/tasks/tables", test_tables);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
