/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: shows an image and what a pipeline makes of it, to be moved, zoomed and compared. */
#include "ui/panel/preview/canvas.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/preview/canvas-private.h"
#include "ui/panel/preview/texture-tiles.h"

#define MIN_SCALE (1.0 / 1024.0)
#define MAX_SCALE 64.0
#define KNOB 14.0
#define GAP 2.0

G_DEFINE_FINAL_TYPE (CapraCanvas, capra_canvas, GTK_TYPE_WIDGET)

enum { VIEW_CHANGED, POINTER_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

double
capra_canvas_get_unit_scale (CapraCanvas *self)
{
  return self->scale / gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

graphene_rect_t
capra_canvas_get_pane (CapraCanvas *self, gboolean before)
{
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self));
  float height = (float) gtk_widget_get_height (GTK_WIDGET (self));
  float half = floorf (width / 2.0f);

  if (self->compare != CAPRA_COMPARE_SIDE)
    return GRAPHENE_RECT_INIT (0, 0, width, height);
  return before ? GRAPHENE_RECT_INIT (0, 0, half - (float) GAP / 2, height)
                : GRAPHENE_RECT_INIT (half + (float) GAP / 2, 0, width - half - (float) GAP / 2, height);
}

void
capra_canvas_get_origin (CapraCanvas *self, gboolean before, double *x, double *y)
{
  graphene_rect_t pane = capra_canvas_get_pane (self, before);
  double scale = capra_canvas_get_unit_scale (self);

  *x = round (pane.origin.x + pane.size.width / 2.0 - self->center_x * scale);
  *y = round (pane.origin.y + pane.size.height / 2.0 - self->center_y * scale);
}

void
capra_canvas_to_image (CapraCanvas *self, double x, double y, double *image_x, double *image_y)
{
  graphene_rect_t left = capra_canvas_get_pane (self, TRUE);
  gboolean before = self->compare == CAPRA_COMPARE_SIDE && x < left.size.width + GAP / 2;
  double origin_x, origin_y, scale = capra_canvas_get_unit_scale (self);

  capra_canvas_get_origin (self, before, &origin_x, &origin_y);
  *image_x = (x - origin_x) / scale;
  *image_y = (y - origin_y) / scale;
}

/* The part of the image that @pane shows. */
static GeglRectangle
get_visible (CapraCanvas *self, gboolean before)
{
  graphene_rect_t pane = capra_canvas_get_pane (self, before);
  double scale = capra_canvas_get_unit_scale (self), x, y;
  GeglRectangle visible;

  capra_canvas_get_origin (self, before, &x, &y);
  visible.x = (int) floor ((pane.origin.x - x) / scale);
  visible.y = (int) floor ((pane.origin.y - y) / scale);
  visible.width = (int) ceil ((pane.origin.x + pane.size.width - x) / scale) - visible.x;
  visible.height = (int) ceil ((pane.origin.y + pane.size.height - y) / scale) - visible.y;
  return visible;
}

GeglRectangle
capra_canvas_get_visible (CapraCanvas *self)
{
  GeglRectangle visible = get_visible (self, FALSE);

  gegl_rectangle_intersect (&visible, &visible, &self->extent);
  return visible;
}

static gboolean
has_image (CapraCanvas *self)
{
  return self->before && self->extent.width > 0;
}

/* Tells the previews what is to be seen; only those that are looked at work. */
static void
update_wants (CapraCanvas *self)
{
  gboolean before = self->compare != CAPRA_COMPARE_OFF || self->original;
  GeglRectangle visible;

  if (!has_image (self) || gtk_widget_get_width (GTK_WIDGET (self)) < 1)
    return;
  visible = get_visible (self, TRUE);
  capra_preview_set_view (self->before, &visible, before ? self->scale : 0.0);
  visible = get_visible (self, FALSE);
  capra_preview_set_view (self->after, &visible, self->scale);
}

static double
get_fit_scale (CapraCanvas *self)
{
  graphene_rect_t pane = capra_canvas_get_pane (self, FALSE);
  double factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double scale = MIN (pane.size.width / self->extent.width, pane.size.height / self->extent.height);

  return CLAMP (scale * factor, MIN_SCALE, 1.0);
}

