/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: shows an image and a pipeline's result; both can be panned, zoomed and compared. */
#include "ui/panel/preview/canvas.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/preview/canvas-fit.h"
#include "ui/panel/preview/canvas-marks.h"

#define MIN_SCALE (1.0 / 1024.0)
#define MAX_SCALE 64.0
#define SMALL 256      /* pixels of the screen that an image should cover along its larger side */
#define GAP 2.0        /* between the panes, side by side */
#define SPLIT_GRAB 8.0 /* maximum distance from the dividing line to drag it */

struct _CapraCanvas {
  GtkWidget parent_instance;
  CapraPreview *before, *after;
  GeglRectangle extent;      /* of the image; empty without one */
  GeglRectangle fitted;      /* the part of it that is fitted in the widget */
  double scale;              /* pixels of the screen per pixel of the image */
  double center_x, center_y; /* point of the image in the middle of the view */
  gboolean fit;
  CapraCompare compare;
  gboolean show_original;
  double split;
  gboolean inside; /* whether the pointer is over the widget */
  double pointer_x, pointer_y;
};

G_DEFINE_FINAL_TYPE (CapraCanvas, capra_canvas, GTK_TYPE_WIDGET)

enum { PROP_SCALE = 1, PROP_COMPARE, PROP_SHOW_ORIGINAL, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint pointer_changed_signal;

/* clang-format off */
G_DEFINE_ENUM_TYPE (CapraCompare, capra_compare,
                    G_DEFINE_ENUM_VALUE (CAPRA_COMPARE_OFF, "off"),
                    G_DEFINE_ENUM_VALUE (CAPRA_COMPARE_SPLIT, "split"),
                    G_DEFINE_ENUM_VALUE (CAPRA_COMPARE_SIDE, "side"))
/* clang-format on */

double
capra_canvas_get_unit_scale (CapraCanvas *self)
{
  return self->scale / gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

/* The part of the widget that shows the image, or the result. */
static graphene_rect_t
get_pane (CapraCanvas *self, gboolean before)
{
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self));
  float height = (float) gtk_widget_get_height (GTK_WIDGET (self));
  float half = floorf (width / 2.0f);

  if (self->compare != CAPRA_COMPARE_SIDE)
    return GRAPHENE_RECT_INIT (0, 0, width, height);
  return before ? GRAPHENE_RECT_INIT (0, 0, half - (float) GAP / 2, height)
                : GRAPHENE_RECT_INIT (half + (float) GAP / 2, 0, width - half - (float) GAP / 2, height);
}

/* Position of the image's origin in that pane. */
static void
get_origin (CapraCanvas *self, gboolean before, double *x, double *y)
{
  graphene_rect_t pane = get_pane (self, before);
  double scale = capra_canvas_get_unit_scale (self);

  *x = round (pane.origin.x + pane.size.width / 2.0 - self->center_x * scale);
  *y = round (pane.origin.y + pane.size.height / 2.0 - self->center_y * scale);
}

void
capra_canvas_get_origin (CapraCanvas *self, double *x, double *y)
{
  get_origin (self, FALSE, x, y);
}

void
capra_canvas_to_image (CapraCanvas *self, double x, double y, double *image_x, double *image_y)
{
  graphene_rect_t left = get_pane (self, TRUE);
  gboolean before = self->compare == CAPRA_COMPARE_SIDE && x < left.size.width + GAP / 2;
  double origin_x, origin_y, scale = capra_canvas_get_unit_scale (self);

  get_origin (self, before, &origin_x, &origin_y);
  *image_x = (x - origin_x) / scale;
  *image_y = (y - origin_y) / scale;
}

