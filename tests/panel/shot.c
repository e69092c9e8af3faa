/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of widgets and of the panel. */
#include <glib/gstdio.h>
#include <string.h>

#include "tests/panel/shot.h"
#include "ui/pipeline/gegl-start.h"

char *
shot_init (int *argc, char ***argv, const char *name)
{
  g_autofree char *template = g_strdup_printf ("capra-%s-XXXXXX", name);
  char *folder = g_dir_make_tmp (template, NULL);

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_init (argc, argv, NULL);
  /* GEGL and GTK's theme warn of what they miss on this machine. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL);
  capra_gegl_start ();
  adw_init ();
  capra_panel_init ();
  return folder;
}

void
shot_remove (const char *path)
{
  g_autoptr (GDir) folder = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      shot_remove (child);
    }
  g_remove (path);
}

void
shot_rest (double seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) (seconds * G_TIME_SPAN_SECOND);

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
}

GtkWidget *
shot_window (GtkWidget *child, int width, int height)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_mapped (child) && gtk_widget_get_width (child) > 0);
  return window;
}

/* Whether the pointer is over a widget of the window that has a tooltip. */
static gboolean
points_at_tooltip (GtkWidget *window)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (window));
  GtkWidget *widget = NULL;
  double x = 0.0, y = 0.0, left, top;

  if (!gtk_widget_get_mapped (window)
      || !gdk_surface_get_device_position (gtk_native_get_surface (GTK_NATIVE (window)), gdk_seat_get_pointer (seat),
                                           &x, &y, NULL))
    return FALSE;
  gtk_native_get_surface_transform (GTK_NATIVE (window), &left, &top);
  widget = gtk_widget_pick (window, x - left, y - top, GTK_PICK_INSENSITIVE);
  while (widget && !gtk_widget_get_has_tooltip (widget))
    widget = gtk_widget_get_parent (widget);
  return widget != NULL;
}

CapraPanelWindow *
shot_open (GeglBuffer *image, const char *name)
{
  CapraPanelWindow *window = capra_panel_window_new (NULL, image, name, NULL, NULL);

  gtk_window_present (GTK_WINDOW (window));
  SHOT_WAIT_FOR (gtk_widget_get_width (GTK_WIDGET (capra_panel_window_get_canvas (window))) > 0);
  return window;
}

void
shot_close (GtkWidget *window)
{
  gpointer gone = window;

  if (points_at_tooltip (window))
    shot_rest (0.7); /* GTK 4.8 fails if a tooltip is due when its window is destroyed */
  g_object_add_weak_pointer (G_OBJECT (window), &gone);
  gtk_window_destroy (GTK_WINDOW (window));
  SHOT_WAIT_FOR (!gone);
  capra_preview_wait_for_workers ();
}

CapraPanelApplication *
shot_start (void)
{
  CapraPanelApplication *application = capra_panel_application_new ();
  g_autoptr (GError) error = NULL;

  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  g_application_activate (G_APPLICATION (application));
  return application;
}

guint
shot_count_windows (CapraPanelApplication *application)
{
  return g_list_length (gtk_application_get_windows (GTK_APPLICATION (application)));
}

void
shot_quit (CapraPanelApplication *application)
{
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  SHOT_WAIT_FOR (shot_count_windows (application) == 0);
  capra_preview_wait_for_workers ();
  g_object_unref (application);
}

gboolean
shot_is_complete (CapraPanelWindow *window)
{
  CapraPreview *preview = capra_panel_window_get_preview (window);
  CapraPreviewStatus status = { .complete = FALSE };

  if (preview)
    capra_preview_get_status (preview, &status);
  return status.complete;
}

gboolean
shot_shows (CapraPanelWindow *window, const char *text)
{
  GtkWidget *label = shot_find_label (GTK_WIDGET (window), text);

  return label && gtk_widget_get_mapped (label);
}

CapraStep *
shot_add_step (CapraPanelWindow *window, const char *operation)
{
  g_autoptr (CapraStep) step = capra_step_new (operation);

  capra_step_model_insert (capra_panel_window_get_pipeline (window), step, -1);
  return step;
}