/* Keeps the image within reach. */
static void
clamp_center (CapraCanvas *self)
{
  self->center_x = CLAMP (self->center_x, self->extent.x, self->extent.x + self->extent.width);
  self->center_y = CLAMP (self->center_y, self->extent.y, self->extent.y + self->extent.height);
}

void
capra_canvas_view_changed (CapraCanvas *self)
{
  if (!has_image (self))
    return;
  if (self->fit)
    {
      self->scale = get_fit_scale (self);
      self->center_x = self->extent.x + self->extent.width / 2.0;
      self->center_y = self->extent.y + self->extent.height / 2.0;
    }
  clamp_center (self);
  update_wants (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
  g_signal_emit (self, signals[POINTER_CHANGED], 0);
}

static void
draw_preview (CapraCanvas *self, GtkSnapshot *snapshot, gboolean before, const graphene_rect_t *clip)
{
  GeglRectangle seen = get_visible (self, before);
  graphene_rect_t visible = GRAPHENE_RECT_INIT (seen.x, seen.y, seen.width, seen.height);
  double x, y;

  capra_canvas_get_origin (self, before, &x, &y);
  gtk_snapshot_push_clip (snapshot, clip);
  capra_preview_snapshot (before ? self->before : self->after, snapshot, &visible, capra_canvas_get_unit_scale (self),
                          x, y);
  gtk_snapshot_pop (snapshot);
}

/* The line between before and after, with a knob that shows that it can be dragged. */
static void
draw_split (CapraCanvas *self, GtkSnapshot *snapshot, double x, double height)
{
  static const GdkRGBA light = { 1, 1, 1, 0.95f }, dark = { 0, 0, 0, 0.45f };
  cairo_t *cr;
  double y = height / 2.0;

  gtk_snapshot_append_color (snapshot, &dark, &GRAPHENE_RECT_INIT ((float) x - 1.5f, 0, 3, (float) height));
  gtk_snapshot_append_color (snapshot, &light, &GRAPHENE_RECT_INIT ((float) x - 0.5f, 0, 1, (float) height));
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT ((float) (x - KNOB - 2), (float) (y - KNOB - 2),
                                                                 (float) (2 * KNOB + 4), (float) (2 * KNOB + 4)));
  cairo_arc (cr, x, y, KNOB, 0, 2 * G_PI);
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

static void
draw_label (CapraCanvas *self, GtkSnapshot *snapshot, const char *text, double x, gboolean end)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
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

static void
draw_compared (CapraCanvas *self, GtkSnapshot *snapshot, float width, float height)
{
  graphene_rect_t left = capra_canvas_get_pane (self, TRUE);
  graphene_rect_t right = capra_canvas_get_pane (self, FALSE);
  float x = left.size.width;

  if (self->compare == CAPRA_COMPARE_SPLIT)
    {
      x = roundf ((float) (self->split * width));
      left = GRAPHENE_RECT_INIT (0, 0, x, height);
      right = GRAPHENE_RECT_INIT (x, 0, width - x, height);
    }
  draw_preview (self, snapshot, TRUE, &left);
  draw_preview (self, snapshot, FALSE, &right);
  if (x > 120)
    draw_label (self, snapshot, _ ("Before"), 0, FALSE);
  if (width - x > 120)
    draw_label (self, snapshot, _ ("After"), width, TRUE);
  if (self->compare == CAPRA_COMPARE_SPLIT)
    draw_split (self, snapshot, x, height);
}

static void
capra_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraCanvas *self = CAPRA_CANVAS (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);

  if (!has_image (self))
    return;
  if (self->original)
    {
      draw_preview (self, snapshot, TRUE, &all);
      draw_label (self, snapshot, _ ("Before"), 0, FALSE);
    }
  else if (self->compare == CAPRA_COMPARE_OFF)
    draw_preview (self, snapshot, FALSE, &all);
  else
    draw_compared (self, snapshot, width, height);
}

static void
capra_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  capra_canvas_view_changed (CAPRA_CANVAS (widget));
}

