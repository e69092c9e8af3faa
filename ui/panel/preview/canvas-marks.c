/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-marks: what a canvas draws over images that it compares. */
#include "ui/panel/preview/canvas-marks.h"

#include <glib/gi18n-lib.h>

#define HANDLE_RADIUS 14.0
#define MIN_LABEL 120 /* minimum width of a pane with a label */

/* A vertical line at @x with a handle in the middle of @height. */
static void
draw_split (GtkSnapshot *snapshot, double x, double height)
{
  static const GdkRGBA light = { 1, 1, 1, 0.95f }, dark = { 0, 0, 0, 0.45f };
  cairo_t *cr;
  double y = height / 2.0;

  gtk_snapshot_append_color (snapshot, &dark, &GRAPHENE_RECT_INIT ((float) x - 1.5f, 0, 3, (float) height));
  gtk_snapshot_append_color (snapshot, &light, &GRAPHENE_RECT_INIT ((float) x - 0.5f, 0, 1, (float) height));
  cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT ((float) (x - HANDLE_RADIUS - 2), (float) (y - HANDLE_RADIUS - 2),
                                   (float) (2 * HANDLE_RADIUS + 4), (float) (2 * HANDLE_RADIUS + 4)));
  cairo_arc (cr, x, y, HANDLE_RADIUS, 0, 2 * G_PI);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.95);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.45);
  cairo_set_line_width (cr, 1.0);
  cairo_stroke (cr);
  cairo_set_source_rgba (cr, 0.15, 0.15, 0.15, 1.0);
  cairo_set_line_width (cr, 2.0);
  for (int side = -1; side <= 1; side += 2)
    {
      cairo_move_to (cr, x + side * 3.5, y - 4.5);
      cairo_line_to (cr, x + side * 8.0, y);
      cairo_line_to (cr, x + side * 3.5, y + 4.5);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* A label at the top, to the right of @x, or to its left if @end. */
static void
draw_label (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x, gboolean end)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  static const GdkRGBA back = { 0, 0, 0, 0.55f }, front = { 1, 1, 1, 1 };
  int width, height;
  GskRoundedRect pill;

  pango_layout_get_pixel_size (layout, &width, &height);
  x = end ? x - width - 28 : x + 12;
  gsk_rounded_rect_init_from_rect (&pill, &GRAPHENE_RECT_INIT ((float) x, 12, (float) width + 16, (float) height + 6),
                                   6);
  gtk_snapshot_push_rounded_clip (snapshot, &pill);
  gtk_snapshot_append_color (snapshot, &back, &pill.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x + 8, 15));
  gtk_snapshot_append_layout (snapshot, layout, &front);
  gtk_snapshot_restore (snapshot);
}

void
capra_canvas_marks_draw_before (GtkWidget *canvas, GtkSnapshot *snapshot)
{
  draw_label (canvas, snapshot, _ ("Before"), 0, FALSE);
}

void
capra_canvas_marks_draw_compared (GtkWidget *canvas, GtkSnapshot *snapshot, double x, gboolean split)
{
  int width = gtk_widget_get_width (canvas), height = gtk_widget_get_height (canvas);

  if (x > MIN_LABEL)
    draw_label (canvas, snapshot, _ ("Before"), 0, FALSE);
  if (width - x > MIN_LABEL)
    draw_label (canvas, snapshot, _ ("After"), width, TRUE);
  if (split)
    draw_split (snapshot, x, height);
}
