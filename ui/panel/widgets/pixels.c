/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels: textures that GTK's Cairo renderer draws without converting them. */
#include "ui/panel/widgets/pixels.h"

#define SURFACE_KEY "capra-surface"

static const cairo_user_data_key_t bytes_key;

GdkTexture *
capra_pixels_new (int width, int height, GBytes *bytes)
{
  int stride = width * (int) sizeof (guint32);
  GdkTexture *texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
  cairo_surface_t *surface = cairo_image_surface_create_for_data ((guchar *) g_bytes_get_data (bytes, NULL),
                                                                  CAIRO_FORMAT_ARGB32, width, height, stride);

  cairo_surface_set_user_data (surface, &bytes_key, g_bytes_ref (bytes), (cairo_destroy_func_t) g_bytes_unref);
  g_object_set_data_full (G_OBJECT (texture), SURFACE_KEY, surface, (GDestroyNotify) cairo_surface_destroy);
  return texture;
}

void
capra_pixels_draw (GtkSnapshot *snapshot, GtkWidget *widget, GdkTexture *texture, const graphene_rect_t *bounds)
{
  GtkNative *native = gtk_widget_get_native (widget);
  cairo_t *cr = NULL;

  if (!native || !GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native)))
    {
      gtk_snapshot_append_texture (snapshot, texture, bounds);
      return;
    }
  cr = gtk_snapshot_append_cairo (snapshot, bounds);
  cairo_translate (cr, bounds->origin.x, bounds->origin.y);
  cairo_scale (cr, bounds->size.width / (float) gdk_texture_get_width (texture),
               bounds->size.height / (float) gdk_texture_get_height (texture));
  cairo_set_source_surface (cr, g_object_get_data (G_OBJECT (texture), SURFACE_KEY), 0, 0);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_rectangle (cr, 0, 0, gdk_texture_get_width (texture), gdk_texture_get_height (texture));
  cairo_fill (cr);
  cairo_destroy (cr);
}