static void
on_updated (CapraPreview *preview, gpointer data)
{
  gtk_widget_queue_draw (GTK_WIDGET (data));
}

static void
set_preview (CapraCanvas *self, CapraPreview **slot, CapraPreview *preview)
{
  if (*slot)
    g_signal_handlers_disconnect_by_data (*slot, self);
  g_set_object (slot, preview);
  if (preview)
    g_signal_connect (preview, "updated", G_CALLBACK (on_updated), self);
}

void
capra_canvas_set_image (CapraCanvas *self, const GeglRectangle *extent, CapraPreview *before, CapraPreview *after)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  set_preview (self, &self->before, before);
  set_preview (self, &self->after, after);
  self->extent = extent ? *extent : (GeglRectangle){ 0, 0, 0, 0 };
  self->fit = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  capra_canvas_view_changed (self);
}

void
capra_canvas_set_compare (CapraCanvas *self, CapraCompare compare)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->compare = compare;
  capra_canvas_view_changed (self);
}

CapraCompare
capra_canvas_get_compare (CapraCanvas *self)
{
  return self->compare;
}

void
capra_canvas_set_show_original (CapraCanvas *self, gboolean show)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  if (self->original == !!show)
    return;
  self->original = !!show;
  update_wants (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
capra_canvas_set_split (CapraCanvas *self, double split)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->split = CLAMP (split, 0.0, 1.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

double
capra_canvas_get_scale (CapraCanvas *self)
{
  return self->scale;
}

void
capra_canvas_zoom_at (CapraCanvas *self, double scale, double x, double y)
{
  double image_x, image_y, new_x, new_y;

  if (!has_image (self))
    return;
  capra_canvas_to_image (self, x, y, &image_x, &image_y);
  self->fit = FALSE;
  self->scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  capra_canvas_to_image (self, x, y, &new_x, &new_y);
  self->center_x += image_x - new_x;
  self->center_y += image_y - new_y;
  capra_canvas_view_changed (self);
}

void
capra_canvas_zoom_to (CapraCanvas *self, double scale)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->fit = FALSE;
  self->scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  capra_canvas_view_changed (self);
}

void
capra_canvas_zoom_step (CapraCanvas *self, int direction)
{
  double step = log2 (self->scale) * 2.0; /* two steps double the size */

  step = direction > 0 ? floor (step + 1e-6) + 1.0 : ceil (step - 1e-6) - 1.0;
  capra_canvas_zoom_to (self, exp2 (step / 2.0));
}

void
capra_canvas_zoom_fit (CapraCanvas *self)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->fit = TRUE;
  capra_canvas_view_changed (self);
}

gboolean
capra_canvas_get_pointer (CapraCanvas *self, int *x, int *y)
{
  double image_x, image_y;

  if (!self->inside || !has_image (self))
    return FALSE;
  capra_canvas_to_image (self, self->pointer_x, self->pointer_y, &image_x, &image_y);
  *x = (int) floor (image_x);
  *y = (int) floor (image_y);
  return *x >= self->extent.x && *y >= self->extent.y && *x < self->extent.x + self->extent.width
         && *y < self->extent.y + self->extent.height;
}

static void
capra_canvas_dispose (GObject *object)
{
  CapraCanvas *self = CAPRA_CANVAS (object);

  set_preview (self, &self->before, NULL);
  set_preview (self, &self->after, NULL);
  G_OBJECT_CLASS (capra_canvas_parent_class)->dispose (object);
}

static void
capra_canvas_class_init (CapraCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_canvas_dispose;
  widget_class->snapshot = capra_canvas_snapshot;
  widget_class->size_allocate = capra_canvas_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "capracanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[VIEW_CHANGED] = g_signal_new ("view-changed", CAPRA_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  signals[POINTER_CHANGED] = g_signal_new ("pointer-changed", CAPRA_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 0);
}

static void
capra_canvas_init (CapraCanvas *self)
{
  self->scale = 1.0;
  self->fit = TRUE;
  self->split = 0.5;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Image"), -1);
  capra_canvas_add_input (self);
}
