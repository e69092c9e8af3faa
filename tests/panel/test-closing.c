/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closing the panel while it saves, and restoring its windows at the next start. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/panel/window/application.h"
#include "ui/pipeline/read/image-file.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/write/save.h"
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

static void
add_step (CapraPanelWindow *window, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
}

/* A window that is saving a file. */
static CapraPanelWindow *
begin_saving (GtkApplication *application, const char *name)
{
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (GFile) file = get_file (name);
  CapraPanelWindow *window = capra_panel_window_new (application, image, "noise", NULL, NULL);

  gtk_window_present (GTK_WINDOW (window));
  add_step (window, "gegl:invert-gamma");
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

static CapraPanelApplication *
start (void)
{
  CapraPanelApplication *application = capra_panel_application_new ();

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_application_activate (G_APPLICATION (application));
  return application;
}

static CapraPanelWindow *
get_window (CapraPanelApplication *application, guint n)
{
  return g_list_nth_data (gtk_application_get_windows (GTK_APPLICATION (application)), n);
}

static guint
count_windows (CapraPanelApplication *application)
{
  return g_list_length (gtk_application_get_windows (GTK_APPLICATION (application)));
}

static void
quit (CapraPanelApplication *application)
{
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  SHOT_WAIT_FOR (count_windows (application) == 0);
  capra_preview_wait_for_workers ();
  g_object_unref (application);
}

/* Signals, as at the end of a session or when a terminal is closed. */
static void
test_signal (void)
{
  CapraPanelApplication *application = start ();

  begin_saving (GTK_APPLICATION (application), "signaled.png");
  capra_panel_application_handle_signals (application);
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  SHOT_WAIT_FOR (count_windows (application) == 0);
  assert_complete ("signaled.png");
  begin_saving (GTK_APPLICATION (application), "twice.png");
  g_assert_cmpint (kill (getpid (), SIGTERM), ==, 0);
  SHOT_WAIT_FOR (count_windows (application) == 1);
  shot_rest (0.1);
  g_assert_cmpint (kill (getpid (), SIGHUP), ==, 0);
  quit (application);
}

static char *
get_steps (CapraPanelWindow *window)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_panel_window_get_pipeline (window));

  return capra_steps_to_command (steps);
}

static char *
get_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "capra", "panel.ini", NULL);
}

/* The window whose steps are these. */
static CapraPanelWindow *
find_window (CapraPanelApplication *application, const char *wanted)
{
  for (guint i = 0; i < count_windows (application); i++)
    {
      g_autofree char *steps = get_steps (get_window (application, i));

      if (g_str_equal (steps, wanted))
        return get_window (application, i);
    }
  g_error ("no window has the steps “%s”", wanted);
}

static void
test_restore (void)
{
  g_autofree char *path = get_path ();
  g_autoptr (GFile) file = get_file ("restored.png");
  g_autoptr (GeglBuffer) image = make_image ();
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  CapraPanelApplication *application = NULL;
  CapraPanelWindow *window = NULL;

  g_assert_true (capra_save (file, image, none, 8, NULL, NULL, NULL));
  g_remove (path);
  application = start ();
  g_assert_cmpuint (count_windows (application), ==, 1);
  window = get_window (application, 0);
  capra_panel_window_open (window, file);
  add_step (window, "gegl:invert-gamma");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  g_assert_cmpuint (count_windows (application), ==, 2);
  add_step (get_window (application, 0), "gegl:gaussian-blur");
  add_step (get_window (application, 0), "gegl:invert-linear");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  gtk_window_close (GTK_WINDOW (get_window (application, 0))); /* it is empty, so it is not restored */
  /* Closed alone, but its steps are not saved. */
  gtk_window_close (GTK_WINDOW (find_window (application, "gegl:gaussian-blur gegl:invert-linear")));
  quit (application);

  application = start ();
  g_assert_cmpuint (count_windows (application), ==, 2);
  window = find_window (application, "gegl:invert-gamma");
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  g_assert_null (capra_panel_window_get_preview (find_window (application, "gegl:gaussian-blur gegl:invert-linear")));
  quit (application);
}

/* An invalid state file, invalid XML, a missing image, a crash, and a state file that is a pipe. */
static void
test_damaged (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
    { "\x01\x02 nonsense", "cannot be restored" },
    { "[window 0]\nsteps=<gegl><node\n", "The steps of the last session cannot be restored" },
    { "[window 0]\nimage=file:///nowhere/image.png\n", "could not be opened" },
    { "[session]\nreads=2\n[window 0]\nsteps=<gegl/>\n", "ended twice" },
    { NULL, "cannot be restored" },
  };
  g_autofree char *path = get_path ();
  g_autofree char *aside = g_strconcat (path, ".unused", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CapraPanelApplication *application = NULL;

      g_remove (path);
      g_remove (aside);
      if (cases[i].text)
        g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      else
        g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      application = start ();
      g_assert_cmpuint (count_windows (application), ==, 1);
      SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (get_window (application, 0)), cases[i].message));
      quit (application);
    }
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
}

/* Of two instances without a common bus, only the first one uses the state file. */
static void
test_lock (void)
{
  g_autofree char *path = get_path ();
  CapraPanelApplication *first = NULL, *second = NULL;

  g_remove (path);
  first = start ();
  second = start ();
  add_step (get_window (second, 0), "gegl:invert-gamma");
  quit (second);
  quit (first);
  first = start ();
  g_assert_cmpuint (count_windows (first), ==, 1);
  g_assert_cmpuint (capra_step_model_get_length (capra_panel_window_get_pipeline (get_window (first, 0))), ==, 0);
  quit (first);
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
  g_test_add_func ("/panel/closing/restore", test_restore);
  g_test_add_func ("/panel/closing/damaged", test_damaged);
  g_test_add_func ("/panel/closing/lock", test_lock);
  status = g_test_run ();
  shot_remove (folder);
  shot_remove (state);
  g_free (folder);
  return status;
}
