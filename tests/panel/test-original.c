/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The original image of a saved result: named in the file, found again, and opened with the steps only when asked. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/message-bar.h"
#include "ui/panel/window/steps-offer.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/read/original.h"
#include "ui/pipeline/read/png-chunks.h"
#include "ui/pipeline/write/save.h"

#define WIDTH 97
#define HEIGHT 61

static char *folder;

static GFile *
get_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_new_for_path (path);
}

static GPtrArray *
make_invert (void)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps,
                   capra_step_new (gegl_has_operation ("capra:box-blur") ? "capra:box-blur" : "gegl:invert-gamma"));
  return steps;
}

/* Saves an image, and the result of a step that was applied to it. @mark: whether the image is known to be of a file */
static void
make_files (const char *name, const char *result, gboolean mark)
{
  g_autoptr (GFile) original = get_file (name), saved = get_file (result);
  g_autoptr (GPtrArray) none = g_ptr_array_new_with_free_func (g_object_unref), steps = make_invert ();
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autoptr (GError) error = NULL;

  g_assert_true (capra_save (original, image, none, 8, NULL, NULL, &error));
  g_assert_no_error (error);
  if (mark)
    capra_original_mark (image, original, NULL, 0, g_get_real_time () + 10 * G_USEC_PER_SEC);
  g_assert_true (capra_save (saved, image, steps, 8, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
assert_found (const char *result, CapraOriginalState state, const char *where)
{
  g_autoptr (GFile) file = get_file (result), expected = where ? get_file (where) : NULL;
  g_autoptr (CapraOriginal) original = capra_original_find (file);

  g_assert_cmpint (original->state, ==, state);
  g_assert_true (!expected == !original->file);
  g_assert_true (!expected || g_file_equal (expected, original->file));
  /* A chosen file is compared with the hash, wherever it is. */
  g_assert_true (!original->hash == (state == CAPRA_ORIGINAL_UNKNOWN));
  g_assert_true (state != CAPRA_ORIGINAL_FOUND || capra_original_is (original, original->file));
  g_assert_true (state != CAPRA_ORIGINAL_FOUND || !capra_original_is (original, file));
  g_assert_true (state != CAPRA_ORIGINAL_CHANGED || !capra_original_is (original, original->file));
}

static void
test_find (void)
{
  g_autoptr (GFile) first = get_file ("one.png"), result = get_file ("result.png");
  g_autofree char *inner = g_build_filename (folder, "moved", NULL);
  g_autoptr (GFile) moved = get_file ("moved/one.png"), moved_result = get_file ("moved/result.png");

  make_files ("one.png", "unmarked.png", FALSE);
  assert_found ("unmarked.png", CAPRA_ORIGINAL_UNKNOWN, NULL);
  make_files ("one.png", "result.png", TRUE);
  assert_found ("result.png", CAPRA_ORIGINAL_FOUND, "one.png");
  assert_found ("one.png", CAPRA_ORIGINAL_UNKNOWN, NULL);

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_assert_true (g_file_move (first, moved, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  assert_found ("result.png", CAPRA_ORIGINAL_MISSING, NULL);
  g_assert_true (g_file_move (result, moved_result, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  assert_found ("moved/result.png", CAPRA_ORIGINAL_FOUND, "moved/one.png");
  g_assert_true (g_file_replace_contents (moved, "other", 5, NULL, FALSE, 0, NULL, NULL, NULL));
  assert_found ("moved/result.png", CAPRA_ORIGINAL_CHANGED, "moved/one.png");
}

/* A result that has replaced its original is not the original. An image whose file has changed since names none. */
static void
test_replaced (void)
{
  g_autoptr (GFile) file = get_file ("same.png");
  g_autoptr (GeglBuffer) image = steps_make_image (WIDTH, HEIGHT, "R'G'B' u8");
  g_autofree char *text = NULL;

  make_files ("same.png", "same.png", TRUE);
  assert_found ("same.png", CAPRA_ORIGINAL_MISSING, NULL);
  capra_original_mark (image, file, NULL, 0, g_get_real_time () + 10 * G_USEC_PER_SEC);
  g_assert_true (g_file_replace_contents (file, "other", 5, NULL, FALSE, 0, NULL, NULL, NULL));
  text = capra_original_describe (image);
  g_assert_null (text);
}

/* The timings in a file are those of its own render: the second one has as many commands as the first. */
static void
test_timings (void)
{
  gint64 counts[2] = { 0 };

  g_assert_true (gegl_has_operation ("capra:box-blur"));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (folder, "timed.png", NULL), *text = NULL;
      g_autoptr (JsonNode) root = NULL;
      JsonObject *report = NULL, *parts = NULL;
      JsonArray *timings = NULL;

      make_files ("source.png", "timed.png", FALSE);
      text = capra_png_find_text (path, "capra:timings");
      g_assert_nonnull (text);
      root = json_from_string (text, NULL);
      report = json_node_get_object (root);
      timings = json_object_get_array_member (report, "timings");
      parts = json_object_get_object_member (report, "parts");
      for (guint k = 0; k < json_array_get_length (timings); k++)
        counts[i] += json_object_get_int_member (json_array_get_object_element (timings, k), "count");
      g_assert_cmpfloat (json_object_get_double_member (parts, "kernels"), >, 0.0);
      g_assert_cmpfloat (json_object_get_double_member (parts, "transfers"), >, 0.0);
      g_assert_cmpfloat (json_object_get_double_member (parts, "wall"), >=,
                         json_object_get_double_member (parts, "host"));
    }
  g_assert_cmpint (counts[0], >, 2);
  g_assert_cmpint (counts[1], ==, counts[0]);
}

/* Nothing happens to the result unasked; the original is opened with the steps that made the result. */
static void
test_window (void)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  CapraStepModel *pipeline = capra_panel_window_get_pipeline (window);
  g_autoptr (GFile) result = get_file ("made.png");
  GtkWidget *button = NULL;

  make_files ("source.png", "made.png", TRUE);
  gtk_window_present (GTK_WINDOW (window));
  capra_document_open (capra_panel_window_get_document (window), result);
  SHOT_WAIT_FOR (shot_shows (window, "made with Capra from “source.png”."));
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 0);
  shot_take (GTK_WIDGET (window), "original");
  button = shot_find_button (GTK_WIDGET (window), "Open Original with Steps");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  SHOT_WAIT_FOR (capra_step_model_get_length (pipeline) == 1);
  SHOT_WAIT_FOR (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (window)), "source.png"));

  /* The window has these very steps now. */
  capra_document_open (capra_panel_window_get_document (window), result);
  SHOT_WAIT_FOR (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (window)), "made.png"));
  SHOT_WAIT_FOR (capra_step_model_get_length (pipeline) == 0);
  g_assert_true (shot_shows (window, "made with Capra from “source.png”."));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.undo", NULL);
  g_assert_cmpuint (capra_step_model_get_length (pipeline), ==, 1);
  shot_close (GTK_WIDGET (window));
}

