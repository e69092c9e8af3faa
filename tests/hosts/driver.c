/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the drivers of GIMP 2.10 and GIMP 3; compiled for GTK 2 and for GTK 3. */
#include "tests/hosts/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_LIMIT 120 /* seconds for anything that should be immediate, even on a busy machine */
/* Seconds without work in the main loop, after which everything is drawn. An open panel asks for the layer's state
 * every second, which is work, too. */
#define QUIET 0.3

void
driver_fail (const char *format, ...)
{
  va_list list;

  va_start (list, format);
  printf ("driver: ");
  vprintf (format, list);
  printf ("\n");
  va_end (list);
  fflush (NULL);
  _exit (EXIT_FAILURE);
}

static void
work (void)
{
  if (!g_main_context_iteration (NULL, FALSE))
    g_usleep (5000);
}

void
driver_wait_until_quiet (void)
{
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;
  gint64 since = g_get_monotonic_time ();

  while (g_get_monotonic_time () - since < QUIET * G_USEC_PER_SEC)
    {
      if (g_main_context_iteration (NULL, FALSE))
        since = g_get_monotonic_time ();
      else
        g_usleep (5000);
      if (g_get_monotonic_time () > end)
        driver_fail ("GIMP is not idle within the time limit");
    }
  gdk_display_sync (gdk_display_get_default ());
}

/* Finds the first widget that a test accepts. */
typedef struct {
  DriverAccept accept;
  const char *text;
  GtkWidget *found;
} Search;

static void
search (GtkWidget *widget, gpointer data)
{
  Search *wanted = data;

  if (!wanted->found && wanted->accept (widget, wanted->text))
    wanted->found = widget;
  if (!wanted->found && GTK_IS_MENU_ITEM (widget) && gtk_menu_item_get_submenu (GTK_MENU_ITEM (widget)))
    search (gtk_menu_item_get_submenu (GTK_MENU_ITEM (widget)), data);
  if (!wanted->found && GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), search, data);
}

static GtkWidget *
find (GtkWidget *root, DriverAccept accept, const char *text)
{
  Search wanted = { accept, text, NULL };

  search (root, &wanted);
  return wanted.found;
}

GtkWidget *
driver_wait_for (GtkWidget *root, DriverAccept accept, const char *text)
{
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;
  GtkWidget *found = NULL;

  while (!(found = find (root, accept, text)))
    {
      if (g_get_monotonic_time () > end)
        driver_fail ("no \"%s\" appeared", text);
      work ();
    }
  return found;
}

GtkWidget *
driver_find_window (const char *role, const char *title)
{
  GList *windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  for (GList *l = windows; l && !found; l = l->next)
    if (gtk_widget_get_mapped (l->data)
        && g_str_has_prefix (gtk_window_get_role (l->data) ? gtk_window_get_role (l->data) : "", role)
        && strstr (gtk_window_get_title (l->data) ? gtk_window_get_title (l->data) : "", title))
      found = l->data;
  g_list_free (windows);
  return found;
}

GtkWidget *
driver_wait_for_window (const char *role, const char *title)
{
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;
  GtkWidget *found = NULL;

  while (!(found = driver_find_window (role, title)))
    {
      if (g_get_monotonic_time () > end)
        driver_fail ("no window %s \"%s\" appeared", role, title);
      work ();
    }
  return found;
}

gboolean
driver_is_type (GtkWidget *widget, const char *name)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), name) && gtk_widget_get_mapped (widget);
}

#if GTK_MAJOR_VERSION == 2
static gboolean
is_action (GtkWidget *widget, const char *name)
{
  GtkAction *action = GTK_IS_MENU_ITEM (widget) ? gtk_activatable_get_related_action (GTK_ACTIVATABLE (widget)) : NULL;

  return action && g_str_equal (gtk_action_get_name (action), name) && gtk_action_is_sensitive (action);
}

void
driver_activate (GtkWidget *window, const char *action)
{
  gtk_menu_item_activate (GTK_MENU_ITEM (driver_wait_for (window, is_action, action)));
}
#else
static gboolean
is_action (GtkWidget *window, const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (g_application_get_default ()), name);
}

