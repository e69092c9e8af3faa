/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and windows of an earlier session: kept when the panel is closed or killed, and offered at the next start. */
#include <gegl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/panel/shot.h"
#include "ui/panel/window/application.h"
#include "ui/panel/window/state-file.h"
#include "ui/panel/window/kept-bar.h"
#include "ui/panel/window/window.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/write/save.h"

#define KEPT "The steps of the last session were kept"
#define INVERT "[window 0]\nsteps=<gegl>\\n<node operation=\"gegl:invert-gamma\"/>\\n</gegl>\n"

static char *folder;

/* An image file. */
static GFile *
make_file (const char *name)
{
  GFile *file = g_file_new_build_filename (folder, name, NULL);
  g_autoptr (GeglBuffer) image = gegl_buffer_new (GEGL_RECTANGLE (0, 0, 40, 30), babl_format ("R'G'B' u8"));
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  g_assert_true (capra_save (file, image, none, 8, NULL, NULL, NULL));
  return file;
}

static char *
get_steps (CapraPanelWindow *window)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_panel_window_get_pipeline (window));

  return capra_steps_to_command (steps);
}

static void
assert_steps (CapraPanelWindow *window, const char *expected)
{
  g_autofree char *steps = get_steps (window);

  g_assert_cmpstr (steps, ==, expected);
}

static char *
get_path (const char *name)
{
  return g_build_filename (g_get_user_state_dir (), "capra", name, NULL);
}

static void
forget (void)
{
  g_autofree char *path = get_path ("panel.ini"), *other = get_path ("panel-2.ini");

  g_remove (path);
  g_remove (other);
}

/* An application without windows. */
static CapraPanelApplication *
make_application (void)
{
  CapraPanelApplication *application = capra_panel_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  return application;
}

static CapraPanelApplication *
start (void)
{
  CapraPanelApplication *application = make_application ();

  g_application_activate (G_APPLICATION (application));
  return application;
}

static CapraPanelWindow *
get_window (CapraPanelApplication *application, guint n)
{
  return g_list_nth_data (gtk_application_get_windows (GTK_APPLICATION (application)), n);
}

/* Whether the bar of the window shows this. */
static gboolean
offers (CapraPanelWindow *window, const char *text)
{
  GtkWidget *bar = shot_find (GTK_WIDGET (window), CAPRA_TYPE_KEPT_BAR);

  return gtk_info_bar_get_revealed (GTK_INFO_BAR (shot_find (bar, GTK_TYPE_INFO_BAR))) && shot_find_label (bar, text);
}

static void
click (CapraPanelWindow *window, const char *label)
{
  GtkWidget *button = shot_find_button (shot_find (GTK_WIDGET (window), CAPRA_TYPE_KEPT_BAR), label);

  g_assert_nonnull (button);
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
}

/* The bar slides in. */
static void
wait_for_bar (CapraPanelWindow *window)
{
  GtkWidget *bar = shot_find (GTK_WIDGET (window), CAPRA_TYPE_KEPT_BAR);

  SHOT_WAIT_FOR (gtk_widget_get_mapped (bar) && gtk_widget_get_height (bar) > 30);
}

/* The window whose kept steps contain @text. */
static CapraPanelWindow *
find_kept (CapraPanelApplication *application, const char *text)
{
  for (guint i = 0; i < shot_count_windows (application); i++)
    {
      CapraPanelWindow *window = get_window (application, i);
      const char *steps = capra_kept_bar_get_steps (CAPRA_KEPT_BAR (shot_find (GTK_WIDGET (window), //
                                                                               CAPRA_TYPE_KEPT_BAR)));

      if (steps && strstr (steps, text))
        return window;
    }
  g_error ("no window offers steps with “%s”", text);
}

