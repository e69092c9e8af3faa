/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram: a histogram of values, with a threshold that can be dragged. */
#include "ui/panel/preview/histogram.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/panel/widgets/draw.h"

#define BINS CAPRA_HISTOGRAM_BINS
#define PADDING 8 /* left and right, half the width of the handle */
#define MAX_LINES 3

struct _CapraHistogram {
  GtkWidget parent_instance;
  CapraHistogramBars bars;
  double low, high, value;
  double pixels;           /* per count */
  double lines[MAX_LINES]; /* percentiles */
  char *method;            /* that has found the value; NULL if it was set */
  char *scale;
  char *pointer_text;
  gboolean dragging;
};

enum { PROP_VALUE = 1, PROP_METHOD, PROP_SCALE, PROP_LOG, PROP_CHANNEL, PROP_DRAGGING, PROP_POINTER, N_PROPS };
enum { VALUE_CHANGED, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

#if GTK_CHECK_VERSION(4, 10, 0) /* assistive technologies can read and set the value */
static void range_init (GtkAccessibleRangeInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (CapraHistogram, capra_histogram, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE_RANGE, range_init))
#else
G_DEFINE_FINAL_TYPE (CapraHistogram, capra_histogram, GTK_TYPE_WIDGET)
#endif

static int
line_height (CapraHistogram *histogram)
{
  int height = 0;

  capra_draw_measure (GTK_WIDGET (histogram), "0", NULL, &height);
  return height;
}

static double
plot_width (CapraHistogram *histogram)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (histogram)) - 2 * PADDING, 1);
}

static double
value_to_x (CapraHistogram *histogram, double value)
{
  double share = (value - histogram->low) / (histogram->high - histogram->low);

  return PADDING + CLAMP (share, 0, 1) * plot_width (histogram);
}

static double
x_to_value (CapraHistogram *histogram, double x)
{
  double share = CLAMP ((x - PADDING) / plot_width (histogram), 0, 1);

  return histogram->low + share * (histogram->high - histogram->low);
}

/* A disc if the user has set the threshold, a ring if a method has found it. */
static void
draw_handle (CapraHistogram *histogram, GtkSnapshot *snapshot, double x, double height, const GdkRGBA *color)
{
  GdkRGBA hole = { 1, 1, 1, 1 }, ring = *color;

  capra_draw_box (snapshot, color, x - 6, height - 6, 12, 12, 6);
  if (histogram->method)
    capra_draw_box (snapshot, &hole, x - 3.5, height - 3.5, 7, 7, 3.5);
  if (!gtk_widget_has_visible_focus (GTK_WIDGET (histogram)))
    return;
  ring.alpha = 0.4f;
  capra_draw_box (snapshot, &ring, x - 9, height - 9, 18, 18, 9);
}

/* The threshold's number, after the name of the method that has found it. */
static char *
get_value_text (CapraHistogram *histogram)
{
  return histogram->method ? g_strdup_printf ("%s %.4g", histogram->method, histogram->value)
                           : g_strdup_printf ("%.4g", histogram->value);
}

static void
draw_threshold (CapraHistogram *histogram, GtkSnapshot *snapshot, double height)
{
  GtkWidget *widget = GTK_WIDGET (histogram);
  GdkRGBA color = capra_draw_color (CAPRA_PALETTE_THRESHOLD), veil = color, text = capra_draw_foreground (widget, 1);
  double x = value_to_x (histogram, histogram->value), right = PADDING + plot_width (histogram);
  g_autofree char *label = get_value_text (histogram);
  int width = 0;

  veil.alpha = 0.10f;
  gtk_snapshot_append_color (snapshot, &veil, &GRAPHENE_RECT_INIT ((float) x, 0, (float) (right - x), (float) height));
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) x - 1, 0, 2, (float) height));
  draw_handle (histogram, snapshot, x, height, &color);
  capra_draw_measure (widget, label, &width, NULL);
  capra_draw_text (snapshot, widget, label, x + width + 10 > right ? x - 6 : x + 6, 2, x + width + 10 > right ? 1 : 0,
                   0, &text);
}