/* The part of the image that the pane shows. */
static GeglRectangle
get_visible (CapraCanvas *self, gboolean before)
{
  graphene_rect_t pane = get_pane (self, before);
  double scale = capra_canvas_get_unit_scale (self), x, y;
  GeglRectangle visible;

  get_origin (self, before, &x, &y);
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

/* A preview that is hidden does not render. */
static void
update_previews (CapraCanvas *self)
{
  gboolean before = self->compare != CAPRA_COMPARE_OFF || self->show_original;
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
  graphene_rect_t pane = get_pane (self, FALSE);
  int factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  return CLAMP (
    capra_canvas_fit_scale (&self->fitted, &self->extent, factor * pane.size.width, factor * pane.size.height, factor),
    MIN_SCALE, MAX_SCALE);
}

/* The middle of the view stays inside the image. */
static void
clamp_center (CapraCanvas *self)
{
  self->center_x = CLAMP (self->center_x, self->extent.x, self->extent.x + self->extent.width);
  self->center_y = CLAMP (self->center_y, self->extent.y, self->extent.y + self->extent.height);
}

static void
update_view (CapraCanvas *self)
{
  if (!has_image (self))
    return;
  if (self->fit)
    {
      self->scale = get_fit_scale (self);
      self->center_x = self->fitted.x + self->fitted.width / 2.0;
      self->center_y = self->fitted.y + self->fitted.height / 2.0;
    }
  clamp_center (self);
  update_previews (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCALE]);
  g_signal_emit (self, pointer_changed_signal, 0); /* another pixel is under the pointer */
}

graphene_rect_t
capra_canvas_get_result_area (CapraCanvas *self)
{
  graphene_rect_t area = get_pane (self, FALSE);
  float line = self->compare == CAPRA_COMPARE_SPLIT ? roundf ((float) self->split * area.size.width) : 0.0f;

  if (!has_image (self) || self->show_original)
    return GRAPHENE_RECT_INIT (0, 0, 0, 0);
  area.origin.x += line;
  area.size.width -= line;
  return area;
}

static void
draw_preview (CapraCanvas *self, GtkSnapshot *snapshot, gboolean before, const graphene_rect_t *clip)
{
  GeglRectangle seen = get_visible (self, before);
  graphene_rect_t visible = GRAPHENE_RECT_INIT (seen.x, seen.y, seen.width, seen.height);
  double x, y;

  get_origin (self, before, &x, &y);
  gtk_snapshot_push_clip (snapshot, clip);
  capra_preview_snapshot (before ? self->before : self->after, snapshot, GTK_WIDGET (self), &visible,
                          capra_canvas_get_unit_scale (self), x, y);
  gtk_snapshot_pop (snapshot);
}

static void
draw_compared (CapraCanvas *self, GtkSnapshot *snapshot)
{
  graphene_rect_t left = get_pane (self, TRUE);
  graphene_rect_t right = capra_canvas_get_result_area (self);

  if (self->compare == CAPRA_COMPARE_SPLIT)
    left.size.width = right.origin.x;
  draw_preview (self, snapshot, TRUE, &left);
  draw_preview (self, snapshot, FALSE, &right);
  capra_canvas_marks_draw_compared (GTK_WIDGET (self), snapshot, left.size.width, self->compare == CAPRA_COMPARE_SPLIT);
}

static void
capra_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraCanvas *self = CAPRA_CANVAS (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);

  if (!has_image (self))
    return;
  if (self->show_original)
    {
      draw_preview (self, snapshot, TRUE, &all);
      capra_canvas_marks_draw_before (widget, snapshot);
    }
  else if (self->compare == CAPRA_COMPARE_OFF)
    draw_preview (self, snapshot, FALSE, &all);
  else
    draw_compared (self, snapshot);
}