/* Two windows with steps and an empty one. */
static void
test_restored (void)
{
  g_autoptr (GFile) file = make_file ("restored.png");
  CapraPanelApplication *application = NULL;
  CapraPanelWindow *window = NULL;

  forget ();
  application = start ();
  g_assert_cmpuint (shot_count_windows (application), ==, 1);
  window = get_window (application, 0);
  capra_document_open (capra_panel_window_get_document (window), file);
  shot_add_step (window, "gegl:invert-gamma");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  window = get_window (application, 0);
  shot_add_step (window, "gegl:gaussian-blur");
  shot_add_step (window, "gegl:invert-linear");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  gtk_window_close (GTK_WINDOW (get_window (application, 0))); /* it is empty, so it is not restored */
  gtk_window_close (GTK_WINDOW (window));                      /* closed alone, but its steps are not saved */
  shot_quit (application);

  application = start ();
  g_assert_cmpuint (shot_count_windows (application), ==, 2);
  window = find_kept (application, "gaussian-blur");
  g_assert_null (capra_panel_window_get_preview (window));
  assert_steps (window, "");
  g_assert_true (offers (window, KEPT));
  click (window, "_Restore Steps");
  assert_steps (window, "gegl:gaussian-blur gegl:invert-linear");
  g_assert_false (offers (window, ""));
  capra_step_model_undo (capra_panel_window_get_pipeline (window));
  assert_steps (window, "");

  window = find_kept (application, "invert-gamma");
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  assert_steps (window, "");
  wait_for_bar (window);
  shot_rest (1.0);
  shot_assert_mnemonics (GTK_WIDGET (window));
  shot_take (GTK_WIDGET (window), "kept");
  click (window, "_Discard");
  assert_steps (window, "");
  shot_quit (application);
  application = start ();
  g_assert_cmpuint (shot_count_windows (application), ==, 1); /* the image of the second window */
  assert_steps (get_window (application, 0), "");
  g_assert_false (offers (get_window (application, 0), ""));
  shot_quit (application);
}

/* An offer that is not answered is made again, also if there are other steps then. */
static void
test_unanswered (void)
{
  CapraPanelApplication *application = NULL;

  forget ();
  application = start ();
  shot_add_step (get_window (application, 0), "gegl:invert-gamma");
  shot_quit (application);
  for (int i = 0; i < 2; i++)
    {
      application = start ();
      g_assert_cmpuint (shot_count_windows (application), ==, 1);
      g_assert_true (offers (get_window (application, 0), KEPT));
      if (i > 0)
        shot_add_step (get_window (application, 0), "gegl:gaussian-blur");
      shot_quit (application);
    }
  application = start ();
  g_assert_cmpuint (shot_count_windows (application), ==, 2);
  g_assert_nonnull (find_kept (application, "invert-gamma"));
  g_assert_nonnull (find_kept (application, "gaussian-blur"));
  shot_quit (application);
}

/* The process that is killed. */
static void
test_killed_process (void)
{
  g_autofree char *path = get_path ("panel.ini");
  CapraPanelApplication *application = start ();
  gboolean written = FALSE;

  shot_add_step (get_window (application, 0), "gegl:invert-gamma");
  while (!written)
    {
      g_autofree char *text = NULL;

      shot_rest (0.1);
      written = g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "invert-gamma");
    }
  kill (getpid (), SIGKILL);
}