static void
draw_percentiles (CapraHistogram *histogram, GtkSnapshot *snapshot, double height)
{
  GdkRGBA color = capra_draw_foreground (GTK_WIDGET (histogram), 0.35);

  for (guint i = 0; i < MAX_LINES; i++)
    if (!isnan (histogram->lines[i]))
      gtk_snapshot_append_color (
        snapshot, &color,
        &GRAPHENE_RECT_INIT ((float) value_to_x (histogram, histogram->lines[i]), 0, 1, (float) height));
}

static void
capra_histogram_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (widget);
  GdkRGBA line = capra_draw_foreground (widget, 0.25), dim = capra_draw_foreground (widget, 0.6);
  int text = line_height (histogram);
  double height = gtk_widget_get_height (widget) - text - 8, right = PADDING + plot_width (histogram);
  g_autofree char *low = g_strdup_printf ("%.4g", histogram->low);
  g_autofree char *high = g_strdup_printf ("%.4g", histogram->high);

  if (histogram->bars.channels == 0)
    {
      capra_draw_text (snapshot, widget, _ ("Computing…"), gtk_widget_get_width (widget) / 2.0, height / 2, 0.5, 0,
                       &dim);
      return;
    }
  capra_histogram_bars_draw (&histogram->bars, widget, snapshot, PADDING, plot_width (histogram), height);
  draw_percentiles (histogram, snapshot, height);
  gtk_snapshot_append_color (snapshot, &line,
                             &GRAPHENE_RECT_INIT (PADDING, (float) height, (float) (right - PADDING), 1));
  capra_draw_text (snapshot, widget, low, PADDING, height + 8, 0, 0, &dim);
  capra_draw_text (snapshot, widget, high, right, height + 8, 1, 0, &dim);
  if (histogram->scale)
    capra_draw_text (snapshot, widget, histogram->scale, (PADDING + right) / 2, height + 8, 0.5, 0, &dim);
  if (!isnan (histogram->value))
    draw_threshold (histogram, snapshot, height);
}

static void
capra_histogram_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 128 + 2 * PADDING;
      *natural = BINS + 2 * PADDING;
    }
  else
    *minimum = *natural = 88 + line_height (CAPRA_HISTOGRAM (widget));
}

/* Assistive technologies see a slider. GTK 4.8 gives them the values of its own sliders only, so that the text is the
 * description, too. */
static void
update_accessible (CapraHistogram *histogram)
{
  g_autofree char *text = isnan (histogram->value) ? g_strdup (_ ("none")) : get_value_text (histogram);
  g_autofree char *description = g_strjoin (" · ", text, histogram->scale, NULL);

  gtk_accessible_update_property (
    GTK_ACCESSIBLE (histogram), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, histogram->low, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX,
    histogram->high, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, isnan (histogram->value) ? histogram->low : histogram->value,
    GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* The user moves the threshold. */
static void
move_to (CapraHistogram *histogram, double value)
{
  value = CLAMP (value, histogram->low, histogram->high);
  if (value == histogram->value)
    return;
  capra_histogram_set_value (histogram, value);
  g_signal_emit (histogram, signals[VALUE_CHANGED], 0, value);
}

static gboolean
can_move (CapraHistogram *histogram)
{
  return histogram->bars.channels > 0 && !isnan (histogram->value);
}

#if GTK_CHECK_VERSION(4, 10, 0)
static gboolean
set_current_value (GtkAccessibleRange *range, double value)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (range);

  if (can_move (histogram))
    move_to (histogram, value);
  return can_move (histogram);
}

static void
range_init (GtkAccessibleRangeInterface *iface)
{
  iface->set_current_value = set_current_value;
}
#endif

static void
set_dragging (CapraHistogram *histogram, gboolean dragging)
{
  if (histogram->dragging == dragging)
    return;
  histogram->dragging = dragging;
  g_object_notify_by_pspec (G_OBJECT (histogram), properties[PROP_DRAGGING]);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, gpointer data)
{
  CapraHistogram *histogram = data;

  if (!can_move (histogram))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (histogram));
  set_dragging (histogram, TRUE);
  move_to (histogram, x_to_value (histogram, x));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, gpointer data)
{
  CapraHistogram *histogram = data;
  double x = 0, y = 0;

  if (can_move (histogram) && gtk_gesture_drag_get_start_point (drag, &x, &y))
    move_to (histogram, x_to_value (histogram, x + dx));
}

