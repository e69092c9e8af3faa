/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply to Many: batches in a window. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/panel/batch/batch-item.h"
#include "ui/panel/batch/batch-window.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/image-file.h"
#include "ui/pipeline/write/save.h"

#define IMAGES 3
#define WIDTH 61
#define HEIGHT 47
#define MANY 40
#define LARGE 900

static char *folder, *state_folder;

static GeglBuffer *
make_image (int width, int height, guint32 seed)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, width, height), babl_format ("R'G'B' u8"));
  gsize bytes = 3 * (gsize) width * (gsize) height;
  g_autofree guint8 *pixels = g_malloc (bytes);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < bytes; i++)
    pixels[i] = (guint8) g_rand_int (random);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static char *
write_image (const char *name, int width, int height, guint32 seed)
{
  g_autoptr (GeglBuffer) image = make_image (width, height, seed);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  g_assert_true (capra_save (file, image, none, 8, NULL, NULL, NULL));
  return path;
}

static guint8 *
load (const char *path, int *width, int *height)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_image_load (file, &error);
  guint8 *pixels = NULL;

  g_assert_no_error (error);
  *width = gegl_buffer_get_width (image->buffer);
  *height = gegl_buffer_get_height (image->buffer);
  pixels = g_malloc (3 * (gsize) *width * (gsize) *height);
  gegl_buffer_get (image->buffer, NULL, 1.0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return pixels;
}

/* The file at @path has the pixels that the panel saves for this image. */
static void
assert_result (const char *path, guint32 seed, GPtrArray *steps)
{
  g_autofree char *expected = g_build_filename (folder, "expected.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (expected);
  g_autoptr (GeglBuffer) image = make_image (WIDTH, HEIGHT, seed);
  g_autofree guint8 *a = NULL, *b = NULL;
  int width, height;

  g_assert_true (capra_save (file, image, steps, 8, NULL, NULL, NULL));
  a = load (expected, &width, &height);
  b = load (path, &width, &height);
  g_assert_cmpint (width, ==, WIDTH);
  g_assert_cmpint (height, ==, HEIGHT);
  g_assert_cmpmem (a, 3 * WIDTH * HEIGHT, b, 3 * WIDTH * HEIGHT);
  g_remove (expected);
}

static GtkWindow *
find_toplevel (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type))
        return window;
    }
  return NULL;
}

static void
click (gpointer root, const char *label)
{
  GtkWidget *button = shot_find_button (GTK_WIDGET (root), label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

/* Without the windows of an earlier test, which the application would open again. */
static CapraPanelApplication *
start (void)
{
  shot_remove (state_folder);
  g_mkdir (state_folder, 0700);
  return shot_start ();
}

static CapraPanelWindow *
open_panel (CapraPanelApplication *application)
{
  CapraPanelWindow *window = CAPRA_PANEL_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  g_autoptr (CapraStep) blur = capra_step_new ("capra:box-blur");

  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "apply-to-many"));
  capra_step_model_insert (capra_panel_window_get_pipeline (window), blur, -1);
  return window;
}

static CapraBatchWindow *
open_batch (CapraPanelWindow *window)
{
  gtk_widget_activate_action (GTK_WIDGET (window), "win.apply-to-many", NULL);
  SHOT_WAIT_FOR (find_toplevel (CAPRA_TYPE_BATCH_WINDOW));
  return CAPRA_BATCH_WINDOW (find_toplevel (CAPRA_TYPE_BATCH_WINDOW));
}

static void
add_folder (CapraBatchWindow *batch, const char *path, guint expected)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_list_store_append (files, file);
  capra_batch_window_add (batch, G_LIST_MODEL (files));
  SHOT_WAIT_FOR (g_list_model_get_n_items (capra_batch_window_get_items (batch)) == expected);
}

static gboolean
is_shown (gpointer window)
{
  return gtk_widget_get_visible (shot_find (GTK_WIDGET (window), CAPRA_TYPE_TASK_BUTTON));
}

/* The number of files in the folder, hidden ones too. */
static guint
count_files (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  return n;
}