static void
test_killed (void)
{
  CapraPanelApplication *application = NULL;

  forget ();
  g_test_trap_subprocess ("/panel/kept/killed/subprocess", SHOT_TIMEOUT, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  application = start ();
  g_assert_true (offers (get_window (application, 0), KEPT));
  click (get_window (application, 0), "_Restore Steps");
  assert_steps (get_window (application, 0), "gegl:invert-gamma");
  shot_quit (application);
}

/* The window that was opened last has the steps, and does not offer them. */
static void
assert_reopened (CapraPanelApplication *application, const char *steps)
{
  CapraPanelWindow *window = get_window (application, 0);

  assert_steps (window, steps);
  g_assert_false (offers (window, ""));
}

/* A start with a file offers the steps of that file, then the windows of others, which are reopened with their steps.
 */
static void
test_opened (void)
{
  GFile *files[] = { make_file ("opened.png") };
  CapraPanelApplication *application = NULL;
  CapraPanelWindow *window = NULL;

  forget ();
  application = start ();
  capra_document_open (capra_panel_window_get_document (get_window (application, 0)), files[0]);
  shot_add_step (get_window (application, 0), "gegl:invert-gamma");
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  shot_add_step (get_window (application, 0), "gegl:gaussian-blur");
  shot_quit (application);

  application = make_application ();
  g_application_open (G_APPLICATION (application), files, 1, "");
  g_assert_cmpuint (shot_count_windows (application), ==, 1);
  window = get_window (application, 0);
  SHOT_WAIT_FOR (capra_panel_window_get_preview (window) != NULL);
  assert_steps (window, "");
  g_assert_true (offers (window, KEPT));
  click (window, "_Restore Steps");
  assert_steps (window, "gegl:invert-gamma");
  g_assert_true (offers (window, "1 window of the last session"));
  wait_for_bar (window);
  shot_rest (1.0);
  shot_assert_mnemonics (GTK_WIDGET (window));
  shot_take (GTK_WIDGET (window), "kept-windows");
  click (window, "_Reopen Windows");
  g_assert_cmpuint (shot_count_windows (application), ==, 2);
  g_assert_false (offers (window, ""));
  assert_reopened (application, "gegl:gaussian-blur");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (application), "reopen-windows"));

  gtk_window_close (GTK_WINDOW (window)); /* its steps are not saved: it can be opened again at once */
  SHOT_WAIT_FOR (shot_count_windows (application) == 1);
  g_action_group_activate_action (G_ACTION_GROUP (application), "reopen-windows", NULL);
  g_assert_cmpuint (shot_count_windows (application), ==, 2);
  assert_reopened (application, "gegl:invert-gamma");
  shot_quit (application);
  g_object_unref (files[0]);
}

/* An invalid state file, invalid XML, an unknown operation, a missing image, a crash, and a state file that is a pipe.
 */
static void
test_damaged (void)
{
  static const struct {
    const char *text, *message;
    gboolean kept;
  } cases[] = {
    { "\x01\x02 nonsense", "cannot be restored" },
    { "[window 0]\nsteps=<gegl><node\n", "The steps of the last session cannot be restored", TRUE },
    { "[window 0]\nsteps=<gegl><node operation=\"no:such\"/></gegl>\n", "no:such", TRUE },
    { "[window 0]\nimage=file:///nowhere/image.png\n", "could not be opened" },
    { "[session]\nreads=2\n[window 0]\nsteps=<gegl/>\n", "ended twice" },
    { NULL, "cannot be restored" },
  };
  g_autofree char *path = get_path ("panel.ini");
  g_autofree char *aside = g_strconcat (path, ".unused", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CapraPanelApplication *application = NULL;

      forget ();
      g_remove (aside);
      if (cases[i].text)
        g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      else
        g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      for (int again = 0; again <= cases[i].kept; again++) /* steps that cannot be read are not lost */
        {
          application = start ();
          g_assert_cmpuint (shot_count_windows (application), ==, 1);
          SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (get_window (application, 0)), cases[i].message));
          shot_quit (application);
        }
    }
  g_assert_true (g_file_test (aside, G_FILE_TEST_EXISTS));
}

/* Of two processes without a common bus, each has a state file; the next one takes over that of the other. */
static void
test_two_processes (void)
{
  g_autofree char *path = get_path ("panel.ini"), *other = get_path ("panel-2.ini"), *text = NULL;
  CapraPanelApplication *first = NULL, *second = NULL;

  forget ();
  first = start ();
  second = start ();
  shot_add_step (get_window (first, 0), "gegl:gaussian-blur");
  shot_add_step (get_window (second, 0), "gegl:invert-gamma");
  shot_quit (second);
  shot_quit (first);
  first = start ();
  g_assert_cmpuint (shot_count_windows (first), ==, 2);
  g_assert_nonnull (find_kept (first, "gaussian-blur"));
  g_assert_nonnull (find_kept (first, "invert-gamma"));
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "invert-gamma"));
  second = start (); /* the first one still runs */
  g_assert_cmpuint (shot_count_windows (second), ==, 1);
  assert_steps (get_window (second, 0), "");
  shot_quit (second);
  shot_quit (first);
}

