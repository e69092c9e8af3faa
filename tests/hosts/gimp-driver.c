/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GTK 2 module that works GIMP's own windows as a person would: it opens GIMP's GEGL tool, chooses
 * operations, looks at the preview, applies, saves the image and quits. GTK 2 has no bridge to AT-SPI
 * any more, and keys and clicks from outside depend on focus and layout; widgets do not.
 *
 * CAPRA_DRIVER_STEPS: "operation;Label=value;Label=value|operation…"; labels and choices as shown. A
 * step "!operation;device;text" enters a device that must be answered by a label with that text. A
 * step "@action" starts our plug-in, whose panel panel-driver.c works; "@action;lose" deletes the layer while
 * the panel is open, and brings it back.
 * CAPRA_DRIVER_SCREENSHOT: where pictures of the screen go: PATH.png, the last preview, and
 * PATH-refused.png, the last answer, PATH-panel.png and PATH-lost.png, the panel, and PATH-wrong.png, what
 * should have looked otherwise.
 * The image's window is known by its title, which must contain "capra-test" (image-title-format).
 * It ends with a line "driver: done" on standard output, or ends GIMP with "driver: what failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gtk/gtk.h>

#define PATIENCE 60 /* seconds for anything that should happen at once */
#define QUIET 0.4   /* seconds without work in the main loop: all is drawn */
#define DIALOG_X 860

void gtk_module_init (gint *argc, gchar ***argv);

static void G_GNUC_NORETURN G_GNUC_PRINTF (1, 2)
fail (const char *format, ...)
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

/* GIMP renders in idle callbacks: while it does, its main loop is never without work. */
static void
wait_until_quiet (void)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
  gint64 since = g_get_monotonic_time ();

  while (g_get_monotonic_time () - since < QUIET * G_USEC_PER_SEC)
    {
      if (g_main_context_iteration (NULL, FALSE))
        since = g_get_monotonic_time ();
      else
        g_usleep (5000);
      if (g_get_monotonic_time () > end)
        fail ("GIMP is never done with its work");
    }
  gdk_display_sync (gdk_display_get_default ());
}

/* Finding widgets: the first one that a test accepts. */
typedef gboolean (*Accept) (GtkWidget *widget, const char *text);
typedef struct {
  Accept accept;
  const char *text;
  GtkWidget *found;
} Search;

static void
search (GtkWidget *widget, gpointer data)
{
  Search *wanted = data;

  if (!wanted->found && wanted->accept (widget, wanted->text))
    wanted->found = widget;
  if (!wanted->found && GTK_IS_MENU_ITEM (widget)
      && gtk_menu_item_get_submenu (GTK_MENU_ITEM (widget)))
    search (gtk_menu_item_get_submenu (GTK_MENU_ITEM (widget)), data);
  if (!wanted->found && GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), search, data);
}

static GtkWidget *
find (GtkWidget *root, Accept accept, const char *text)
{
  Search wanted = { accept, text, NULL };

  search (root, &wanted);
  return wanted.found;
}

static GtkWidget *
wait_for (GtkWidget *root, Accept accept, const char *text)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
  GtkWidget *found = NULL;

  while (!(found = find (root, accept, text)))
    {
      if (g_get_monotonic_time () > end)
        fail ("no \"%s\" appeared", text);
      work ();
    }
  return found;
}

static GtkWidget *
find_window (const char *role, const char *title)
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

static GtkWidget *
wait_for_window (const char *role, const char *title)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;
  GtkWidget *found = NULL;

  while (!(found = find_window (role, title)))
    {
      if (g_get_monotonic_time () > end)
        fail ("no window %s \"%s\" appeared", role, title);
      work ();
    }
  return found;
}

static gboolean
is_action (GtkWidget *widget, const char *name)
{
  GtkAction *action = GTK_IS_MENU_ITEM (widget)
                        ? gtk_activatable_get_related_action (GTK_ACTIVATABLE (widget))
                        : NULL;

  return action && g_str_equal (gtk_action_get_name (action), name)
         && gtk_action_is_sensitive (action);
}

static gboolean
is_type (GtkWidget *widget, const char *name)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), name) && gtk_widget_get_mapped (widget);
}

static gboolean
is_button (GtkWidget *widget, const char *label)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

/* GIMP's scales are spin buttons with a label of their own. */
static gboolean
is_scale (GtkWidget *widget, const char *label)
{
  g_autofree char *own = NULL;

  if (!is_type (widget, "GimpSpinScale"))
    return FALSE;
  g_object_get (widget, "label", &own, NULL);
  return g_strcmp0 (own, label) == 0;
}

static gboolean
is_entry (GtkWidget *widget, const char *text)
{
  return GTK_IS_ENTRY (widget) && !GTK_IS_SPIN_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && gtk_editable_get_editable (GTK_EDITABLE (widget));
}