/* What the widget shows; NULL before its first frame, and while a new layout is pending. */
static GskRenderNode *
get_contents (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  return gtk_snapshot_free_to_node (snapshot);
}

GdkTexture *
shot_draw (GtkWidget *widget)
{
  gboolean is_window = GTK_IS_NATIVE (widget); /* has a frame around its contents */
  g_autoptr (GskRenderNode) node = NULL;
  graphene_rect_t area;

  SHOT_WAIT_FOR (node || (node = get_contents (widget)));
  area = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget));
  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node,
                                      is_window ? NULL : &area);
}

guint32 *
shot_draw_pixels (GtkWidget *widget, int *width, int *height)
{
  g_autoptr (GdkTexture) texture = shot_draw (widget);
  guint32 *pixels = NULL;

  *width = gdk_texture_get_width (texture);
  *height = gdk_texture_get_height (texture);
  pixels = g_new (guint32, (gsize) *width * (gsize) *height);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) *width * 4);
  return pixels;
}

static void
save (GtkWidget *window, const char *name, const char *style)
{
  g_autoptr (GdkTexture) texture = shot_draw (window);
  g_autofree char *file = g_strdup_printf ("%s-%s.png", name, style);
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, file, NULL);

  g_assert_true (gdk_texture_save_to_png (texture, path));
  g_test_message ("picture: %s", path);
}

void
shot_take (GtkWidget *window, const char *name)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
  shot_rest (0.4);
  save (window, name, "light");
  adw_style_manager_set_color_scheme (manager, ADW_COLOR_SCHEME_FORCE_DARK);
  shot_rest (0.4);
  save (window, name, "dark");
}

typedef gboolean (*Test) (GtkWidget *widget, gconstpointer data);

static GtkWidget *
find (GtkWidget *widget, Test test, gconstpointer data)
{
  GtkWidget *found = test (widget, data) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, test, data);
  return found;
}

static gboolean
is_of_type (GtkWidget *widget, gconstpointer type)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), GPOINTER_TO_SIZE (type));
}

GtkWidget *
shot_find (GtkWidget *widget, GType type)
{
  return find (widget, is_of_type, GSIZE_TO_POINTER (type));
}

gpointer
shot_find_controller (gpointer widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller; /* the widget holds it */
    }
  g_assert_not_reached ();
}

static gboolean
is_button (GtkWidget *widget, gconstpointer label)
{
  GtkWidget *child = GTK_IS_BUTTON (widget) ? gtk_button_get_child (GTK_BUTTON (widget)) : NULL;

  return GTK_IS_LABEL (child) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (child)), label) == 0;
}

GtkWidget *
shot_find_button (GtkWidget *widget, const char *label)
{
  return find (widget, is_button, label);
}

static gboolean
has_icon (GtkWidget *widget, gconstpointer icon)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0;
}

GtkWidget *
shot_find_icon (GtkWidget *widget, const char *icon)
{
  return find (widget, has_icon, icon);
}

static gboolean
is_label (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

GtkWidget *
shot_find_label (GtkWidget *widget, const char *text)
{
  return find (widget, is_label, text);
}

static void
add_mnemonics (GtkWidget *widget, GHashTable *labels)
{
  guint key = GTK_IS_LABEL (widget) ? gtk_label_get_mnemonic_keyval (GTK_LABEL (widget)) : GDK_KEY_VoidSymbol;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_POPOVER (widget))
    return;
  if (key != GDK_KEY_VoidSymbol)
    {
      const char *text = gtk_label_get_text (GTK_LABEL (widget)), *other = NULL;

      other = g_hash_table_lookup (labels, GUINT_TO_POINTER (key));
      if (other)
        g_test_message ("Alt+%s chooses %s and %s", gdk_keyval_name (key), other, text);
      g_assert_null (other);
      g_hash_table_insert (labels, GUINT_TO_POINTER (key), (gpointer) text);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    add_mnemonics (child, labels);
}

void
shot_assert_mnemonics (GtkWidget *window)
{
  g_autoptr (GHashTable) labels = g_hash_table_new (NULL, NULL);

  add_mnemonics (window, labels);
  g_assert_cmpuint (g_hash_table_size (labels), >, 0);
}