/* A folder with images, a damaged one and a file that is none; then the same names again. */
static void
test_folder (void)
{
  g_autofree char *input = g_build_filename (folder, "in", NULL), *output = g_build_filename (folder, "out it's", NULL);
  g_autofree char *damaged = g_build_filename (input, "b damaged.png", NULL);
  g_autofree char *other = g_build_filename (input, "notes.txt", NULL);
  g_autofree char *first = g_build_filename (output, "a 0-capra.png", NULL);
  CapraPanelApplication *application = start ();
  CapraPanelWindow *window = open_panel (application);
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_panel_window_get_pipeline (window));
  CapraBatchWindow *batch = NULL;
  GListModel *items = NULL;
  g_autoptr (GFile) results = g_file_new_for_path (output);
  GtkWidget *list = NULL;

  g_mkdir (input, 0700);
  g_mkdir (output, 0700);
  for (guint i = 0; i < IMAGES; i++)
    {
      g_autofree char *name = g_strdup_printf ("in/%c %u.png", "aac"[i], i);
      g_autofree char *path = write_image (name, WIDTH, HEIGHT, i);
    }
  g_assert_true (g_file_set_contents (damaged, "\x89PNG, but no more", -1, NULL));
  g_assert_true (g_file_set_contents (other, "none", -1, NULL));

  batch = open_batch (window);
  items = capra_batch_window_get_items (batch);
  shot_take (GTK_WIDGET (batch), "batch-empty");
  add_folder (batch, input, IMAGES + 1);
  add_folder (batch, input, IMAGES + 1); /* not twice */
  capra_batch_window_set_output (batch, results);
  click (batch, "_Apply");
  g_assert_true (is_shown (batch));
  g_assert_true (is_shown (window));
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (batch), "3 results, 1 file failed"));
  g_assert_false (is_shown (window));
  shot_take (GTK_WIDGET (batch), "batch");
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);
      CapraBatchState state = capra_batch_item_get_state (item);

      g_assert_cmpint (state, ==, i == 2 ? CAPRA_BATCH_FAILED : CAPRA_BATCH_DONE);
      if (state == CAPRA_BATCH_FAILED)
        g_assert_nonnull (capra_batch_item_get_message (item));
      else
        assert_result (capra_batch_item_get_output (item), i == 3 ? 2 : i, steps);
    }
  g_assert_cmpuint (count_files (output), ==, IMAGES);

  g_assert_true (g_file_set_contents (first, "mine", -1, NULL)); /* no file is replaced unasked */
  click (batch, "_Apply");
  SHOT_WAIT_FOR (find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (find_toplevel (ADW_TYPE_MESSAGE_DIALOG)), "Replace 3 Files?"));
  click (find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "_Cancel");
  SHOT_WAIT_FOR (!find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  {
    g_autofree char *text = NULL;

    g_assert_true (g_file_get_contents (first, &text, NULL, NULL));
    g_assert_cmpstr (text, ==, "mine");
  }
  click (batch, "_Apply");
  SHOT_WAIT_FOR (find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  click (find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "_Replace");
  SHOT_WAIT_FOR (is_shown (batch));
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (batch), "3 results, 1 file failed"));
  assert_result (first, 0, steps);

  list = shot_find (GTK_WIDGET (batch), GTK_TYPE_LIST_VIEW);
  g_signal_emit_by_name (list, "activate", 2); /* it failed */
  g_signal_emit_by_name (list, "activate", 0);
  SHOT_WAIT_FOR (g_list_length (gtk_application_get_windows (GTK_APPLICATION (application))) == 3);
  window = CAPRA_PANEL_WINDOW (gtk_application_get_windows (GTK_APPLICATION (application))->data);
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  g_assert_nonnull (strstr (gtk_window_get_title (GTK_WINDOW (window)), "a 0-capra.png"));
  shot_quit (application);
}

/* White squares on black, of areas from 1 on. */
static char *
write_squares (const char *name, int count)
{
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), babl_format ("Y' u8"));
  const guint8 white[64] = { [0 ... 63] = 255 };
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  for (int i = 0; i < count; i++)
    gegl_buffer_set (image, GEGL_RECTANGLE (2 + 10 * i, 5, i + 1, i + 1), 0, babl_format ("Y' u8"), white,
                     GEGL_AUTO_ROWSTRIDE);
  g_assert_true (capra_save (file, image, none, 8, NULL, NULL, NULL));
  return path;
}

/* The first two columns of a table are the number and the area of each square. */
static void
assert_table (const char *path, guint squares)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, squares + 2); /* its header, and what follows its last line's end */
  g_assert_true (g_str_has_prefix (lines[0], "label,area,"));
  for (guint i = 1; i <= squares; i++)
    {
      g_autofree char *first = g_strdup_printf ("%u,%u,", i, i * i);

      g_assert_true (g_str_has_prefix (lines[i], first));
    }
}

/* Steps that measure write tables beside the results, which the window names before and opens after. */
static void
test_tables (void)
{
  static const char *const operations[] = { "capra:threshold", "capra:label", "capra:measure" };
  g_autofree char *one = write_squares ("one.png", 1), *four = write_squares ("it's four.png", 4);
  g_autofree char *table = g_build_filename (folder, "one-capra.csv", NULL);
  CapraPanelApplication *application = start ();
  CapraPanelWindow *window = open_panel (application);
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  CapraBatchWindow *batch = NULL;
  GListModel *items = NULL;
  const char *const inputs[] = { one, four };
  GtkWidget *note = NULL;

  batch = open_batch (window);
  items = capra_batch_window_get_items (batch);
  note = shot_find_label (GTK_WIDGET (batch), "table is written");
  g_assert_false (gtk_widget_get_visible (note));
  capra_step_model_remove (pipeline, capra_step_model_get_step (pipeline, 0));
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    shot_add_step (window, operations[i]);
  g_assert_true (gtk_widget_get_visible (note));
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    add_folder (batch, inputs[i], i + 1);
  g_assert_true (g_file_set_contents (table, "mine", -1, NULL)); /* no table is replaced unasked, either */
  click (batch, "_Apply");
  SHOT_WAIT_FOR (find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  g_assert_nonnull (shot_find_label (GTK_WIDGET (find_toplevel (ADW_TYPE_MESSAGE_DIALOG)), "Replace 1 File?"));
  click (find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "_Replace");
  SHOT_WAIT_FOR (is_shown (batch));
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (batch), "2 results, 2 tables"));
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      assert_table (capra_batch_item_get_table (item), i == 0 ? 1 : 4);
    }
  assert_table (table, 1);
  g_assert_nonnull (shot_find_label (GTK_WIDGET (batch), "→ one-capra.png, one-capra.csv"));
  g_assert_true (gtk_widget_get_mapped (shot_find_button (GTK_WIDGET (batch), "Open Table")));
  shot_take (GTK_WIDGET (batch), "batch-tables");
  shot_quit (application);
}