static gboolean
is_label (GtkWidget *widget, const char *text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

static gboolean
find_row (GtkWidget *combo, const char *text, GtkTreeIter *row)
{
  GtkTreeModel *model = gtk_combo_box_get_model (GTK_COMBO_BOX (combo));

  if (!model || !gtk_tree_model_get_iter_first (model, row))
    return FALSE;
  do
    for (int i = 0; i < gtk_tree_model_get_n_columns (model); i++)
      {
        g_autofree char *shown = NULL;

        if (gtk_tree_model_get_column_type (model, i) != G_TYPE_STRING)
          continue;
        gtk_tree_model_get (model, row, i, &shown, -1);
        if (g_strcmp0 (shown, text) == 0)
          return TRUE;
      }
  while (gtk_tree_model_iter_next (model, row));
  return FALSE;
}

static gboolean
is_choice (GtkWidget *widget, const char *text)
{
  GtkTreeIter row;

  return GTK_IS_COMBO_BOX (widget) && gtk_widget_get_mapped (widget) && find_row (widget, text, &row);
}

static void
choose (GtkWidget *dialog, const char *text)
{
  GtkWidget *combo = wait_for (dialog, is_choice, text);
  GtkTreeIter row;

  find_row (combo, text, &row);
  gtk_combo_box_set_active_iter (GTK_COMBO_BOX (combo), &row);
}

static void
activate (GtkWidget *window, const char *action)
{
  gtk_menu_item_activate (GTK_MENU_ITEM (wait_for (window, is_action, action)));
}

static GdkPixbuf *
look_at (GtkWidget *widget)
{
  GdkWindow *screen = gdk_get_default_root_window ();
  GdkPixbuf *picture = NULL;
  int x = 0, y = 0, width = gdk_window_get_width (screen), height = gdk_window_get_height (screen);

  if (widget)
    {
      GdkWindow *window = gtk_widget_get_window (widget);

      gdk_window_get_origin (window, &x, &y);
      width = MIN (gdk_window_get_width (window), DIALOG_X - x);
      height = MIN (gdk_window_get_height (window), height - y);
    }
  picture = gdk_pixbuf_get_from_drawable (NULL, screen, NULL, x, y, 0, 0, width, height);
  if (!picture)
    fail ("no picture of the screen");
  return picture;
}

static gboolean
is_same (GdkPixbuf *a, GdkPixbuf *b)
{
  gsize size = gdk_pixbuf_get_byte_length (a);

  return size == gdk_pixbuf_get_byte_length (b)
         && memcmp (gdk_pixbuf_read_pixels (a), gdk_pixbuf_read_pixels (b), size) == 0;
}

static void
save_screen (const char *what)
{
  g_autofree char *path = g_strconcat (g_getenv ("CAPRA_DRIVER_SCREENSHOT"), what, ".png", NULL);
  g_autoptr(GdkPixbuf) screen = look_at (NULL);

  if (!gdk_pixbuf_save (screen, path, "png", NULL, NULL))
    fail ("cannot write %s", path);
}

/* Waits until the canvas looks like @like, or no longer like it. */
static GdkPixbuf *
wait_for_look (GtkWidget *canvas, GdkPixbuf *like, gboolean same, const char *what)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (TRUE)
    {
      GdkPixbuf *look = NULL;

      wait_until_quiet ();
      look = look_at (canvas);
      if (is_same (look, like) == same)
        return look;
      g_object_unref (look);
      if (g_get_monotonic_time () < end)
        continue;
      save_screen ("-wrong");
      fail ("%s", what);
    }
}

static void
set_values (GtkWidget *dialog, char **values)
{
  for (guint i = 0; values[i]; i++)
    {
      g_auto(GStrv) pair = g_strsplit (values[i], "=", 2);

      if (pair[1] && g_ascii_isdigit (*pair[1]))
        gtk_spin_button_set_value (GTK_SPIN_BUTTON (wait_for (dialog, is_scale, pair[0])),
                                   g_ascii_strtod (pair[1], NULL));
      else
        choose (dialog, pair[1] ? pair[1] : pair[0]);
      wait_until_quiet ();
    }
}

static GtkWidget *
open_tool (GtkWidget *window, const char *operation)
{
  GtkWidget *dialog = NULL;

  activate (window, "tools-gegl");
  dialog = wait_for_window ("gimp-gegl-tool", "");
  gtk_window_move (GTK_WINDOW (dialog), DIALOG_X, 20);
  choose (dialog, operation);
  wait_until_quiet ();
  return dialog;
}

/* An operation that cannot work says why, and leaves the image alone. */
static void
refuse (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto(GStrv) words = g_strsplit (step, ";", 3);
  g_autoptr(GdkPixbuf) before = NULL, during = NULL;
  GtkWidget *dialog = NULL, *entry = NULL;

  wait_until_quiet ();
  before = look_at (canvas);
  dialog = open_tool (window, words[0]);
  entry = wait_for (dialog, is_entry, "entry");
  gtk_entry_set_text (GTK_ENTRY (entry), words[1]);
  gtk_widget_activate (entry);
  wait_for (dialog, is_label, words[2]);
  during = wait_for_look (canvas, before, TRUE, "a failed operation changes the image");
  save_screen ("-refused");
  gtk_button_clicked (GTK_BUTTON (wait_for (dialog, is_button, "_Cancel")));
  wait_until_quiet ();
}

