/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line-tool: a line over a canvas that can be drawn, and moved by pointer and keys. */
#include "ui/panel/preview/line-tool.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define GRAB_END 12.0 /* maximum distance from an end to drag it, in units of the widget */
#define GRAB_LINE 6.0
#define RADIUS 5.0
#define MARGIN 10.0 /* around the line, for its ends */
#define KEY_STEP 10 /* pixels, with Shift */

/* What a drag or a key moves. */
typedef enum { FIRST_END, SECOND_END, WHOLE, NEW_LINE } Part;

struct _CapraLineTool {
  GtkWidget parent_instance;
  CapraCanvas *canvas;
  gboolean active, has_line;
  CapraLine line;
  GeglRectangle extent; /* of the image that the line is for */
  Part part;            /* that keys move; never NEW_LINE */
  Part dragged;
  CapraLine drag_line;     /* at the start of a drag */
  double drag_x, drag_y;   /* on the widget */
  int drag_left, drag_top; /* the pixel there */
};

G_DEFINE_FINAL_TYPE (CapraLineTool, capra_line_tool, GTK_TYPE_WIDGET)

enum { PROP_CANVAS = 1, PROP_ACTIVE, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint changed_signal;

const CapraLine *
capra_line_tool_get_line (CapraLineTool *tool)
{
  g_return_val_if_fail (CAPRA_IS_LINE_TOOL (tool), NULL);
  return tool->active && tool->has_line ? &tool->line : NULL;
}

static void
set_line (CapraLineTool *self, const CapraLine *line)
{
  if (self->has_line && capra_line_equal (&self->line, line))
    return;
  self->line = *line;
  self->has_line = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, changed_signal, 0);
}

void
capra_line_tool_set_line (CapraLineTool *tool, const CapraLine *line)
{
  CapraLine inside = *line;

  g_return_if_fail (CAPRA_IS_LINE_TOOL (tool));
  g_return_if_fail (tool->active);
  capra_line_clamp (&inside, &tool->extent);
  set_line (tool, &inside);
}

/* Across the middle of what is visible. */
static CapraLine
make_first_line (CapraLineTool *self)
{
  GeglRectangle visible = capra_canvas_get_visible (self->canvas);
  int y = visible.y + visible.height / 2;
  CapraLine line = { { visible.x + visible.width / 4, visible.x + visible.width * 3 / 4 }, { y, y } };

  capra_line_clamp (&line, &self->extent);
  return line;
}

static void
update_view (CapraLineTool *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->active && !self->has_line && self->extent.width > 0 && gtk_widget_get_width (GTK_WIDGET (self->canvas)) > 0)
    {
      CapraLine line = make_first_line (self);

      set_line (self, &line);
    }
}

void
capra_line_tool_set_extent (CapraLineTool *tool, const GeglRectangle *extent)
{
  g_return_if_fail (CAPRA_IS_LINE_TOOL (tool));
  if (gegl_rectangle_equal (extent, &tool->extent))
    return;
  tool->extent = *extent;
  tool->has_line = FALSE;
  update_view (tool);
}

