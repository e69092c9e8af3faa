/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operates the panel of GIMP's plug-in from within its process. The library is preloaded, since GTK 4 does not load
 * modules. It is not linked to GTK, since GIMP also loads it and uses another version of GTK.
 *
 * CAPRA_PANEL_STEPS: the steps, as a command; they are pasted from the clipboard.
 * CAPRA_PANEL_DELETE_LAYER: set if the layer is deleted and restored while the panel is open.
 * CAPRA_PANEL_CANCEL: set if GIMP cancels the computation. It is blocked until then, and started again afterwards.
 * CAPRA_PANEL_ACTION: the action that applies the steps; the default is win.save.
 * CAPRA_DRIVER_SIGNAL_FILE: a file that signals to driver.c that a screenshot can be taken. driver.c then removes it.
 * The file is also created when the process ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <gtk/gtk.h>

#define POLL_INTERVAL 50 /* ms */
#define SETTLE 40        /* polls until the preview has settled */

typedef enum {
  OPEN,
  PASTE,
  SETTLED,
  SIGNALED,
  LOST,
  SIGNALED_LOST,
  FOUND,
  SIGNALED_FOUND,
  START,
  BLOCKED,
  SIGNALED_BLOCKED,
  CANCELED,
  SIGNALED_CANCELED,
  APPLY
} Stage;

static Stage stage;
static guint polls; /* polls in this stage */
/* Atomic: @block makes the computation wait at its next call of GEGL; @blocked is set while it waits. */
static int block, blocked;

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
  while (g_atomic_int_get (&block))
    {
      g_atomic_int_set (&blocked, TRUE);
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
signal_driver (void)
{
  return g_file_set_contents (g_getenv ("CAPRA_DRIVER_SIGNAL_FILE"), "", 0, NULL);
}

static gboolean
driver_has_answered (void)
{
  return !g_file_test (g_getenv ("CAPRA_DRIVER_SIGNAL_FILE"), G_FILE_TEST_EXISTS);
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
unblock (void)
{
  g_atomic_int_set (&block, FALSE);
  return TRUE;
}

static void
apply (GtkWidget *panel)
{
  const char *action = g_getenv ("CAPRA_PANEL_ACTION");

  gtk_widget_activate_action (panel, action ? action : "win.save", NULL);
}

/* Whether the stage is complete. Starts its action. */
static gboolean
is_over (GtkWidget *panel)
{
  switch (stage)
    {
    case OPEN: return find_label (panel, "%") != NULL; /* the panel displays the scale of an image */
    case PASTE: paste (panel); return TRUE;
    case SETTLED: return polls > SETTLE && signal_driver ();
    case LOST: return find_label (panel, "no longer exists") && polls > SETTLE / 2 && signal_driver ();
    case FOUND: return !find_label (panel, "no longer exists") && signal_driver ();
    case START:
      g_atomic_int_set (&block, TRUE);
      apply (panel);
      return TRUE;
    case BLOCKED: return g_atomic_int_get (&blocked) && signal_driver ();
    case SIGNALED_BLOCKED: return driver_has_answered () && unblock ();
    case CANCELED: return is_applicable (panel) && signal_driver ();
    default: return driver_has_answered ();
    }
}

/* Only the process that opens the panel loads GTK. */
static gboolean
has_gtk (void)
{
  gboolean (*is_initialized) (void) = dlsym (RTLD_DEFAULT, "gtk_is_initialized");

  return is_initialized && is_initialized ();
}

static gboolean
on_poll (gpointer data)
{
  GtkWidget *panel = has_gtk () ? find_panel () : NULL;

  polls++;
  if (!panel || !is_over (panel))
    return G_SOURCE_CONTINUE;
  polls = 0;
  stage++;
  if (stage == LOST && !g_getenv ("CAPRA_PANEL_DELETE_LAYER"))
    stage = START;
  if (stage == START && !g_getenv ("CAPRA_PANEL_CANCEL"))
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
  if (!g_str_has_suffix (path, "/ui/gimp/capra"))
    return;
  /* A test that has failed does not leave a panel that holds its output open. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  g_timeout_add (POLL_INTERVAL, on_poll, NULL);
}

static void __attribute__ ((destructor)) end (void)
{
  if (stage == APPLY)
    signal_driver ();
}