static gboolean
offers_original (CapraPanelWindow *window)
{
  GtkWidget *bar = gtk_widget_get_last_child (shot_find (GTK_WIDGET (window), CAPRA_TYPE_MESSAGE_BAR));

  return gtk_info_bar_get_revealed (GTK_INFO_BAR (bar)) && shot_find_label (bar, "made with Capra");
}

/* Errors, and files that cannot be opened, leave the offer; another image ends it. */
static void
test_errors (void)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, NULL, NULL, NULL, NULL);
  g_autoptr (GFile) original = get_file ("lost.png"), result = get_file ("kept.png"), other = get_file ("other.png");
  GtkWidget *errors = gtk_widget_get_first_child (shot_find (GTK_WIDGET (window), CAPRA_TYPE_MESSAGE_BAR));

  make_files ("lost.png", "kept.png", TRUE);
  make_files ("other.png", "unused.png", FALSE);
  gtk_window_present (GTK_WINDOW (window));
  capra_document_open (capra_panel_window_get_document (window), result);
  SHOT_WAIT_FOR (offers_original (window));
  capra_panel_window_show_error (window, "The clipboard contains no text");
  g_assert_true (gtk_info_bar_get_revealed (GTK_INFO_BAR (errors)));
  g_assert_true (offers_original (window));
  shot_take (GTK_WIDGET (window), "original-error");
  g_signal_emit_by_name (errors, "response", GTK_RESPONSE_CLOSE);
  g_assert_false (gtk_info_bar_get_revealed (GTK_INFO_BAR (errors)));
  g_assert_true (offers_original (window));

  g_assert_true (g_file_replace_contents (original, "none", 4, NULL, FALSE, 0, NULL, NULL, NULL));
  g_signal_emit_by_name (shot_find_button (GTK_WIDGET (window), "Open Original with Steps"), "clicked");
  SHOT_WAIT_FOR (gtk_info_bar_get_revealed (GTK_INFO_BAR (errors)));
  g_assert_true (offers_original (window));
  g_assert_cmpuint (capra_step_model_get_length (capra_panel_window_get_pipeline (window)), ==, 0);

  capra_document_open (capra_panel_window_get_document (window), other);
  SHOT_WAIT_FOR (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (window)), "other.png"));
  g_assert_false (offers_original (window));
  g_assert_false (gtk_info_bar_get_revealed (GTK_INFO_BAR (errors)));
  shot_close (GTK_WIDGET (window));
}