/* Results that were written stay, and nothing else. The window of the steps has been closed. */
static void
test_cancel (void)
{
  g_autofree char *input = g_build_filename (folder, "many", NULL), *output = g_build_filename (folder, "some", NULL);
  CapraPanelApplication *application = start ();
  CapraPanelWindow *window = open_panel (application);
  CapraBatchWindow *batch = NULL;
  GListModel *items = NULL;
  g_autoptr (GFile) results = g_file_new_for_path (output);
  g_autoptr (CapraBatchItem) second = NULL;
  g_autoptr (GVariant) uri = NULL;
  guint done = 0, left = 0;

  g_mkdir (input, 0700);
  g_mkdir (output, 0700);
  for (guint i = 0; i < MANY; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/%02u.png", i), *path = write_image (name, LARGE, LARGE, i);
    }
  batch = open_batch (window);
  items = capra_batch_window_get_items (batch);
  add_folder (batch, input, MANY);
  capra_batch_window_set_output (batch, results);
  capra_batch_window_set_names (batch, "{n}.png");
  click (batch, "_Apply");
  gtk_window_destroy (GTK_WINDOW (window));
  for (gboolean any = FALSE; !any;)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, 0);

      shot_rest (0.02);
      any = capra_batch_item_get_state (item) == CAPRA_BATCH_DONE;
    }
  g_assert_false (gtk_widget_get_sensitive (shot_find_icon (GTK_WIDGET (batch), "list-remove-symbolic")));
  second = g_list_model_get_item (items, 1);
  g_object_get (second, "uri", &uri, NULL);
  gtk_widget_activate_action_variant (GTK_WIDGET (batch), "batch.remove", uri); /* not while it is worked on */
  g_assert_cmpuint (g_list_model_get_n_items (items), ==, MANY);
  shot_take (GTK_WIDGET (batch), "batch-running");
  gtk_window_close (GTK_WINDOW (batch));
  SHOT_WAIT_FOR (find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  click (find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "C_ontinue");
  SHOT_WAIT_FOR (!find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  g_signal_emit_by_name (gtk_widget_get_last_child (shot_find (GTK_WIDGET (batch), CAPRA_TYPE_TASK_BUTTON)), "clicked");
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (batch), "not processed"));
  for (guint i = 0; i < MANY; i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);
      gboolean exists = g_file_test (capra_batch_item_get_output (item), G_FILE_TEST_EXISTS);

      done += exists;
      left += capra_batch_item_get_state (item) == CAPRA_BATCH_LEFT;
      if (capra_batch_item_get_state (item) == CAPRA_BATCH_DONE)
        g_assert_true (exists);
    }
  g_assert_cmpuint (left, >, 0);
  g_assert_cmpuint (count_files (output), ==, done); /* no journal, no temporary file */
  g_assert_true (gtk_widget_get_sensitive (shot_find_icon (GTK_WIDGET (batch), "list-remove-symbolic")));
  gtk_widget_activate_action_variant (GTK_WIDGET (batch), "batch.remove", uri);
  g_assert_cmpuint (g_list_model_get_n_items (items), ==, MANY - 1);
  shot_quit (application);
}

int
main (int argc, char **argv)
{
  g_autofree char *programs = g_path_get_dirname (g_getenv ("CAPRA_PROGRAM"));
  g_autofree char *path = g_strdup_printf ("%s:%s", programs, g_getenv ("PATH"));
  int status = 0;

  folder = g_dir_make_tmp ("capra-batch-XXXXXX", NULL);
  state_folder = g_dir_make_tmp ("capra-state-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state_folder, TRUE);
  g_setenv ("PATH", path, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/batch/folder", test_folder);
  g_test_add_func ("/panel/batch/tables", test_tables);
  g_test_add_func ("/panel/batch/cancel", test_cancel);
  status = g_test_run ();
  shot_remove (folder);
  shot_remove (state_folder);
  g_free (folder);
  g_free (state_folder);
  return status;
}