static void
capra_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_view (CAPRA_CANVAS (widget));
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
capra_canvas_set_image (CapraCanvas *self, const GeglRectangle *extent, CapraPreview *before, CapraPreview *after,
                        gboolean keep_view)
{
  set_preview (self, &self->before, before);
  set_preview (self, &self->after, after);
  if (!keep_view || !extent || !gegl_rectangle_equal (&self->extent, extent))
    {
      self->fit = TRUE;
      self->extent = self->fitted = extent ? *extent : (GeglRectangle){ 0 };
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  update_view (self);
}

void
capra_canvas_set_compare (CapraCanvas *self, CapraCompare compare)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  if (self->compare == compare)
    return;
  self->compare = compare;
  update_view (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPARE]);
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
  if (self->show_original == !!show)
    return;
  self->show_original = !!show;
  update_previews (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_ORIGINAL]);
}

double
capra_canvas_get_split (CapraCanvas *self)
{
  return self->split;
}

gboolean
capra_canvas_is_near_split (CapraCanvas *self, double x)
{
  double line = self->split * gtk_widget_get_width (GTK_WIDGET (self));

  return self->compare == CAPRA_COMPARE_SPLIT && !self->show_original && fabs (x - line) <= SPLIT_GRAB;
}

void
capra_canvas_set_split (CapraCanvas *self, double split)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->split = CLAMP (split, 0.0, 1.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCALE]);
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
  update_view (self);
}

void
capra_canvas_zoom_to (CapraCanvas *self, double scale)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->fit = FALSE;
  self->scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  update_view (self);
}

void
capra_canvas_zoom_step (CapraCanvas *self, int direction)
{
  double step = log2 (self->scale) * 2.0; /* two steps double the scale */

  step = direction > 0 ? floor (step + 1e-6) + 1.0 : ceil (step - 1e-6) - 1.0;
  capra_canvas_zoom_to (self, exp2 (step / 2.0));
}

void
capra_canvas_zoom_to_area (CapraCanvas *self, const GeglRectangle *area)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->fit = TRUE;
  self->fitted = *area;
  update_view (self);
}

void
capra_canvas_zoom_fit (CapraCanvas *self)
{
  capra_canvas_zoom_to_area (self, &self->extent);
}

void
capra_canvas_get_center (CapraCanvas *self, double *x, double *y)
{
  *x = self->center_x;
  *y = self->center_y;
}

void
capra_canvas_set_center (CapraCanvas *self, double x, double y)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->fit = FALSE;
  self->center_x = x;
  self->center_y = y;
  update_view (self);
}

void
capra_canvas_set_pointer (CapraCanvas *self, gboolean inside, double x, double y)
{
  g_return_if_fail (CAPRA_IS_CANVAS (self));
  self->inside = inside;
  self->pointer_x = x;
  self->pointer_y = y;
  g_signal_emit (self, pointer_changed_signal, 0);
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
capra_canvas_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraCanvas *self = CAPRA_CANVAS (object);

  switch (id)
    {
    case PROP_SCALE: g_value_set_double (value, self->scale); break;
    case PROP_COMPARE: g_value_set_enum (value, self->compare); break;
    case PROP_SHOW_ORIGINAL: g_value_set_boolean (value, self->show_original); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_canvas_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraCanvas *self = CAPRA_CANVAS (object);

  switch (id)
    {
    case PROP_COMPARE: capra_canvas_set_compare (self, g_value_get_enum (value)); break;
    case PROP_SHOW_ORIGINAL: capra_canvas_set_show_original (self, g_value_get_boolean (value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
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
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_canvas_dispose;
  object_class->get_property = capra_canvas_get_property;
  object_class->set_property = capra_canvas_set_property;
  widget_class->snapshot = capra_canvas_snapshot;
  widget_class->size_allocate = capra_canvas_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "capracanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  properties[PROP_SCALE] = g_param_spec_double ("scale", NULL, NULL, MIN_SCALE, MAX_SCALE, 1.0,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_COMPARE] = g_param_spec_enum ("compare", NULL, NULL, CAPRA_TYPE_COMPARE, CAPRA_COMPARE_OFF,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_ORIGINAL] = g_param_spec_boolean (
    "show-original", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  pointer_changed_signal = g_signal_new ("pointer-changed", CAPRA_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
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
}
