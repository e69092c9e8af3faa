/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidebar-width: a narrow window has a narrow sidebar, and a very wide one a wider one, where tables show more columns;
 * large text has a wider one, too, where the picture and its controls have room. Breakpoints need libadwaita 1.4. */
#include "ui/panel/window/sidebar-width.h"

#include <adwaita.h>

/* Of the window's width. */
#define SHARE 0.3
#define WIDE_SHARE 0.2
#define LARGEST_SHARE 0.5

#define NARROWEST 300
#define USUAL 390
#define WIDEST 560

#define USUAL_DPI 96.0

/* How much larger text is than usual. */
static double
get_text_scale (GtkWidget *widget)
{
  int dpi = 0; /* 1024 units each; -1 if unknown */

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return MAX (dpi / 1024.0 / USUAL_DPI, 1.0);
}

static int
choose_width (double window, double text)
{
  double width = MIN (CLAMP (SHARE * window, NARROWEST, MAX (USUAL, WIDE_SHARE * window)), WIDEST);

  return (int) CLAMP (text * width, width, MAX (width, LARGEST_SHARE * window));
}

/* The width above which the flap is laid over the picture. */
static int
get_room (GtkWidget *sidebar, double window)
{
  AdwFlap *flap = ADW_FLAP (gtk_widget_get_ancestor (sidebar, ADW_TYPE_FLAP));
  int picture = 0, separator = 0;

  gtk_widget_measure (adw_flap_get_content (flap), GTK_ORIENTATION_HORIZONTAL, -1, &picture, NULL, NULL, NULL);
  gtk_widget_measure (adw_flap_get_separator (flap), GTK_ORIENTATION_HORIZONTAL, -1, &separator, NULL, NULL, NULL);
  return MAX ((int) window - picture - separator, NARROWEST);
}

/* The surface includes the window's shadow. */
static void
on_layout (GdkSurface *surface, int width, int height, GtkWidget *sidebar)
{
  GtkNative *native = gtk_widget_get_native (sidebar);
  double left = 0.0, top = 0.0, window = 0.0;

  if (!native)
    return;
  gtk_native_get_surface_transform (native, &left, &top);
  window = width - 2.0 * left;
  gtk_widget_set_size_request (sidebar,
                               MIN (choose_width (window, get_text_scale (sidebar)), get_room (sidebar, window)), -1);
}

void
capra_sidebar_width_follow (GtkWidget *sidebar)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (sidebar));

  g_signal_connect_object (surface, "layout", G_CALLBACK (on_layout), sidebar, 0);
}