static void
count (guint *notices)
{
  (*notices)++;
}

/* A chosen file is compared in a thread, which may end after the window. */
static void
test_chosen (void)
{
  g_autoptr (GFile) result = get_file ("chosen.png"), original = get_file ("right.png"), other = get_file ("wrong.png");
  guint notices = 0;

  make_files ("right.png", "chosen.png", TRUE);
  make_files ("wrong.png", "unused.png", FALSE);
  g_assert_true (g_file_copy (result, other, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
  for (guint i = 0; i < 3; i++)
    {
      CapraMessageBar *bar = g_object_new (CAPRA_TYPE_MESSAGE_BAR, NULL);
      GtkWidget *window = shot_window (GTK_WIDGET (bar), 600, 200);
      g_autoptr (CapraDocument) document = capra_document_new ();
      g_autoptr (CapraStepsOffer) offer = capra_steps_offer_new (document, bar);

      g_signal_connect_swapped (document, "notice", G_CALLBACK (count), &notices);
      capra_document_open (document, result);
      SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (bar), "made with Capra from “right.png”."));
      capra_steps_offer_open (offer, i == 0 ? original : other);
      g_assert_cmpuint (notices, ==, i > 1); /* nothing is known yet */
      if (i == 2)                            /* closed meanwhile */
        gtk_window_destroy (GTK_WINDOW (window));
      SHOT_WAIT_FOR (G_OBJECT (offer)->ref_count == 1); /* compared */
      g_assert_cmpuint (notices, ==, i > 0);
      SHOT_WAIT_FOR (!g_file_equal (capra_document_get_file (document), result));
      if (i < 2)
        gtk_window_destroy (GTK_WINDOW (window));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  folder = g_dir_make_tmp ("capra-original-XXXXXX", NULL);
  g_test_add_func ("/original/find", test_find);
  g_test_add_func ("/original/replaced", test_replaced);
  g_test_add_func ("/original/timings", test_timings);
  g_test_add_func ("/original/window", test_window);
  g_test_add_func ("/original/errors", test_errors);
  g_test_add_func ("/original/chosen", test_chosen);
  status = g_test_run ();
  shot_remove (folder);
  g_free (folder);
  return status;
}
