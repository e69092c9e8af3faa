/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several files that are dropped on a window: the first one that can be read is opened there, others in windows of
 * their own, and no window is opened for one that cannot be read. */
#include <gegl.h>
#include <glib/gstdio.h>

#include "tests/panel/shot.h"
#include "tests/panel/steps.h"
#include "ui/pipeline/write/save.h"

#define BAD "\x89PNG\r\n\x1a\n, and no more"
#define GRAPH "<gegl><node operation='gegl:invert-linear'/></gegl>"

static char *folder;

/* @name: begins with "bad" for a file that cannot be read. */
static GFile *
make_file (const char *name)
{
  GFile *file = g_file_new_build_filename (folder, name, NULL);
  gboolean graph = g_str_has_suffix (name, ".xml"), bad = g_str_has_prefix (name, "bad");
  g_autoptr (GeglBuffer) image = steps_make_image (40, 30, "R'G'B' u8");
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  if (bad || graph)
    g_file_set_contents (g_file_peek_path (file), bad ? BAD : GRAPH, -1, &error);
  else if (g_str_has_suffix (name, ".npy"))
    {
      static const char npy[] = "\x93NUMPY\x01\0\x49\0{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }"
                                "             \n\x07\x09";

      g_file_set_contents (g_file_peek_path (file), npy, sizeof npy - 1, &error);
    }
  else
    capra_save (file, image, steps, 8, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

/* The most windows of all times. */
static void
on_window_added (GtkApplication *application, GtkWindow *window, guint *most)
{
  *most = MAX (*most, g_list_length (gtk_application_get_windows (application)));
}

/* Drops files of these names, separated by spaces, in this window. */
static void
drop (CapraPanelWindow *window, const char *names)
{
  GtkWidget *content = shot_find (GTK_WIDGET (window), ADW_TYPE_TOAST_OVERLAY);
  GtkDropTarget *target = shot_find_controller (content, GTK_TYPE_DROP_TARGET);
  g_auto (GStrv) list = g_strsplit (names, " ", -1);
  g_auto (GValue) value = G_VALUE_INIT;
  GSList *files = NULL; /* a GdkFileList */
  gboolean accepted = FALSE;

  for (guint i = 0; list[i]; i++)
    files = g_slist_append (files, make_file (list[i]));
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, files);
  g_signal_emit_by_name (target, "drop", &value, 0.0, 0.0, &accepted);
  g_assert_true (accepted);
}

static gboolean
have_window (CapraPanelApplication *application, const char *title)
{
  GList *list = gtk_application_get_windows (GTK_APPLICATION (application));

  for (; list; list = list->next)
    if (g_str_has_prefix (gtk_window_get_title (list->data), title))
      return TRUE;
  return FALSE;
}

/* Without the windows of the case before. */
static CapraPanelApplication *
start (void)
{
  g_autofree char *state = g_build_filename (folder, "capra", NULL);
  CapraPanelApplication *application = NULL;

  shot_remove (state);
  application = shot_start ();
  g_application_set_default (G_APPLICATION (application));
  return application;
}

/* A case: what is dropped, the image of the window, those of others, and what is said. */
typedef struct {
  const char *names, *first, *others, *message;
} Case;

static void
check (const Case *c)
{
  CapraPanelApplication *application = start ();
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  g_auto (GStrv) others = g_strsplit (c->others, " ", -1);
  guint n = g_strv_length (others), most = 0;

  g_test_message ("%s", c->names);
  g_signal_connect (application, "window-added", G_CALLBACK (on_window_added), &most);
  drop (CAPRA_PANEL_WINDOW (window), c->names);
  SHOT_WAIT_FOR (g_str_has_prefix (gtk_window_get_title (window), c->first));
  for (guint i = 0; i < n; i++)
    SHOT_WAIT_FOR (have_window (application, others[i]));
  if (c->message)
    SHOT_WAIT_FOR (shot_shows (CAPRA_PANEL_WINDOW (window), c->message));
  shot_rest (0.5);
  g_assert_cmpuint (shot_count_windows (application), ==, 1 + n);
  g_assert_cmpuint (most, <=, 1 + n);
  g_assert_true (c->message || !shot_shows (CAPRA_PANEL_WINDOW (window), "could not be opened"));
  shot_take (GTK_WIDGET (window), "open-files");
  shot_quit (application);
}

static void
test_images (void)
{
  static const Case cases[] = {
    { "a.png b.png c.png", "a.png", "b.png c.png", NULL },
    { "bad.png b.png", "b.png", "", "“bad.png” could not be opened. " },
    { "a.png bad.png c.png", "a.png", "c.png", "“bad.png” could not be opened. " },
    { "bad.png", "Capra", "", "“bad.png” could not be opened. " },
    { "bad-1.png bad-2.png", "Capra", "", "“bad-2.png” could not be opened. " },
    { "bad-1.png bad-2.png", "Capra", "", "“bad-1.png” could not be opened. " },
    { "bad-1.png bad-2.png a.png bad-3.png bad-4.png bad-5.png", "a.png", "", "\n2 more files could not be opened." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

/* Graphs, which have no image, and arrays, which are raw values in each window. */
static void
test_kinds (void)
{
  static const Case cases[] = {
    { "a.png bad.xml", "a.png", "", "“bad.xml” could not be opened. " },
    { "bad.xml a.png", "a.png", "", "“bad.xml” could not be opened. " },
    { "a.png b.npy", "a.png", "b.npy", NULL },
    { "a.npy b.png", "a.npy", "b.png", NULL },
    { "a.png steps.xml", "a.png", "Capra", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

/* An image in the window stays if no file can be read, and files are not opened in it when it was closed meanwhile. */
static void
test_closed (void)
{
  CapraPanelApplication *application = start ();
  CapraPanelWindow *window = NULL, *other = NULL;

  window = CAPRA_PANEL_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  drop (window, "a.png");
  SHOT_WAIT_FOR (have_window (application, "a.png"));
  drop (window, "bad-1.png bad-2.png");
  SHOT_WAIT_FOR (shot_shows (window, "“bad-2.png”"));
  g_assert_true (have_window (application, "a.png"));
  g_action_group_activate_action (G_ACTION_GROUP (application), "new-window", NULL);
  SHOT_WAIT_FOR (shot_count_windows (application) == 2);
  other = CAPRA_PANEL_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  g_assert_true (other != window);
  drop (other, "b.png c.png d.png");
  gtk_window_close (GTK_WINDOW (other));
  shot_rest (1.0);
  g_assert_cmpuint (shot_count_windows (application), ==, 1);
  shot_quit (application);
}

int
main (int argc, char **argv)
{
  int status = 0;

  folder = shot_init (&argc, &argv, "open-files");
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_add_func ("/open-files/images", test_images);
  g_test_add_func ("/open-files/kinds", test_kinds);
  g_test_add_func ("/open-files/closed", test_closed);
  status = g_test_run ();
  shot_remove (folder);
  return status;
}
