/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-input: what the pointer, touch and the keyboard do on the canvas. */
#include <math.h>

#include "ui/panel/preview/canvas-private.h"

#define GRAB 8.0      /* how near to the dividing line a drag moves it */
#define KEY_STEP 48.0 /* how far an arrow key moves the view */

static gboolean
is_near_split (CapraCanvas *self, double x)
{
  double line = self->split * gtk_widget_get_width (GTK_WIDGET (self));

  return self->compare == CAPRA_COMPARE_SPLIT && !self->original && fabs (x - line) <= GRAB;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  CapraCanvas *self = data;

  self->inside = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_near_split (self, x) ? "col-resize" : NULL);
  g_signal_emit_by_name (self, "pointer-changed");
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer data)
{
  CapraCanvas *self = data;

  self->inside = FALSE;
  g_signal_emit_by_name (self, "pointer-changed");
}

/* A wheel zooms; fingers on a touchpad move, and zoom with Control. */
static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  CapraCanvas *self = data;
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  if (wheel || (state & GDK_CONTROL_MASK))
    {
      double steps = wheel ? dy : dy / 40.0;

      capra_canvas_zoom_at (self, self->scale * exp2 (-steps / 2.0), self->pointer_x, self->pointer_y);
      return TRUE;
    }
  self->fit = FALSE;
  self->center_x += dx / capra_canvas_get_unit_scale (self);
  self->center_y += dy / capra_canvas_get_unit_scale (self);
  capra_canvas_view_changed (self);
  return TRUE;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  CapraCanvas *self = data;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->moving_split = is_near_split (self, x);
  self->drag_x = self->moving_split ? x : self->center_x;
  self->drag_y = self->center_y;
  if (!self->moving_split)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  CapraCanvas *self = data;
  double scale = capra_canvas_get_unit_scale (self);

  if (self->moving_split)
    {
      capra_canvas_set_split (self, (self->drag_x + dx) / gtk_widget_get_width (GTK_WIDGET (self)));
      return;
    }
  if (dx == 0.0 && dy == 0.0)
    return;
  self->fit = FALSE;
  self->center_x = self->drag_x - dx / scale;
  self->center_y = self->drag_y - dy / scale;
  capra_canvas_view_changed (self);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (data), NULL);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  CapraCanvas *self = data;

  self->pinch_scale = self->scale;
}

static void
on_pinch (GtkGestureZoom *gesture, double factor, gpointer data)
{
  CapraCanvas *self = data;
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    capra_canvas_zoom_at (self, self->pinch_scale * factor, x, y);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraCanvas *self = data;
  double step = KEY_STEP / capra_canvas_get_unit_scale (self), dx = 0.0, dy = 0.0;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left: dx = -step; break;
    case GDK_KEY_Right: dx = step; break;
    case GDK_KEY_Up: dy = -step; break;
    case GDK_KEY_Down: dy = step; break;
    default: return FALSE;
    }
  if ((state & GDK_SHIFT_MASK) && self->compare == CAPRA_COMPARE_SPLIT)
    {
      capra_canvas_set_split (self, self->split + (dx > 0 ? 0.02 : dx < 0 ? -0.02 : 0.0));
      return TRUE;
    }
  self->fit = FALSE;
  self->center_x += dx;
  self->center_y += dy;
  capra_canvas_view_changed (self);
  return TRUE;
}

void
capra_canvas_add_input (CapraCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
