/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works the panel that GIMP's plug-in opens, from within its process: preloaded, since GTK 4 loads no
 * modules. It is linked to nothing, for GIMP loads it too, and has another GTK.
 *
 * CAPRA_PANEL_STEPS: the steps, as a command; they come through the clipboard.
 * CAPRA_PANEL_LOSES: set if the layer goes meanwhile, and comes back.
 * CAPRA_PANEL_CANCELS: set if GIMP cancels the work; it is held until then, and done again afterwards.
 * CAPRA_PANEL_ACTION: what applies them; the default is win.save.
 * CAPRA_DRIVER_MEETING: a file that says to gimp-driver.c that a picture can be taken; then it goes. It is
 * made for the last time when the process ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include <gtk/gtk.h>

#define POLL_INTERVAL 50 /* ms */
#define SETTLE 40        /* polls until the preview has settled */

typedef enum {
  OPEN,
  PASTE,
  SETTLED,
  MET,
  LOST,
  MET_LOST,
  FOUND,
  MET_FOUND,
  START,
  HELD,
  MET_HELD,
  CANCELLED,
  MET_CANCELLED,
  APPLY
} Stage;

static Stage stage;
static guint polls;    /* polls in this stage */
static int hold, held; /* atomic: the work is to stop at its next call of GEGL; it has stopped there */

/* Called by the plug-in while it applies steps. */
void gegl_node_blit_buffer (gpointer node, gpointer buffer, gconstpointer area, int level, int abyss);

void
gegl_node_blit_buffer (gpointer node, gpointer buffer, gconstpointer area, int level, int abyss)
{
  static void (*blit) (gpointer, gpointer, gconstpointer, int, int);

  if (g_once_init_enter (&blit))
    {
      gpointer found = dlsym (RTLD_NEXT, "gegl_node_blit_buffer");

      g_once_init_leave (&blit, found);
    }
  while (g_atomic_int_get (&hold))
    {
      g_atomic_int_set (&held, TRUE);
      g_usleep (1000 * POLL_INTERVAL);
    }
  blit (node, buffer, area, level, abyss);
}

static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

static GtkWidget *
find_panel (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (g_str_equal (G_OBJECT_TYPE_NAME (window), "CapraPanelWindow") && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

static gboolean
meet (void)
{
  return g_file_set_contents (g_getenv ("CAPRA_DRIVER_MEETING"), "", 0, NULL);
}

static gboolean
has_parted (void)
{
  return !g_file_test (g_getenv ("CAPRA_DRIVER_MEETING"), G_FILE_TEST_EXISTS);
}

static void
paste (GtkWidget *panel)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (panel), g_getenv ("CAPRA_PANEL_STEPS"));
  gtk_widget_activate_action (panel, "win.paste-steps", NULL);
}

static gboolean
is_applicable (GtkWidget *panel)
{
  GtkWidget *button = find_label (panel, "Apply");

  return button && gtk_widget_is_sensitive (button);
}

static gboolean
release (void)
{
  g_atomic_int_set (&hold, FALSE);
  return TRUE;
}

static void
apply (GtkWidget *panel)
{
  const char *action = g_getenv ("CAPRA_PANEL_ACTION");

  gtk_widget_activate_action (panel, action ? action : "win.save", NULL);
}

/* Whether the stage is over. */
static gboolean
is_over (GtkWidget *panel)
{
  switch (stage)
    {
    case OPEN: return find_label (panel, "%") != NULL; /* the image is shown in its size */
    case PASTE: paste (panel); return TRUE;
    case SETTLED: return polls > SETTLE && meet ();
    case LOST: return find_label (panel, "no longer exists") && polls > SETTLE / 2 && meet ();
    case FOUND: return !find_label (panel, "no longer exists") && meet ();
    case START:
      g_atomic_int_set (&hold, TRUE);
      apply (panel);
      return TRUE;
    case HELD: return g_atomic_int_get (&held) && meet ();
    case MET_HELD: return has_parted () && release ();
    case CANCELLED: return is_applicable (panel) && meet ();
    default: return has_parted ();
    }
}

static gboolean
on_poll (gpointer data)
{
  GtkWidget *panel = gtk_is_initialized () ? find_panel () : NULL;

  polls++;
  if (!panel || !is_over (panel))
    return G_SOURCE_CONTINUE;
  polls = 0;
  stage++;
  if (stage == LOST && !g_getenv ("CAPRA_PANEL_LOSES"))
    stage = START;
  if (stage == START && !g_getenv ("CAPRA_PANEL_CANCELS"))
    stage = APPLY;
  if (stage != APPLY)
    return G_SOURCE_CONTINUE;
  apply (panel);
  return G_SOURCE_REMOVE;
}

static void __attribute__ ((constructor)) start (void)
{
  char path[4096];
  ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);

  path[MAX (length, 0)] = '\0';
  if (g_str_has_suffix (path, "/ui/gimp/capra"))
    g_timeout_add (POLL_INTERVAL, on_poll, NULL);
}

static void __attribute__ ((destructor)) end (void)
{
  if (stage == APPLY)
    meet ();
}