/* A state file from before steps were offered. */
static void
test_old_file (void)
{
  g_autofree char *path = get_path ("panel.ini");
  CapraPanelApplication *application = NULL;

  forget ();
  g_assert_true (g_file_set_contents (path, INVERT, -1, NULL));
  application = start ();
  g_assert_true (offers (get_window (application, 0), KEPT));
  assert_steps (get_window (application, 0), "");
  shot_quit (application);
}

/* Steps that cannot be kept are not lost without a message: what is in the place of the file is a folder. */
static void
test_unwritable (void)
{
  g_autofree char *path = get_path ("panel.ini"), *folder_of_states = g_path_get_dirname (path);
  CapraPanelApplication *application = NULL;
  CapraPanelWindow *window = NULL;

  forget ();
  application = start ();
  window = get_window (application, 0);
  g_remove (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  shot_add_step (window, "gegl:invert-gamma");
  SHOT_WAIT_FOR (shot_find_label (GTK_WIDGET (window), "Windows and steps are not kept"));
  g_assert_cmpint (g_rmdir (path), ==, 0);
  shot_add_step (window, "gegl:invert-gamma");
  SHOT_WAIT_FOR (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  shot_quit (application);

  shot_remove (folder_of_states);
  g_assert_true (g_file_set_contents (folder_of_states, "", 0, NULL)); /* in the place of the folder */
  application = start ();
  g_assert_nonnull (shot_find_label (GTK_WIDGET (get_window (application, 0)), "Windows and steps are not kept"));
  shot_quit (application);
  g_assert_cmpint (g_remove (folder_of_states), ==, 0);
}

static void
free_state (gpointer state)
{
  capra_window_state_free (state);
}

/* Many windows without steps leave those with steps. */
static void
test_limit (void)
{
  g_autoptr (GPtrArray) states = g_ptr_array_new_with_free_func (free_state);
  guint with_steps = 0;

  for (guint i = 0; i < 100; i++)
    {
      CapraWindowState *state = g_new0 (CapraWindowState, 1);

      state->image = g_strdup_printf ("file:///image-%u.png", i);
      state->steps = i < 20 ? g_strdup ("<gegl/>") : NULL;
      g_ptr_array_add (states, state);
      capra_window_states_limit (states);
    }
  for (guint i = 0; i < states->len; i++)
    with_steps += ((const CapraWindowState *) states->pdata[i])->steps != NULL;
  g_assert_cmpuint (with_steps, ==, 20);
  g_assert_cmpuint (states->len, ==, 28);
  g_assert_cmpstr (((const CapraWindowState *) states->pdata[27])->image, ==, "file:///image-99.png");
  g_assert_cmpstr (((const CapraWindowState *) states->pdata[20])->image, ==, "file:///image-92.png");
}

int
main (int argc, char **argv)
{
  g_autofree char *state = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    {
      folder = g_dir_make_tmp ("capra-kept-XXXXXX", NULL);
      state = g_dir_make_tmp ("capra-state-XXXXXX", NULL);
      g_setenv ("XDG_STATE_HOME", state, TRUE);
    }
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  gegl_init (NULL, NULL);
  adw_init ();
  capra_panel_init ();
  g_test_add_func ("/panel/kept/restored", test_restored);
  g_test_add_func ("/panel/kept/unanswered", test_unanswered);
  g_test_add_func ("/panel/kept/killed", test_killed);
  g_test_add_func ("/panel/kept/killed/subprocess", test_killed_process);
  g_test_add_func ("/panel/kept/opened", test_opened);
  g_test_add_func ("/panel/kept/damaged", test_damaged);
  g_test_add_func ("/panel/kept/two-processes", test_two_processes);
  g_test_add_func ("/panel/kept/old-file", test_old_file);
  g_test_add_func ("/panel/kept/unwritable", test_unwritable);
  g_test_add_func ("/panel/kept/limit", test_limit);
  status = g_test_run ();
  if (folder)
    shot_remove (folder);
  if (state)
    shot_remove (state);
  g_free (folder);
  return status;
}
