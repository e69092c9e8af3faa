/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operates the panel of GIMP's plug-in from within its process, as a script says.
 *
 * CAPRA_PANEL_SCRIPT: a file with a line for each time that the panel is opened; the line is removed. It contains
 * commands, separated by ";":
 *   paste STEPS      pastes steps in the form of a command
 *   action NAME      activates an action
 *   wait TEXT        waits for a label that contains TEXT
 *   click TEXT       clicks the button with this label
 *   choose N         chooses the Nth item of the drop-down in the header
 *   picture PATH     saves the image and its result as PNG, when the preview no longer changes
 *   fill             fills the layer with the foreground color, as another plug-in would
 *   close            closes the window
 * CAPRA_PANEL_SURVIVES: set if GIMP does not kill the panel when it is killed itself. */
#define _GNU_SOURCE
#include "tests/hosts/panel-widgets.h"

#include <dlfcn.h>
#include <stdlib.h>

#define SETTLE 20 /* polls without a change of the picture */

static char **commands; /* of this process; NULL before the panel is open */
static guint next;      /* the command that comes next */
static GBytes *picture; /* the pixels of the last one that was taken */
static guint same;      /* polls since the picture has changed */

static gboolean
is_button (GtkWidget *widget, const char *text)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), text) == 0
         && gtk_widget_is_sensitive (widget);
}

static GdkTexture *
look_at (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
  GskRenderNode *node = NULL;
  GdkTexture *texture = NULL;

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (!node)
    return NULL;
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node, &area);
  gsk_render_node_unref (node);
  return texture;
}

static GBytes *
get_pixels (GdkTexture *texture)
{
  gsize stride = 4 * (gsize) gdk_texture_get_width (texture), size = stride * (gsize) gdk_texture_get_height (texture);
  guint8 *pixels = g_malloc (size);

  gdk_texture_download (texture, pixels, stride);
  return g_bytes_new_take (pixels, size);
}

/* Whether the picture no longer changes; then it is saved. */
static gboolean
save_picture (GtkWidget *panel, const char *path)
{
  GtkWidget *canvas = panel_find (panel, panel_is_type, "CapraCanvas");
  g_autoptr (GdkTexture) texture = canvas ? look_at (canvas) : NULL;
  GBytes *pixels = texture ? get_pixels (texture) : NULL;

  if (!pixels)
    return FALSE;
  same = picture && g_bytes_equal (picture, pixels) && panel_is_complete (panel) ? same + 1 : 0;
  g_clear_pointer (&picture, g_bytes_unref);
  picture = pixels;
  if (same < SETTLE)
    return FALSE;
  gdk_texture_save_to_png (texture, path);
  same = 0;
  return TRUE;
}

static gboolean
click (GtkWidget *panel, const char *text)
{
  GtkWidget *button = panel_find (panel, is_button, text);

  if (button)
    g_signal_emit_by_name (button, "clicked");
  return button != NULL;
}

static gboolean
choose (GtkWidget *panel, const char *text)
{
  GtkWidget *choice = panel_find (panel, panel_is_type, "GtkDropDown");

  if (choice)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), (guint) atoi (text));
  return choice != NULL;
}

/* A function of libgimp, of either version. */
static gpointer
get (const char *name)
{
  gpointer found = dlsym (RTLD_DEFAULT, name);

  if (!found)
    g_error ("no function %s", name);
  return found;
}

static void
fill (void)
{
  gboolean (*fill_3) (gpointer, int);

  if (dlsym (RTLD_DEFAULT, "gimp_get_images"))
    {
      gpointer *(*get_images) (void) = get ("gimp_get_images");
      gpointer *(*get_drawables) (gpointer) = get ("gimp_image_get_selected_drawables");

      fill_3 = get ("gimp_drawable_fill");
      fill_3 (*get_drawables (*get_images ()), 0);
    }
  else
    {
      int *(*list) (int *) = get ("gimp_image_list"), count = 0;
      int (*get_drawable) (int) = get ("gimp_image_get_active_drawable");
      gboolean (*fill_2) (int, int) = get ("gimp_drawable_fill");

      fill_2 (get_drawable (*list (&count)), 0);
    }
}

/* Returns: whether the command is complete */
static gboolean
run (GtkWidget *panel, const char *command)
{
  g_auto (GStrv) words = g_strsplit (command, " ", 2);
  const char *rest = words[1] ? words[1] : "";

  if (g_str_equal (words[0], "wait"))
    return panel_find (panel, panel_is_label, rest) != NULL;
  if (g_str_equal (words[0], "picture"))
    return save_picture (panel, rest);
  if (g_str_equal (words[0], "click"))
    return click (panel, rest);
  if (g_str_equal (words[0], "choose"))
    return choose (panel, rest);
  if (g_str_equal (words[0], "paste"))
    {
      gdk_clipboard_set_text (gtk_widget_get_clipboard (panel), rest);
      gtk_widget_activate_action (panel, "win.paste-steps", NULL);
    }
  else if (g_str_equal (words[0], "action"))
    gtk_widget_activate_action (panel, rest, NULL);
  else if (g_str_equal (words[0], "fill"))
    fill ();
  else if (g_str_equal (words[0], "close"))
    gtk_window_close (GTK_WINDOW (panel));
  else
    g_error ("unknown command \"%s\"", command);
  return TRUE;
}

/* Takes the first line of the file. */
static void
read_commands (void)
{
  const char *path = g_getenv ("CAPRA_PANEL_SCRIPT");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!path || !g_file_get_contents (path, &text, NULL, NULL))
    g_error ("no script");
  lines = g_strsplit (text, "\n", 2);
  commands = g_strsplit (lines[0], ";", 0);
  g_file_set_contents (path, lines[1] ? lines[1] : "", -1, NULL);
}

static gboolean
on_poll (gpointer data)
{
  GtkWidget *panel = panel_find_window ();

  if (!panel)
    return G_SOURCE_CONTINUE;
  if (!commands)
    {
      if (!panel_find (panel, panel_is_label, "%")) /* the panel displays the scale of an image */
        return G_SOURCE_CONTINUE;
      read_commands ();
    }
  if (commands[next] && run (panel, commands[next]))
    next++;
  return commands[next] ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void __attribute__ ((constructor)) start (void) { panel_start_polling (on_poll); }