/* One operation: preview on, off and on again, then for good. */
static void
apply (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto(GStrv) words = g_strsplit (step, ";", 0);
  g_autoptr(GdkPixbuf) before = NULL, preview = NULL, off = NULL, on = NULL, after = NULL;
  GtkWidget *dialog = NULL, *toggle = NULL;

  wait_until_quiet ();
  before = look_at (canvas);
  dialog = open_tool (window, words[0]);
  set_values (dialog, words + 1);
  toggle = wait_for (dialog, is_button, "_Preview");
  preview = wait_for_look (canvas, before, FALSE, "the preview shows nothing new");

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), FALSE);
  off = wait_for_look (canvas, before, TRUE, "without preview the image is not the old one");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), TRUE);
  on = wait_for_look (canvas, preview, TRUE, "the second preview differs from the first one");
  save_screen ("");
  gtk_button_clicked (GTK_BUTTON (wait_for (dialog, is_button, "_OK")));
  after = wait_for_look (canvas, preview, TRUE, "applied, the image is not what the preview showed");
  if (find_window ("gimp-gegl-tool", ""))
    fail ("the tool's window is still open");
}

/* The panel's process makes a file when it is where we want to see it, and waits until that is gone; it makes
 * another one when it ends. */
static void
meet_panel (const char *what)
{
  const char *path = g_getenv ("CAPRA_DRIVER_MEETING");
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      if (g_get_monotonic_time () > end)
        fail ("the panel does not come so far: %s", what);
      work ();
    }
  wait_until_quiet ();
  save_screen (what);
  remove (path);
}

/* Our plug-in, which shows its panel until the steps are applied: in one step of undo, repeatable. */
static void
run_plug_in (GtkWidget *window, GtkWidget *canvas, const char *step)
{
  g_auto(GStrv) words = g_strsplit (step, ";", 2);
  g_autoptr(GdkPixbuf) before = NULL, after = NULL, undone = NULL, again = NULL;

  wait_until_quiet ();
  before = look_at (canvas);
  activate (window, words[0]);
  meet_panel ("-panel");
  if (words[1])
    {
      activate (window, "layers-delete");
      meet_panel ("-lost");
      activate (window, "edit-undo");
      meet_panel ("-back");
    }
  meet_panel ("");
  after = wait_for_look (canvas, before, FALSE, "the panel's steps change nothing");
  activate (window, "edit-undo");
  undone = wait_for_look (canvas, before, TRUE, "the panel's work is not undone by one step");
  activate (window, "filters-repeat");
  again = wait_for_look (canvas, after, TRUE, "repeated, it comes out different");
}

static gboolean
drive (gpointer data)
{
  g_auto(GStrv) steps = g_strsplit (g_getenv ("CAPRA_DRIVER_STEPS"), "|", 0);
  GtkWidget *window = find_window ("gimp-image-window", "capra-test");
  GtkWidget *canvas = wait_for (window, is_type, "GimpCanvas");
  GtkWidget *question = NULL;

  /* Over the canvas the pointer would show a brush. */
  gdk_display_warp_pointer (gdk_display_get_default (), gdk_screen_get_default (), 4000, 4000);
  gtk_window_move (GTK_WINDOW (window), 0, 0);
  gtk_window_resize (GTK_WINDOW (window), DIALOG_X - 20, 700);
  for (guint i = 0; steps[i]; i++)
    if (*steps[i] == '!')
      refuse (window, canvas, steps[i] + 1);
    else if (*steps[i] == '@')
      run_plug_in (window, canvas, steps[i] + 1);
    else
      apply (window, canvas, steps[i]);

  activate (window, "file-overwrite");
  wait_until_quiet ();
  activate (window, "file-quit");
  /* Overwriting a TIFF leaves the image unsaved: GIMP asks, and we let go of it. */
  question = wait_for_window ("gimp-message-dialog", "Quit GIMP");
  g_print ("driver: done\n");
  gtk_dialog_response (GTK_DIALOG (question), GTK_RESPONSE_OK);
  return G_SOURCE_REMOVE;
}

/* Only when GIMP has opened the image and come to rest may drive () run main loops of its own. */
static gboolean
start (gpointer data)
{
  static guint seen = 0;

  seen = find_window ("gimp-image-window", "capra-test") ? seen + 1 : 0;
  if (seen < 5)
    return G_SOURCE_CONTINUE;
  g_idle_add_full (G_PRIORITY_LOW, drive, NULL, NULL);
  return G_SOURCE_REMOVE;
}

G_MODULE_EXPORT void
gtk_module_init (gint *argc, gchar ***argv)
{
  /* GIMP's plug-ins load it, too. */
  if (g_str_has_prefix (g_get_prgname (), "gimp"))
    g_timeout_add (100, start, NULL);
}
