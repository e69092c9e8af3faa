/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the panel's window and its widgets. */
#define _GNU_SOURCE
#include "tests/hosts/panel-widgets.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

void
panel_start_polling (GSourceFunc poll)
{
  char path[4096];
  ssize_t length = readlink ("/proc/self/exe", path, sizeof path - 1);

  path[MAX (length, 0)] = '\0';
  if (!g_str_has_suffix (path, "/ui/gimp/capra"))
    return;
  /* A test that has failed does not leave a panel that holds its output open. */
  if (!g_getenv ("CAPRA_PANEL_SURVIVES"))
    prctl (PR_SET_PDEATHSIG, SIGKILL);
  g_timeout_add (PANEL_POLL_INTERVAL, poll, NULL);
}

/* Only the process that opens the panel loads GTK. */
static gboolean
has_gtk (void)
{
  gboolean (*is_initialized) (void) = dlsym (RTLD_DEFAULT, "gtk_is_initialized");

  return is_initialized && is_initialized ();
}

GtkWidget *
panel_find_window (void)
{
  GListModel *windows = has_gtk () ? gtk_window_get_toplevels () : NULL;

  for (guint i = 0; windows && i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (panel_is_type (window, "CapraPanelWindow") && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

GtkWidget *
panel_find (GtkWidget *widget, PanelAccept accept, const char *text)
{
  GtkWidget *found = gtk_widget_get_mapped (widget) && accept (widget, text) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = panel_find (child, accept, text);
  return found;
}

gboolean
panel_is_type (GtkWidget *widget, const char *name)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), name);
}

gboolean
panel_is_label (GtkWidget *widget, const char *text)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

gboolean
panel_is_complete (GtkWidget *panel)
{
  GtkWidget *bar = panel_find (panel, panel_is_type, "CapraStatusBar");
  g_autofree char *time = NULL;
  gboolean busy = TRUE;

  if (bar)
    g_object_get (bar, "busy", &busy, "time-text", &time, NULL);
  return !busy && time && g_ascii_isdigit (*time); /* not that kernels are being built */
}
