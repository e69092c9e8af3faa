/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram: a histogram of values, with a threshold that can be dragged. */
#include "ui/panel/preview/histogram.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/panel/widgets/draw.h"

#define BINS CAPRA_HISTOGRAM_BINS
#define PADDING 8 /* left and right, half the width of the handle */

struct _CapraHistogram {
  GtkWidget parent_instance;
  guint64 counts[4][BINS];
  guint channels;
  double low, high, value;
};

enum { PROP_VALUE = 1, N_PROPERTIES };
enum { VALUE_CHANGED, N_SIGNALS };

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CapraHistogram, capra_histogram, GTK_TYPE_WIDGET)

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

static double
bar_height (guint64 count, guint64 most)
{
  return most == 0 ? 0 : (double) count / (double) most;
}

static gboolean
is_color (CapraHistogram *histogram)
{
  return histogram->channels >= 3;
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

/* Returns: the count of a bar as high as the widget. It is at most 1.5 times the 97.5th percentile, so that a few very
 * large counts (a black background, an image with two colors) do not flatten all others. */
static guint64
get_highest (CapraHistogram *histogram)
{
  guint64 sorted[3 * BINS], most;
  guint n = 0;

  for (guint c = 0; c < (is_color (histogram) ? 3 : 1); c++)
    for (guint i = 0; i < BINS; i++)
      if (histogram->counts[c][i] > 0)
        sorted[n++] = histogram->counts[c][i];
  if (n == 0)
    return 0;
  qsort (sorted, n, sizeof *sorted, compare_counts);
  most = sorted[n - 1];
  return MIN (most, sorted[(guint) ceil (0.975 * (n - 1))] * 3 / 2);
}

static void
draw_channel (CapraHistogram *histogram, cairo_t *cr, guint channel, guint64 most, double height, const GdkRGBA *color)
{
  double step = plot_width (histogram) / BINS;

  cairo_move_to (cr, PADDING, height);
  for (guint i = 0; i < BINS; i++)
    {
      double y = height * (1 - MIN (bar_height (histogram->counts[channel][i], most), 1));

      cairo_line_to (cr, PADDING + i * step, y);
      cairo_line_to (cr, PADDING + (i + 1) * step, y);
    }
  cairo_line_to (cr, PADDING + BINS * step, height);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_fill (cr);
}

static void
draw_bars (CapraHistogram *histogram, GtkSnapshot *snapshot, double height)
{
  static const GdkRGBA rgb[3] = { { 0.88f, 0.11f, 0.14f, 0.55f },
                                  { 0.15f, 0.64f, 0.41f, 0.55f },
                                  { 0.21f, 0.52f, 0.89f, 0.55f } };
  GdkRGBA gray = capra_draw_foreground (GTK_WIDGET (histogram), 0.55);
  guint64 most = get_highest (histogram);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (histogram)),
                                               (float) height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  if (is_color (histogram))
    for (guint c = 0; c < 3; c++)
      draw_channel (histogram, cr, c, most, height, &rgb[c]);
  else
    draw_channel (histogram, cr, 0, most, height, &gray);
  cairo_destroy (cr);
}

static void
draw_threshold (CapraHistogram *histogram, GtkSnapshot *snapshot, double height)
{
  GtkWidget *widget = GTK_WIDGET (histogram);
  GdkRGBA color = capra_draw_color (CAPRA_PALETTE_THRESHOLD), veil = color, text = capra_draw_foreground (widget, 1);
  double x = value_to_x (histogram, histogram->value), right = PADDING + plot_width (histogram);
  g_autofree char *label = g_strdup_printf ("%.4g", histogram->value);
  int width = 0;

  veil.alpha = 0.10f;
  gtk_snapshot_append_color (snapshot, &veil, &GRAPHENE_RECT_INIT ((float) x, 0, (float) (right - x), (float) height));
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) x - 1, 0, 2, (float) height));
  capra_draw_box (snapshot, &color, x - 6, height - 6, 12, 12, 6);
  capra_draw_measure (widget, label, &width, NULL);
  capra_draw_text (snapshot, widget, label, x + width + 10 > right ? x - 6 : x + 6, 2, x + width + 10 > right ? 1 : 0,
                   0, &text);
  if (gtk_widget_has_visible_focus (widget))
    {
      GdkRGBA ring = color;

      ring.alpha = 0.4f;
      capra_draw_box (snapshot, &ring, x - 9, height - 9, 18, 18, 9);
    }
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

  if (histogram->channels == 0)
    {
      capra_draw_text (snapshot, widget, _ ("No image"), gtk_widget_get_width (widget) / 2.0, height / 2, 0.5, 0, &dim);
      return;
    }
  draw_bars (histogram, snapshot, height);
  gtk_snapshot_append_color (snapshot, &line,
                             &GRAPHENE_RECT_INIT (PADDING, (float) height, (float) (right - PADDING), 1));
  capra_draw_text (snapshot, widget, low, PADDING, height + 8, 0, 0, &dim);
  capra_draw_text (snapshot, widget, high, right, height + 8, 1, 0, &dim);
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

/* Assistive technologies see a slider. */
static void
update_accessible (CapraHistogram *histogram)
{
  g_autofree char *text = isnan (histogram->value) ? g_strdup (_ ("none")) : g_strdup_printf ("%.4g", histogram->value);

  gtk_accessible_update_property (GTK_ACCESSIBLE (histogram), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, histogram->low,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, histogram->high, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  isnan (histogram->value) ? histogram->low : histogram->value,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
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
  return histogram->channels > 0 && !isnan (histogram->value);
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
capra_histogram_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (object);

  if (id == PROP_VALUE)
    g_value_set_double (value, histogram->value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_histogram_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraHistogram *histogram = CAPRA_HISTOGRAM (object);

  if (id == PROP_VALUE)
    capra_histogram_set_value (histogram, g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_histogram_class_init (CapraHistogramClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->get_property = capra_histogram_get_property;
  object_class->set_property = capra_histogram_set_property;
  widget_class->measure = capra_histogram_measure;
  widget_class->snapshot = capra_histogram_snapshot;

  properties[PROP_VALUE] = g_param_spec_double ("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
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
  GtkEventController *keys = gtk_event_controller_key_new ();

  histogram->value = NAN;
  histogram->high = 1;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_add_css_class (widget, "caption");
  gtk_widget_add_css_class (widget, "numeric");
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), histogram);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), histogram);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), histogram);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, keys);
  gtk_accessible_update_property (GTK_ACCESSIBLE (histogram), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Threshold on the histogram"), -1);
}

GtkWidget *
capra_histogram_new (void)
{
  return g_object_new (CAPRA_TYPE_HISTOGRAM, "hexpand", TRUE, NULL);
}

void
capra_histogram_set_counts (CapraHistogram *histogram, const guint64 *counts, guint channels, double low, double high)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM (histogram));
  g_return_if_fail (channels <= 4);

  histogram->channels = counts ? channels : 0;
  memset (histogram->counts, 0, sizeof histogram->counts);
  if (counts)
    memcpy (histogram->counts, counts, channels * sizeof histogram->counts[0]);
  histogram->low = low;
  histogram->high = high > low ? high : low + 1; /* the axis of an image with a single value must not be empty */
  update_accessible (histogram);
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