void
driver_activate (GtkWidget *window, const char *action)
{
  driver_wait_for (window, is_action, action);
  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), action, NULL);
}
#endif

GdkPixbuf *
driver_look_at (GtkWidget *widget)
{
  GdkWindow *screen = gdk_get_default_root_window ();
  GdkPixbuf *picture = NULL;
  int x = 0, y = 0, width = gdk_window_get_width (screen), height = gdk_window_get_height (screen);

  if (widget)
    {
      GdkWindow *window = gtk_widget_get_window (widget);

      gdk_window_get_origin (window, &x, &y);
      width = MIN (gdk_window_get_width (window), DRIVER_DIALOG_X - x);
      height = MIN (gdk_window_get_height (window), height - y);
    }
#if GTK_MAJOR_VERSION == 2
  picture = gdk_pixbuf_get_from_drawable (NULL, screen, NULL, x, y, 0, 0, width, height);
#else
  picture = gdk_pixbuf_get_from_window (screen, x, y, width, height);
#endif
  if (!picture)
    driver_fail ("no picture of the screen");
  return picture;
}

/* On a busy machine, a few pixels of GIMP's canvas differed by one level between two results of the same steps. Results
 * in bands are equal to the byte, so that GIMP's conversion for the screen is the likely cause. */
static gboolean
is_same (GdkPixbuf *a, GdkPixbuf *b)
{
  gsize size = gdk_pixbuf_get_byte_length (a);
  const guint8 *first = gdk_pixbuf_read_pixels (a), *second = gdk_pixbuf_read_pixels (b);
  gboolean same = size == gdk_pixbuf_get_byte_length (b);

  for (gsize i = 0; i < size && same; i++)
    same = ABS (first[i] - second[i]) <= 1;
  return same;
}

void
driver_save_screen (const char *what)
{
  g_autofree char *path = g_strconcat (g_getenv ("CAPRA_DRIVER_SCREENSHOT"), what, ".png", NULL);
  g_autoptr (GdkPixbuf) screen = driver_look_at (NULL);

  if (!gdk_pixbuf_save (screen, path, "png", NULL, NULL))
    driver_fail ("cannot write %s", path);
}

GdkPixbuf *
driver_wait_for_look (GtkWidget *canvas, GdkPixbuf *like, gboolean same, const char *what)
{
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;

  while (TRUE)
    {
      GdkPixbuf *look = NULL;

      driver_wait_until_quiet ();
      look = driver_look_at (canvas);
      if (is_same (look, like) == same)
        return look;
      g_object_unref (look);
      if (g_get_monotonic_time () < end)
        continue;
      driver_save_screen ("-wrong");
      driver_fail ("%s", what);
    }
}

static void
answer_panel (void)
{
  remove (g_getenv ("CAPRA_DRIVER_SIGNAL_FILE"));
}

/* Waits for the file that the panel's process creates when a screenshot can be taken, or when it ends. The panel waits
 * until the file is removed. */
static void
wait_for_panel (const char *what)
{
  const char *path = g_getenv ("CAPRA_DRIVER_SIGNAL_FILE");
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;

  while (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      if (g_get_monotonic_time () > end)
        driver_fail ("the panel does not reach this state within the time limit: %s", what);
      work ();
    }
  driver_wait_until_quiet ();
  driver_save_screen (what);
  answer_panel ();
}

/* The button in the status bar; combo boxes there have toggle buttons. */
static gboolean
is_cancel (GtkWidget *widget, const char *type)
{
  return driver_is_type (widget, type) && gtk_widget_is_sensitive (widget);
}

static void
delete_layer (GtkWidget *window)
{
  driver_activate (window, "layers-delete");
  wait_for_panel ("-lost");
  driver_activate (window, "edit-undo");
  wait_for_panel ("-back");
}

typedef struct {
  GtkWidget *bar;
  gboolean done;
} Canceling;