static void
on_drag_end (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  set_dragging (data, FALSE);
}

static void
set_pointer_text (CapraHistogram *histogram, char *text)
{
  g_free (histogram->pointer_text);
  histogram->pointer_text = text;
  g_object_notify_by_pspec (G_OBJECT (histogram), properties[PROP_POINTER]);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, gpointer data)
{
  CapraHistogram *histogram = data;
  guint64 count, total, below;
  double value = x_to_value (histogram, x), range = histogram->high - histogram->low;
  guint bin = (guint) CLAMP ((value - histogram->low) / range * BINS, 0, BINS - 1);

  count = capra_histogram_bars_count (&histogram->bars, bin, &total, &below);
  if (total == 0)
    {
      set_pointer_text (histogram, NULL);
      return;
    }
  value = histogram->low + (bin + 0.5) * range / BINS;
  /* Translators: a value, the number of pixels that have it, and two shares: of these pixels, and of those below. */
  set_pointer_text (histogram,
                    g_strdup_printf (histogram->pixels > 1.0 ? _ ("%.4g: about %.0f (%.2g %%), below %.3g %%")
                                                             : _ ("%.4g: %.0f (%.2g %%), below %.3g %%"),
                                     value, (double) count * histogram->pixels, 100.0 * (double) count / (double) total,
                                     100.0 * (double) below / (double) total));
}

static void
on_leave (GtkEventControllerMotion *motion, gpointer data)
{
  set_pointer_text (data, NULL);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  CapraHistogram *histogram = data;
  double step = (histogram->high - histogram->low) / BINS;

  if (!can_move (histogram))
    return FALSE;
  if (state & GDK_CONTROL_MASK)
    step *= 10;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Down: move_to (histogram, histogram->value - step); return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_Up: move_to (histogram, histogram->value + step); return TRUE;
    case GDK_KEY_Home: move_to (histogram, histogram->low); return TRUE;
    case GDK_KEY_End: move_to (histogram, histogram->high); return TRUE;
    default: return FALSE;
    }
}

static void
set_method (CapraHistogram *histogram, const char *method)
{
  if (g_strcmp0 (method, histogram->method) == 0)
    return;
  g_free (histogram->method);
  histogram->method = g_strdup (method);
  update_accessible (histogram);
  g_object_notify_by_pspec (G_OBJECT (histogram), properties[PROP_METHOD]);
}

