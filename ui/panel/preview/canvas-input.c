/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-input: pans, zooms and compares by pointer, touch and keyboard. */
#include "ui/panel/preview/canvas-input.h"

#include <math.h>

#define KEY_STEP 48.0       /* distance that an arrow key pans, in pixels */
#define SPLIT_KEY_STEP 0.02 /* fraction of the width that an arrow key moves the dividing line */
#define TOUCHPAD_STEP 40.0  /* distance on a touchpad that equals one step of a wheel */

/* State of one canvas's input. */
typedef struct {
  CapraCanvas *canvas;
  double pointer_x, pointer_y;
  gboolean moving_split; /* the drag moves the dividing line */
  double drag_x, drag_y; /* at its start: the middle of the view, or the dividing line */
  double pinch_scale;    /* at the start of the gesture */
} Input;

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  Input *self = data;

  self->pointer_x = x;
  self->pointer_y = y;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->canvas),
                                   capra_canvas_is_near_split (self->canvas, x) ? "col-resize" : NULL);
  capra_canvas_set_pointer (self->canvas, TRUE, x, y);
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer data)
{
  Input *self = data;

  capra_canvas_set_pointer (self->canvas, FALSE, self->pointer_x, self->pointer_y);
}

/* The middle of the view moves by that distance on the widget. */
static void
pan (CapraCanvas *canvas, double dx, double dy)
{
  double scale = capra_canvas_get_unit_scale (canvas), x, y;

  capra_canvas_get_center (canvas, &x, &y);
  capra_canvas_set_center (canvas, x + dx / scale, y + dy / scale);
}

/* A wheel zooms. Scrolling on a touchpad pans; with the Control key it zooms. */
static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  Input *self = data;
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  if (wheel || (state & GDK_CONTROL_MASK))
    {
      double steps = wheel ? dy : dy / TOUCHPAD_STEP;

      capra_canvas_zoom_at (self->canvas, capra_canvas_get_scale (self->canvas) * exp2 (-steps / 2.0), self->pointer_x,
                            self->pointer_y);
      return TRUE;
    }
  pan (self->canvas, dx, dy);
  return TRUE;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  Input *self = data;

  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  capra_canvas_get_center (self->canvas, &self->drag_x, &self->drag_y);
  self->moving_split = capra_canvas_is_near_split (self->canvas, x);
  if (self->moving_split)
    self->drag_x = x;
  else
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self->canvas), "grabbing");
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Input *self = data;
  double scale = capra_canvas_get_unit_scale (self->canvas);

  if (self->moving_split)
    capra_canvas_set_split (self->canvas, (self->drag_x + dx) / gtk_widget_get_width (GTK_WIDGET (self->canvas)));
  else if (dx != 0.0 || dy != 0.0)
    capra_canvas_set_center (self->canvas, self->drag_x - dx / scale, self->drag_y - dy / scale);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Input *self = data;

  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->canvas), NULL);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  Input *self = data;

  self->pinch_scale = capra_canvas_get_scale (self->canvas);
}

static void
on_pinch (GtkGestureZoom *gesture, double factor, gpointer data)
{
  Input *self = data;
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    capra_canvas_zoom_at (self->canvas, self->pinch_scale * factor, x, y);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  Input *self = data;
  double dx = 0.0, dy = 0.0;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left: dx = -1.0; break;
    case GDK_KEY_Right: dx = 1.0; break;
    case GDK_KEY_Up: dy = -1.0; break;
    case GDK_KEY_Down: dy = 1.0; break;
    default: return FALSE;
    }
  if ((state & GDK_SHIFT_MASK) && capra_canvas_get_compare (self->canvas) == CAPRA_COMPARE_SPLIT)
    capra_canvas_set_split (self->canvas, capra_canvas_get_split (self->canvas) + dx * SPLIT_KEY_STEP);
  else
    pan (self->canvas, dx * KEY_STEP, dy * KEY_STEP);
  return TRUE;
}

void
capra_canvas_input_attach (CapraCanvas *canvas)
{
  GtkWidget *widget = GTK_WIDGET (canvas);
  Input *self = g_new0 (Input, 1);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  self->canvas = canvas;
  g_object_set_data_full (G_OBJECT (canvas), "capra-canvas-input", self, g_free);
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

static gboolean
on_window_key_pressed (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraCanvas *canvas = data;
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (canvas)));

  if ((key != GDK_KEY_b && key != GDK_KEY_B) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
      || (focus && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus))))
    return FALSE;
  capra_canvas_set_show_original (canvas, TRUE);
  return TRUE;
}

static void
on_window_key_released (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraCanvas *canvas = data;

  if (key == GDK_KEY_b || key == GDK_KEY_B)
    capra_canvas_set_show_original (canvas, FALSE);
}

void
capra_canvas_input_add_window_key (CapraCanvas *canvas, GtkWidget *window)
{
  GtkEventController *key = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_window_key_pressed), canvas, 0);
  g_signal_connect_object (key, "key-released", G_CALLBACK (on_window_key_released), canvas, 0);
  gtk_widget_add_controller (window, key);
}
