/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidebar-width: a narrow window has a narrow sidebar. Breakpoints need libadwaita 1.4. */
#include "ui/panel/window/sidebar-width.h"

#define SHARE 0.3 /* of the window's width */
#define NARROWEST 300
#define WIDEST 390

/* The surface includes the window's shadow. */
static void
on_layout (GdkSurface *surface, int width, int height, GtkWidget *sidebar)
{
  GtkNative *window = gtk_widget_get_native (sidebar);
  double left = 0.0, top = 0.0;

  if (!window)
    return;
  gtk_native_get_surface_transform (window, &left, &top);
  gtk_widget_set_size_request (sidebar, CLAMP ((int) (SHARE * (width - 2.0 * left)), NARROWEST, WIDEST), -1);
}

void
capra_sidebar_width_follow (GtkWidget *sidebar)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (sidebar));

  g_signal_connect_object (surface, "layout", G_CALLBACK (on_layout), sidebar, 0);
}