static void
capra_histogram_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (object);

  switch (id)
    {
    case PROP_VALUE: g_value_set_double (value, histogram->value); break;
    case PROP_METHOD: g_value_set_string (value, histogram->method); break;
    case PROP_SCALE: g_value_set_string (value, histogram->scale); break;
    case PROP_LOG: g_value_set_boolean (value, histogram->bars.logarithmic); break;
    case PROP_CHANNEL: g_value_set_int (value, histogram->bars.shown); break;
    case PROP_DRAGGING: g_value_set_boolean (value, histogram->dragging); break;
    case PROP_POINTER: g_value_set_string (value, histogram->pointer_text); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_histogram_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (object);

  switch (id)
    {
    case PROP_VALUE: capra_histogram_set_value (histogram, g_value_get_double (value)); break;
    case PROP_METHOD: set_method (histogram, g_value_get_string (value)); break;
    case PROP_SCALE:
      g_free (histogram->scale);
      histogram->scale = g_value_dup_string (value);
      update_accessible (histogram);
      break;
    case PROP_LOG: histogram->bars.logarithmic = g_value_get_boolean (value); break;
    case PROP_CHANNEL: histogram->bars.shown = g_value_get_int (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
  gtk_widget_queue_draw (GTK_WIDGET (histogram));
}

static void
capra_histogram_finalize (GObject *object)
{
  g_free (CAPRA_HISTOGRAM (object)->method);
  g_free (CAPRA_HISTOGRAM (object)->scale);
  g_free (CAPRA_HISTOGRAM (object)->pointer_text);
  G_OBJECT_CLASS (capra_histogram_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags write = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS,
                    read = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  properties[PROP_VALUE] = g_param_spec_double ("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                                write | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_METHOD] = g_param_spec_string ("method", NULL, NULL, NULL, write | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_SCALE] = g_param_spec_string ("scale", NULL, NULL, NULL, write);
  properties[PROP_LOG] = g_param_spec_boolean ("logarithmic", NULL, NULL, FALSE, write);
  properties[PROP_CHANNEL] = g_param_spec_int ("channel", NULL, NULL, CAPRA_HISTOGRAM_ALL, 3, CAPRA_HISTOGRAM_ALL,
                                               write);
  properties[PROP_DRAGGING] = g_param_spec_boolean ("dragging", NULL, NULL, FALSE, read);
  properties[PROP_POINTER] = g_param_spec_string ("pointer-text", NULL, NULL, NULL, read);
  g_object_class_install_properties (klass, N_PROPS, properties);
}

static void
capra_histogram_class_init (CapraHistogramClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->finalize = capra_histogram_finalize;
  object_class->get_property = capra_histogram_get_property;
  object_class->set_property = capra_histogram_set_property;
  widget_class->measure = capra_histogram_measure;
  widget_class->snapshot = capra_histogram_snapshot;
  install_properties (object_class);
  signals[VALUE_CHANGED] = g_signal_new ("value-changed", CAPRA_TYPE_HISTOGRAM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name (widget_class, "histogram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
capra_histogram_init (CapraHistogram *histogram)
{
  GtkWidget *widget = GTK_WIDGET (histogram);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new (), *motion = gtk_event_controller_motion_new ();

  histogram->value = NAN;
  histogram->high = 1;
  histogram->pixels = 1;
  histogram->bars.shown = CAPRA_HISTOGRAM_ALL;
  capra_histogram_set_percentiles (histogram, NULL, 0);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_add_css_class (widget, "caption");
  gtk_widget_add_css_class (widget, "numeric");
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), histogram);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), histogram);
  g_signal_connect (drag, "end", G_CALLBACK (on_drag_end), histogram);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_end), histogram);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), histogram);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), histogram);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), histogram);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), histogram);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, motion);
  gtk_accessible_update_property (GTK_ACCESSIBLE (histogram), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Threshold on the histogram"), -1);
}

GtkWidget *
capra_histogram_new (void)
{
  return g_object_new (CAPRA_TYPE_HISTOGRAM, "hexpand", TRUE, NULL);
}

void
capra_histogram_set_counts (CapraHistogram *histogram, const guint64 *counts, guint channels, gboolean gray, double low,
                            double high)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM (histogram));
  g_return_if_fail (channels <= 4);

  capra_histogram_bars_set (&histogram->bars, counts, channels, gray);
  histogram->pixels = 1;
  histogram->low = low;
  histogram->high = high > low ? high : low + 1; /* the axis of an image with a single value must not be empty */
  update_accessible (histogram);
  gtk_widget_queue_draw (GTK_WIDGET (histogram));
}

void
capra_histogram_set_pixels (CapraHistogram *histogram, double pixels)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM (histogram));
  histogram->pixels = pixels;
}

void
capra_histogram_set_percentiles (CapraHistogram *histogram, const double *values, guint n)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM (histogram) && n <= MAX_LINES);
  for (guint i = 0; i < MAX_LINES; i++)
    histogram->lines[i] = i < n ? values[i] : NAN;
  gtk_widget_queue_draw (GTK_WIDGET (histogram));
}

void
capra_histogram_set_value (CapraHistogram *histogram, double value)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM (histogram));

  if (value == histogram->value || (isnan (value) && isnan (histogram->value)))
    return;
  histogram->value = value;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (histogram), isnan (value) ? NULL : "col-resize");
  update_accessible (histogram);
  g_object_notify_by_pspec (G_OBJECT (histogram), properties[PROP_VALUE]);
  gtk_widget_queue_draw (GTK_WIDGET (histogram));
}

double
capra_histogram_get_value (CapraHistogram *histogram)
{
  g_return_val_if_fail (CAPRA_IS_HISTOGRAM (histogram), NAN);

  return histogram->value;
}
