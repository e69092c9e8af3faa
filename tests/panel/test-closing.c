/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closing the panel while it saves. */
#include <gegl.h>
#include <signal.h>
#include <unistd.h>

#include "ui/panel/window/application.h"
#include "ui/pipeline/read/image-file.h"
#include "tests/panel/shot.h"
#include "ui/panel/window/window.h"

#define SIZE 1500

static char *folder;

static GFile *
get_file (const char *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

/* Noise, which takes long to write as a PNG. */
static GeglBuffer *
make_image (void)
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, SIZE, SIZE), babl_format ("R'G'B' u8"));
  g_autofree guint8 *pixels = g_malloc (3 * SIZE * SIZE);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < 3 * SIZE * SIZE; i++)
    pixels[i] = (guint8) g_rand_int (random);
  gegl_buffer_set (buffer, NULL, 0, babl_format ("R'G'B' u8"), pixels, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* A window that is saving a file. */
static CapraPanelWindow *
begin_saving (GtkApplication *application, const char *name)
{
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (GFile) file = get_file (name);
  CapraPanelWindow *window = capra_panel_window_new (application, image, "noise", NULL, NULL);

  gtk_window_present (GTK_WINDOW (window));
  shot_add_step (window, "gegl:invert-gamma");
  capra_panel_window_save (window, file, 16);
  return window;
}

static AdwMessageDialog *
find_question (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        return ADW_MESSAGE_DIALOG (window);
    }
  return NULL;
}

/* Closes the window and answers its question with the button labeled @answer; NULL closes the question. */
static void
close_and_answer (CapraPanelWindow *window, const char *answer)
{
  GtkWidget *button = NULL;

  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (find_question ());
  gtk_window_close (GTK_WINDOW (window)); /* no second question */
  if (answer)
    {
      button = shot_find_button (GTK_WIDGET (find_question ()), answer);
      g_assert_nonnull (button);
      g_signal_emit_by_name (button, "clicked");
    }
  else
    gtk_window_close (GTK_WINDOW (find_question ()));
  SHOT_WAIT_FOR (!find_question ());
}

static void
assert_complete (const char *name)
{
  g_autoptr (GFile) file = get_file (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_image_load (file, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gegl_buffer_get_width (image->buffer), ==, SIZE);
  g_assert_cmpint (gegl_buffer_get_height (image->buffer), ==, SIZE);
}

/* Counts hidden files, too. */
static void
assert_left (guint files)
{
  g_autoptr (GDir) open = g_dir_open (folder, 0, NULL);
  guint count = 0;

  while (g_dir_read_name (open))
    count++;
  g_assert_cmpuint (count, ==, files);
}

static void
test_wait (void)
{
  CapraPanelWindow *window = begin_saving (NULL, "waited.png");

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  close_and_answer (window, "_Wait");
  SHOT_WAIT_FOR (!window);
  assert_complete ("waited.png");
  assert_left (1);
  capra_preview_wait_for_workers ();
}

static void
test_cancel (void)
{
  CapraPanelWindow *window = begin_saving (NULL, "canceled.png");

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  close_and_answer (window, "_Cancel Saving");
  SHOT_WAIT_FOR (!window);
  assert_left (1);
  capra_preview_wait_for_workers ();
}

/* If the question is closed without an answer, the window stays open. */
static void
test_stay (void)
{
  CapraPanelWindow *window = begin_saving (NULL, "stayed.png");

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  close_and_answer (window, NULL);
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "Saved as"));
  g_assert_nonnull (window);
  assert_complete ("stayed.png");
  gtk_window_close (GTK_WINDOW (window));
  SHOT_WAIT_FOR (!window);
  capra_preview_wait_for_workers ();
}

/* An error message keeps the window open. */
static void
test_failure (void)
{
  CapraPanelWindow *window = begin_saving (NULL, "nowhere/x.png");

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  close_and_answer (window, "_Wait");
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "could not be saved"));
  gtk_window_close (GTK_WINDOW (window));
  SHOT_WAIT_FOR (!window);
  capra_preview_wait_for_workers ();
}

/* Signals, as at the end of a session or when a terminal is closed. */
static void
test_signal (void)
{
  CapraPanelApplication *application = shot_start ();

  begin_saving (GTK_APPLICATION (application), "signaled.png");
  capra_panel_application_handle_signals (application);
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  SHOT_WAIT_FOR (shot_count_windows (application) == 0);
  assert_complete ("signaled.png");
  begin_saving (GTK_APPLICATION (application), "twice.png");
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  SHOT_WAIT_FOR (shot_count_windows (application) == 1);
  shot_rest (0.1);
  g_assert_cmpint (kill (getpid (), SIGHUP), ==, 0);
  shot_quit (application);
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;
  int status = 0;

  folder = g_dir_make_tmp ("capra-closing-XXXXXX", NULL);
  state = g_dir_make_tmp ("capra-state-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/closing/wait", test_wait);
  g_test_add_func ("/panel/closing/cancel", test_cancel);
  g_test_add_func ("/panel/closing/stay", test_stay);
  g_test_add_func ("/panel/closing/failure", test_failure);
  g_test_add_func ("/panel/closing/signal", test_signal);
  status = g_test_run ();
  shot_remove (folder);
  shot_remove (state);
  g_free (folder);
  return status;
}