static void
update_description (CapraLineTool *self)
{
  static const char *const texts[] = { N_ ("Arrow keys move the first end, Space chooses what they move"),
                                       N_ ("Arrow keys move the second end, Space chooses what they move"),
                                       N_ ("Arrow keys move the line, Space chooses what they move") };

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ (texts[self->part]),
                                  -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_active (CapraLineTool *self, gboolean active)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (self->active == active)
    return;
  if (!active && gtk_widget_has_focus (GTK_WIDGET (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  self->active = active;
  gtk_widget_set_visible (GTK_WIDGET (self), active);
  if (parent) /* the canvas has a cursor of its own only over its dividing line */
    gtk_widget_set_cursor_from_name (parent, active ? "crosshair" : NULL);
  update_view (self);
  if (active)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE]);
  g_signal_emit (self, changed_signal, 0);
}

/* The pixel of the image at a position on the canvas. */
static void
get_pixel (CapraLineTool *self, double x, double y, int *pixel_x, int *pixel_y)
{
  double image_x, image_y;

  capra_canvas_to_image (self->canvas, x, y, &image_x, &image_y);
  *pixel_x = (int) floor (image_x);
  *pixel_y = (int) floor (image_y);
}

/* Distances on the widget from a point to the ends and to the line between them. */
static void
measure_distances (CapraLineTool *self, double x, double y, double distances[3])
{
  double scale = capra_canvas_get_unit_scale (self->canvas), image_x, image_y, share;
  double dx = self->line.x[1] - self->line.x[0], dy = self->line.y[1] - self->line.y[0], square = dx * dx + dy * dy;

  capra_canvas_to_image (self->canvas, x, y, &image_x, &image_y);
  image_x -= self->line.x[0] + 0.5;
  image_y -= self->line.y[0] + 0.5;
  share = square > 0.0 ? CLAMP ((image_x * dx + image_y * dy) / square, 0.0, 1.0) : 0.0;
  distances[FIRST_END] = scale * hypot (image_x, image_y);
  distances[SECOND_END] = scale * hypot (image_x - dx, image_y - dy);
  distances[WHOLE] = scale * hypot (image_x - share * dx, image_y - share * dy);
}

static Part
find_part (CapraLineTool *self, double x, double y)
{
  double distances[3];
  Part nearest;

  measure_distances (self, x, y, distances);
  nearest = distances[FIRST_END] < distances[SECOND_END] ? FIRST_END : SECOND_END;
  return distances[nearest] <= GRAB_END ? nearest : distances[WHOLE] <= GRAB_LINE ? WHOLE : NEW_LINE;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  CapraLineTool *self = data;

  self->dragged = self->has_line ? find_part (self, x, y) : NEW_LINE;
  if (!capra_line_tool_get_line (self) || (self->dragged == NEW_LINE && capra_canvas_is_near_split (self->canvas, x)))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_line = self->line;
  self->drag_x = x;
  self->drag_y = y;
  get_pixel (self, x, y, &self->drag_left, &self->drag_top);
  self->part = self->dragged == NEW_LINE ? SECOND_END : self->dragged;
  update_description (self);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  CapraLineTool *self = data;
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  gboolean constrain = (state & GDK_SHIFT_MASK) != 0;
  CapraLine line = self->drag_line;
  int x, y;

  /* The canvas gets no motion of a pointer that drags the line. */
  capra_canvas_set_pointer (self->canvas, TRUE, self->drag_x + dx, self->drag_y + dy);
  get_pixel (self, self->drag_x + dx, self->drag_y + dy, &x, &y);
  if (self->dragged == WHOLE)
    capra_line_move (&line, x - self->drag_left, y - self->drag_top, &self->extent);
  else if (self->dragged == NEW_LINE)
    {
      if (x == self->drag_left && y == self->drag_top)
        return; /* a click alone leaves the line as it is */
      line = (CapraLine){ { self->drag_left, x }, { self->drag_top, y } };
      capra_line_set_end (&line, 0, self->drag_left, self->drag_top, FALSE, &self->extent);
      capra_line_set_end (&line, 1, x, y, constrain, &self->extent);
    }
  else
    capra_line_set_end (&line, self->dragged, x, y, constrain, &self->extent);
  set_line (self, &line);
}

static void
move_by_key (CapraLineTool *self, int dx, int dy)
{
  CapraLine line = self->line;

  if (self->part == WHOLE)
    capra_line_move (&line, dx, dy, &self->extent);
  else
    capra_line_set_end (&line, self->part, line.x[self->part] + dx, line.y[self->part] + dy, FALSE, &self->extent);
  set_line (self, &line);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraLineTool *self = data;
  int step = state & GDK_SHIFT_MASK ? KEY_STEP : 1;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) || !self->has_line)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left: move_by_key (self, -step, 0); return TRUE;
    case GDK_KEY_Right: move_by_key (self, step, 0); return TRUE;
    case GDK_KEY_Up: move_by_key (self, 0, -step); return TRUE;
    case GDK_KEY_Down: move_by_key (self, 0, step); return TRUE;
    case GDK_KEY_space:
      self->part = (Part) ((self->part + 1) % NEW_LINE);
      update_description (self);
      return TRUE;
    case GDK_KEY_Escape: set_active (self, FALSE); return TRUE;
    default: return FALSE;
    }
}