/* Clicks the button beside the progress in the status bar when the panel's computation is blocked. */
static gboolean
on_look_for_cancel (gpointer data)
{
  Canceling *canceling = data;
  GtkWidget *button = find (canceling->bar, is_cancel, "GtkButton");

  if (!button || !g_file_test (g_getenv ("CAPRA_DRIVER_SIGNAL_FILE"), G_FILE_TEST_EXISTS))
    return G_SOURCE_CONTINUE;
  driver_save_screen ("-held");
  gtk_button_clicked (GTK_BUTTON (button));
  answer_panel ();
  canceling->done = TRUE;
  return G_SOURCE_REMOVE;
}

/* GIMP shows the progress in a main loop of its own, while it handles the plug-in's call. That the image is
 * unchanged is checked later, when the steps are applied to it. */
static void
cancel (GtkWidget *window)
{
  gint64 end = g_get_monotonic_time () + TIME_LIMIT * G_USEC_PER_SEC;
  Canceling canceling = { driver_wait_for (window, driver_is_type, "GimpStatusbar"), FALSE };

  g_timeout_add (100, on_look_for_cancel, &canceling);
  while (!canceling.done)
    {
      if (g_get_monotonic_time () > end)
        driver_fail ("the status bar has no button that cancels");
      work ();
    }
  wait_for_panel ("-canceled");
}

void
driver_run_plug_in (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto (GStrv) words = g_strsplit (step, ";", 2);
  g_autoptr (GdkPixbuf) before = NULL, after = NULL, undone = NULL, again = NULL;

  driver_wait_until_quiet ();
  before = driver_look_at (canvas);
  driver_activate (window, words[0]);
  wait_for_panel ("-panel");
  if (g_strcmp0 (words[1], "delete-layer") == 0)
    delete_layer (window);
  else if (g_strcmp0 (words[1], "cancel") == 0)
    cancel (window);
  wait_for_panel ("");
  after = driver_wait_for_look (canvas, before, FALSE, "the panel's steps change nothing");
  driver_activate (window, "edit-undo");
  undone = driver_wait_for_look (canvas, before, TRUE, "one undo step does not restore the image");
  driver_activate (window, "filters-repeat");
  again = driver_wait_for_look (canvas, after, TRUE, "repeating the filter gives another result");
}

static gboolean
watch (gpointer data)
{
  static guint seen = 0;

  seen = driver_find_window ("gimp-image-window", "capra-test") ? seen + 1 : 0;
  if (seen < 5)
    return G_SOURCE_CONTINUE;
  g_idle_add_full (G_PRIORITY_LOW, data, NULL, NULL);
  return G_SOURCE_REMOVE;
}

void
driver_start (GSourceFunc drive)
{
  /* Plug-ins of GIMP load this module, too. */
  if (g_str_has_prefix (g_get_prgname (), "gimp"))
    g_timeout_add (100, watch, drive);
}

GtkWidget *
driver_prepare (GtkWidget **window)
{
  GdkDisplay *display = gdk_display_get_default ();

  *window = driver_find_window ("gimp-image-window", "capra-test");
  /* Over the canvas, the pointer would be drawn as a brush. */
#if GTK_MAJOR_VERSION == 2
  gdk_display_warp_pointer (display, gdk_screen_get_default (), 4000, 4000);
#else
  gdk_device_warp (gdk_seat_get_pointer (gdk_display_get_default_seat (display)), gdk_screen_get_default (), 4000,
                   4000);
#endif
  gtk_window_move (GTK_WINDOW (*window), 0, 0);
  gtk_window_resize (GTK_WINDOW (*window), DRIVER_DIALOG_X - 20, 700);
  return driver_wait_for (*window, driver_is_type, "GimpCanvas");
}

void
driver_end (GtkWidget *window)
{
  GtkWidget *question = NULL;

  driver_activate (window, "file-overwrite");
  driver_wait_until_quiet ();
  driver_activate (window, "file-quit");
  /* Overwriting a TIFF leaves the image unsaved, so GIMP asks before it closes. */
  question = driver_wait_for_window ("gimp-message-dialog", "Quit GIMP");
  g_print ("driver: done\n");
  gtk_dialog_response (GTK_DIALOG (question), GTK_RESPONSE_OK);
}
