/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-view: shows a curve, with points that can be dragged, added and removed. */
#include "ui/panel/widgets/curve-view.h"

#include <math.h>

#include "ui/panel/widgets/draw.h"

#define HEIGHT 168
#define MARGIN 8         /* around the curve, for points at its ends */
#define GRAB_DISTANCE 12 /* maximum distance from the pointer to the point that it drags, in pixels */
#define POINT_RADIUS 4.5
#define MIN_DISTANCE 1e-3 /* between adjacent points */
#define KEY_STEP 0.01     /* distance that an arrow key moves a point, as a fraction of the range */
#define SAMPLES 96        /* number of line segments that draw the curve */

typedef struct {
  double x, y;
} Point;

struct _CapraCurveView {
  GtkWidget parent_instance;
  GArray *points; /* of Point, sorted by x, which is 0 to 1 */
  GeglCurve *curve;
  double low, high;        /* range of y */
  int selected;            /* index of a point, or -1 */
  double start_x, start_y; /* position of the selected point at the start of a drag */
};

G_DEFINE_FINAL_TYPE (CapraCurveView, capra_curve_view, GTK_TYPE_WIDGET)

static guint changed_signal;

static double
to_x (CapraCurveView *self, double x)
{
  return MARGIN + x * (gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN);
}

static double
to_y (CapraCurveView *self, double y)
{
  double share = (y - self->low) / (self->high - self->low);

  return gtk_widget_get_height (GTK_WIDGET (self)) - MARGIN
         - CLAMP (share, 0, 1) * (gtk_widget_get_height (GTK_WIDGET (self)) - 2 * MARGIN);
}

static Point
to_point (CapraCurveView *self, double x, double y)
{
  double width = MAX (gtk_widget_get_width (GTK_WIDGET (self)) - 2 * MARGIN, 1);
  double height = MAX (gtk_widget_get_height (GTK_WIDGET (self)) - 2 * MARGIN, 1);

  return (Point){ CLAMP ((x - MARGIN) / width, 0, 1),
                  self->low + CLAMP (1 - (y - MARGIN) / height, 0, 1) * (self->high - self->low) };
}

static Point *
get_point (CapraCurveView *self, int index)
{
  return &g_array_index (self->points, Point, index);
}

static int
find_point (CapraCurveView *self, double x, double y)
{
  double nearest = GRAB_DISTANCE;
  int found = -1;

  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = get_point (self, (int) i);
      double distance = hypot (to_x (self, point->x) - x, to_y (self, point->y) - y);

      if (distance < nearest)
        {
          nearest = distance;
          found = (int) i;
        }
    }
  return found;
}