/* A dark edge makes white lines visible on any image. */
static void
stroke (cairo_t *cr, double width)
{
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_set_line_width (cr, width + 2.0);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

static void
draw_end (CapraLineTool *self, cairo_t *cr, guint end, double x, double y)
{
  gboolean chosen = gtk_widget_has_focus (GTK_WIDGET (self)) && (self->part == WHOLE || self->part == (Part) end);

  cairo_new_path (cr);
  cairo_arc (cr, x, y, RADIUS, 0, 2 * G_PI);
  cairo_set_source_rgba (cr, chosen ? 0.21 : 0.0, chosen ? 0.52 : 0.0, chosen ? 0.89 : 0.0, chosen ? 1.0 : 0.35);
  cairo_fill_preserve (cr);
  stroke (cr, 1.5);
}

static void
draw_line (CapraLineTool *self, GtkSnapshot *snapshot, const graphene_rect_t *clip)
{
  double scale = capra_canvas_get_unit_scale (self->canvas), left, top, x[2], y[2];
  graphene_rect_t bounds;
  cairo_t *cr;

  capra_canvas_get_origin (self->canvas, &left, &top);
  for (guint i = 0; i < 2; i++)
    {
      x[i] = left + (self->line.x[i] + 0.5) * scale;
      y[i] = top + (self->line.y[i] + 0.5) * scale;
    }
  bounds = GRAPHENE_RECT_INIT ((float) (MIN (x[0], x[1]) - MARGIN), (float) (MIN (y[0], y[1]) - MARGIN),
                               (float) (fabs (x[1] - x[0]) + 2 * MARGIN), (float) (fabs (y[1] - y[0]) + 2 * MARGIN));
  if (!graphene_rect_intersection (&bounds, clip, &bounds))
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cairo_move_to (cr, x[0], y[0]);
  cairo_line_to (cr, x[1], y[1]);
  stroke (cr, 1.5);
  for (guint i = 0; i < 2; i++)
    draw_end (self, cr, i, x[i], y[i]);
  cairo_destroy (cr);
}

static void
capra_line_tool_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraLineTool *self = CAPRA_LINE_TOOL (widget);
  graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                             (float) gtk_widget_get_height (widget));

  if (!capra_line_tool_get_line (self))
    return;
  if (capra_canvas_get_compare (self->canvas) == CAPRA_COMPARE_SIDE)
    area = capra_canvas_get_result_area (self->canvas);
  draw_line (self, snapshot, &area);
}

static void
attach (CapraLineTool *self, CapraCanvas *canvas)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->canvas = canvas;
  g_signal_connect_object (canvas, "notify::scale", G_CALLBACK (update_view), self, G_CONNECT_SWAPPED);
  /* Before the canvas pans. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_drag_begin), self, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (on_drag_update), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (canvas), GTK_EVENT_CONTROLLER (drag));
}

static void
capra_line_tool_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraLineTool *self = CAPRA_LINE_TOOL (object);

  switch (id)
    {
    case PROP_CANVAS: g_value_set_object (value, self->canvas); break;
    case PROP_ACTIVE: g_value_set_boolean (value, self->active); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_line_tool_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraLineTool *self = CAPRA_LINE_TOOL (object);

  switch (id)
    {
    case PROP_CANVAS: attach (self, g_value_get_object (value)); break;
    case PROP_ACTIVE: set_active (self, g_value_get_boolean (value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_line_tool_class_init (CapraLineToolClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = capra_line_tool_get_property;
  object_class->set_property = capra_line_tool_set_property;
  widget_class->snapshot = capra_line_tool_snapshot;
  gtk_widget_class_set_css_name (widget_class, "capralinetool");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  properties[PROP_CANVAS] = g_param_spec_object ("canvas", NULL, NULL, CAPRA_TYPE_CANVAS,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE] = g_param_spec_boolean ("active", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  changed_signal = g_signal_new ("changed", CAPRA_TYPE_LINE_TOOL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 0);
}

static void
capra_line_tool_init (CapraLineTool *self)
{
  GtkEventController *key = gtk_event_controller_key_new ();

  self->part = SECOND_END;
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (gtk_widget_queue_draw), NULL);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE); /* the canvas gets the events of the pointer */
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  update_description (self);
}
