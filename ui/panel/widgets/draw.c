/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draw: colors, text and boxes for widgets with a snapshot function. The colors suit light and dark themes. */
#include "ui/panel/widgets/draw.h"

static const char *const fixed_colors[CAPRA_N_PALETTE_COLORS] = {
  [CAPRA_PALETTE_UPLOAD] = "#3584e4",    [CAPRA_PALETTE_DOWNLOAD] = "#9141ac", [CAPRA_PALETTE_COPY] = "#77767b",
  [CAPRA_PALETTE_HOST] = "#9a9996",      [CAPRA_PALETTE_ARRAYS] = "#e66100",   [CAPRA_PALETTE_RESIDENT] = "#3584e4",
  [CAPRA_PALETTE_STAGING] = "#9141ac",   [CAPRA_PALETTE_POOL] = "#9a9996",     [CAPRA_PALETTE_CARD] = "#26a269",
  [CAPRA_PALETTE_THRESHOLD] = "#e01b24",
};

/* Colors that are easy to distinguish from the blue and the purple of transfers. */
static const char *const kernel_colors[] = {
  "#e66100", "#2ec27e", "#e5a50a", "#c64600", "#1c9c8c", "#b5835a", "#8ab800", "#d6336c",
};

GdkRGBA
capra_draw_color (CapraPaletteColor color)
{
  GdkRGBA rgba = { 0 };

  gdk_rgba_parse (&rgba, fixed_colors[color]);
  return rgba;
}

GdkRGBA
capra_draw_color_of_record (const char *name)
{
  GdkRGBA rgba = { 0 };

  if (g_str_equal (name, "upload"))
    return capra_draw_color (CAPRA_PALETTE_UPLOAD);
  if (g_str_equal (name, "download"))
    return capra_draw_color (CAPRA_PALETTE_DOWNLOAD);
  if (g_str_equal (name, "copy") || g_str_equal (name, "fill"))
    return capra_draw_color (CAPRA_PALETTE_COPY);
  gdk_rgba_parse (&rgba, kernel_colors[g_str_hash (name) % G_N_ELEMENTS (kernel_colors)]);
  return rgba;
}

GdkRGBA
capra_draw_foreground (GtkWidget *widget, double alpha)
{
  GdkRGBA rgba = { 0 };

#if GTK_CHECK_VERSION(4, 10, 0)
  gtk_widget_get_color (widget, &rgba);
#else
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &rgba);
#endif
  rgba.alpha *= (float) alpha;
  return rgba;
}

void
capra_draw_text (GtkSnapshot *snapshot, GtkWidget *widget, const char *text, double x, double y, double align,
                 double width, const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int text_width = 0;

  if (width > 0)
    {
      pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  pango_layout_get_pixel_size (layout, &text_width, NULL);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (x - align * text_width), (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

void
capra_draw_measure (GtkWidget *widget, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);

  pango_layout_get_pixel_size (layout, width, height);
}

void
capra_draw_box (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width, double height,
                double radius)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height);
  GskRoundedRect box;

  gsk_rounded_rect_init_from_rect (&box, &bounds, (float) MIN (radius, MIN (width, height) / 2));
  gtk_snapshot_push_rounded_clip (snapshot, &box);
  gtk_snapshot_append_color (snapshot, color, &bounds);
  gtk_snapshot_pop (snapshot);
}