static void
rebuild (CapraCurveView *self)
{
  g_clear_object (&self->curve);
  self->curve = gegl_curve_new (self->low, self->high);
  for (guint i = 0; i < self->points->len; i++)
    gegl_curve_add_point (self->curve, get_point (self, (int) i)->x, get_point (self, (int) i)->y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
emit_changed (CapraCurveView *self)
{
  rebuild (self);
  g_signal_emit (self, changed_signal, 0, self->curve);
}

/* Keeps the points sorted. Returns: the index of the new point */
static int
add_point (CapraCurveView *self, Point point)
{
  guint at = 0;

  while (at < self->points->len && get_point (self, (int) at)->x < point.x)
    at++;
  g_array_insert_val (self->points, at, point);
  return (int) at;
}

void
capra_curve_view_move (CapraCurveView *view, int index, double x, double y)
{
  Point target = { CLAMP (x, 0, 1), CLAMP (y, view->low, view->high) };

  g_return_if_fail (CAPRA_IS_CURVE_VIEW (view) && index < (int) view->points->len);
  if (index < 0)
    view->selected = add_point (view, target);
  else
    {
      double left = index > 0 ? get_point (view, index - 1)->x + MIN_DISTANCE : 0;
      double right = index + 1 < (int) view->points->len ? get_point (view, index + 1)->x - MIN_DISTANCE : 1;

      target.x = CLAMP (target.x, MIN (left, right), right);
      *get_point (view, index) = target;
    }
  emit_changed (view);
}

void
capra_curve_view_remove (CapraCurveView *view, int index)
{
  g_return_if_fail (CAPRA_IS_CURVE_VIEW (view));
  if (index < 0 || view->points->len <= 2)
    return; /* a line needs two points */
  g_array_remove_index (view->points, (guint) index);
  view->selected = -1;
  emit_changed (view);
}

void
capra_curve_view_set_curve (CapraCurveView *view, GeglCurve *curve)
{
  g_return_if_fail (CAPRA_IS_CURVE_VIEW (view));
  if (curve && curve == view->curve)
    return; /* the view's own change */
  g_array_set_size (view->points, 0);
  view->low = 0;
  view->high = 1;
  if (curve)
    gegl_curve_get_y_bounds (curve, &view->low, &view->high);
  for (guint i = 0; curve && i < gegl_curve_num_points (curve); i++)
    {
      Point point;

      gegl_curve_get_point (curve, i, &point.x, &point.y);
      add_point (view, point);
    }
  if (view->points->len == 0)
    for (int i = 0; i <= 1; i++)
      add_point (view, (Point){ i, i ? view->high : view->low });
  view->selected = view->selected < (int) view->points->len ? view->selected : -1;
  rebuild (view);
}

static void
draw_line (CapraCurveView *self, cairo_t *cr, const GdkRGBA *color)
{
  for (int i = 0; i <= SAMPLES; i++)
    {
      double x = (double) i / SAMPLES;

      cairo_line_to (cr, to_x (self, x), to_y (self, gegl_curve_calc_value (self->curve, x)));
    }
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
capra_curve_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraCurveView *self = CAPRA_CURVE_VIEW (widget);
  GdkRGBA grid = capra_draw_foreground (widget, 0.12), line = capra_draw_foreground (widget, 0.85);
  GdkRGBA selected = capra_draw_color (CAPRA_PALETTE_THRESHOLD);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_t *cr = NULL;

  for (int i = 0; i <= 4; i++)
    {
      float x = (float) to_x (self, i / 4.0), y = (float) (MARGIN + i / 4.0 * (height - 2 * MARGIN));

      gtk_snapshot_append_color (snapshot, &grid, &GRAPHENE_RECT_INIT (x, MARGIN, 1, (float) height - 2 * MARGIN));
      gtk_snapshot_append_color (snapshot, &grid, &GRAPHENE_RECT_INIT (MARGIN, y, (float) width - 2 * MARGIN, 1));
    }
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  draw_line (self, cr, &line);
  for (guint i = 0; i < self->points->len; i++)
    {
      const Point *point = get_point (self, (int) i);

      cairo_arc (cr, to_x (self, point->x), to_y (self, point->y), POINT_RADIUS, 0, 2 * G_PI);
      gdk_cairo_set_source_rgba (cr, (int) i == self->selected ? &selected : &line);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
}

static void
capra_curve_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                          int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 96;
  *natural = MAX (*minimum, HEIGHT);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, gpointer data)
{
  CapraCurveView *self = data;

  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->selected = find_point (self, x, y);
  if (self->selected < 0)
    {
      Point target = to_point (self, x, y);

      capra_curve_view_move (self, -1, target.x, target.y);
    }
  self->start_x = to_x (self, get_point (self, self->selected)->x);
  self->start_y = to_y (self, get_point (self, self->selected)->y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, gpointer data)
{
  CapraCurveView *self = data;
  Point target = to_point (self, self->start_x + dx, self->start_y + dy);

  if (self->selected >= 0)
    capra_curve_view_move (self, self->selected, target.x, target.y);
}

static void
on_right_click (GtkGestureClick *click, int n, double x, double y, gpointer data)
{
  capra_curve_view_remove (data, find_point (data, x, y));
}

/* Page Up and Page Down select a point, arrow keys move it, Delete removes it, Insert adds another one after it. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraCurveView *self = data;
  int last = (int) self->points->len - 1, selected = CLAMP (self->selected, 0, last);
  double rise = KEY_STEP * (self->high - self->low);
  Point *point = get_point (self, selected);
  Point *next = get_point (self, MIN (selected + 1, last));

  switch (key)
    {
    case GDK_KEY_Page_Up: self->selected = MIN (self->selected + 1, last); break;
    case GDK_KEY_Page_Down: self->selected = MAX (self->selected - 1, 0); break;
    case GDK_KEY_Left: capra_curve_view_move (self, selected, point->x - KEY_STEP, point->y); break;
    case GDK_KEY_Right: capra_curve_view_move (self, selected, point->x + KEY_STEP, point->y); break;
    case GDK_KEY_Up: capra_curve_view_move (self, selected, point->x, point->y + rise); break;
    case GDK_KEY_Down: capra_curve_view_move (self, selected, point->x, point->y - rise); break;
    case GDK_KEY_Delete: capra_curve_view_remove (self, selected); break;
    case GDK_KEY_Insert: capra_curve_view_move (self, -1, (point->x + next->x) / 2, (point->y + next->y) / 2); break;
    default: return FALSE;
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

static void
capra_curve_view_finalize (GObject *object)
{
  CapraCurveView *self = CAPRA_CURVE_VIEW (object);

  g_array_unref (self->points);
  g_clear_object (&self->curve);
  G_OBJECT_CLASS (capra_curve_view_parent_class)->finalize (object);
}

static void
capra_curve_view_class_init (CapraCurveViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = capra_curve_view_finalize;
  widget_class->snapshot = capra_curve_view_snapshot;
  widget_class->measure = capra_curve_view_measure;
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_CURVE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, GEGL_TYPE_CURVE);
  gtk_widget_class_set_css_name (widget_class, "curve");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
capra_curve_view_init (CapraCurveView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new (), *right = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->selected = -1;
  capra_curve_view_set_curve (self, NULL);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (right), GDK_BUTTON_SECONDARY);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (right, "pressed", G_CALLBACK (on_right_click), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (right));
  gtk_widget_add_controller (widget, keys);
}

GtkWidget *
capra_curve_view_new (void)
{
  return g_object_new (CAPRA_TYPE_CURVE_VIEW, NULL);
}
