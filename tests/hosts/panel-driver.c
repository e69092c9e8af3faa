/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operates the panel of GIMP's plug-in from within its process.
 *
 * CAPRA_PANEL_STEPS: the steps, as a command; they are pasted from the clipboard.
 * CAPRA_PANEL_DELETE_LAYER: set if the layer is deleted and restored while the panel is open.
 * CAPRA_PANEL_CANCEL: set if GIMP cancels the computation. It is blocked until the panel can apply again,
 *   although the computation cannot be interrupted; then it is started again.
 * CAPRA_PANEL_ACTION: the action that applies the steps; the default is win.save.
 * CAPRA_DRIVER_SIGNAL_FILE: a file that signals to driver.c that a screenshot can be taken. driver.c then removes it.
 * The file is also created when the process ends. */
#define _GNU_SOURCE
#include "tests/hosts/panel-widgets.h"

#include <dlfcn.h>
#include <gmodule.h>

#define SETTLE 10 /* polls until a change is drawn */

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
G_MODULE_EXPORT void gegl_node_blit_buffer (gpointer node, gpointer buffer, gconstpointer area, int level, int abyss);

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
      g_usleep (1000 * PANEL_POLL_INTERVAL);
    }
  blit (node, buffer, area, level, abyss);
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
  GtkWidget *button = panel_find (panel, panel_is_label, "Apply");

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
    case OPEN: return panel_find (panel, panel_is_label, "%") != NULL; /* the panel displays the scale of an image */
    case PASTE: paste (panel); return TRUE;
    case SETTLED: return panel_is_complete (panel) && polls > SETTLE && signal_driver ();
    case LOST: return panel_find (panel, panel_is_label, "no longer exists") && polls > SETTLE && signal_driver ();
    case FOUND: return !panel_find (panel, panel_is_label, "no longer exists") && signal_driver ();
    case START:
      g_atomic_int_set (&block, TRUE);
      apply (panel);
      return TRUE;
    case BLOCKED: return g_atomic_int_get (&blocked) && signal_driver ();
    case SIGNALED_BLOCKED: return driver_has_answered ();
    case CANCELED: return is_applicable (panel) && unblock () && signal_driver ();
    default: return driver_has_answered ();
    }
}

static gboolean
on_poll (gpointer data)
{
  GtkWidget *panel = panel_find_window ();

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

static void __attribute__ ((constructor)) start (void) { panel_start_polling (on_poll); }

static void __attribute__ ((destructor)) end (void)
{
  if (stage == APPLY)
    signal_driver ();
}
