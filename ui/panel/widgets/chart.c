/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart: a figure of curves in the colors and the font of the theme. */
#include "ui/panel/widgets/chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/figure/curve-figure.h"
#include "ui/figure/curve-scale.h"
#include "ui/panel/widgets/draw.h"

#define MIN_WIDTH 160
#define MIN_HEIGHT 96
#define NATURAL_HEIGHT 150
#define CLICK_DISTANCE 8.0 /* from a point, in units of the widget */

struct _CapraChart {
  GtkWidget parent_instance;
  GArray *curves; /* of CapraCurve, whose arrays and names the chart owns */
  gboolean x_log, y_log;
  char *x_label, *y_label;
  CapraPage *page;      /* the drawn figure; NULL if it is out of date */
  CapraPageStyle style; /* of the page; likewise the size of the widget */
  int width, height;
  CapraScale x, y;
  double left, top; /* the origin of the page on the widget */
};

G_DEFINE_FINAL_TYPE (CapraChart, capra_chart, GTK_TYPE_WIDGET)

static guint clicked_signal;

static void
curve_clear (gpointer data)
{
  CapraCurve *curve = data;

  g_free ((gpointer) curve->x);
  g_free ((gpointer) curve->y);
  g_free ((gpointer) curve->error);
  g_free ((gpointer) curve->name);
}

static CapraCurve
curve_copy (const CapraCurve *curve)
{
  gsize bytes = curve->count * sizeof (double);

  return (CapraCurve){ g_memdup2 (curve->x, bytes),
                       g_memdup2 (curve->y, bytes),
                       g_memdup2 (curve->error, bytes),
                       curve->count,
                       g_strdup (curve->name),
                       curve->style,
                       curve->color };
}

static void
discard_page (CapraChart *self)
{
  g_clear_pointer (&self->page, capra_page_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
capra_chart_set_figure (CapraChart *chart, const CapraCurveFigure *figure)
{
  g_return_if_fail (CAPRA_IS_CHART (chart));
  g_array_set_size (chart->curves, 0);
  for (guint i = 0; figure && i < figure->n_curves; i++)
    {
      CapraCurve curve = curve_copy (&figure->curves[i]);

      g_array_append_val (chart->curves, curve);
    }
  chart->x_log = figure && figure->x_log;
  chart->y_log = figure && figure->y_log;
  g_free (chart->x_label);
  chart->x_label = figure ? g_strdup (figure->x_label) : NULL;
  g_free (chart->y_label);
  chart->y_label = figure ? g_strdup (figure->y_label) : NULL;
  discard_page (chart);
}

static guint32
pack_color (const GdkRGBA *color)
{
  return (guint32) lroundf (color->red * 255) << 16 | (guint32) lroundf (color->green * 255) << 8
         | (guint32) lroundf (color->blue * 255);
}

/* The theme's font size is that of a layout of the widget. */
static CapraPageStyle
get_style (CapraChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const PangoFontDescription *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  GdkRGBA ink = capra_draw_foreground (widget, 1.0);
  gboolean light = ink.red + ink.green + ink.blue > 1.5f;

  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (gtk_widget_get_pango_context (widget)) / 72.0;
  return (CapraPageStyle){ MAX (size, 1.0), pack_color (&ink), light ? 0x242424u : 0xffffffu };
}

/* Draws the figure again if it, the size or the theme has changed. Returns: whether there is something to show */
static gboolean
update_page (CapraChart *self)
{
  CapraPageStyle style = get_style (self);
  CapraCurveFigure figure = { .curves = (const CapraCurve *) self->curves->data,
                              .n_curves = self->curves->len,
                              .x_log = self->x_log,
                              .y_log = self->y_log,
                              .x_label = self->x_label,
                              .y_label = self->y_label,
                              .width = gtk_widget_get_width (GTK_WIDGET (self)),
                              .height = gtk_widget_get_height (GTK_WIDGET (self)),
                              .style = &style };
  double width, height;

  if (self->page && self->width == (int) figure.width && self->height == (int) figure.height
      && self->style.font == style.font && self->style.ink == style.ink)
    return TRUE;
  g_clear_pointer (&self->page, capra_page_free);
  if (!capra_scale_find (&figure, &self->x, &self->y, NULL))
    return FALSE;
  self->page = capra_curve_figure_draw (&figure, NULL);
  self->style = style;
  self->width = (int) figure.width;
  self->height = (int) figure.height;
  capra_page_get_extents (self->page, &self->left, &self->top, &width, &height);
  self->left = floor ((figure.width - width) / 2) - floor (self->left);
  self->top = floor ((figure.height - height) / 2) - floor (self->top);
  return TRUE;
}

static void
capra_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraChart *self = CAPRA_CHART (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  cairo_t *cr;

  if (self->curves->len > 0 && !update_page (self))
    {
      GdkRGBA dim = capra_draw_foreground (widget, 0.6);

      capra_draw_text (snapshot, widget, _ ("No values to show"), width / 2, height / 2, 0.5, width, &dim);
    }
  if (!self->page)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_set_source_surface (cr, self->page->surface, self->left, self->top);
  cairo_paint (cr);
  cairo_destroy (cr);
}

gboolean
capra_chart_find_point (CapraChart *chart, double x, double y, double *widget_x, double *widget_y)
{
  const cairo_rectangle_t *plot;

  g_return_val_if_fail (CAPRA_IS_CHART (chart), FALSE);
  if (chart->curves->len == 0 || !update_page (chart))
    return FALSE;
  plot = &chart->page->plot;
  *widget_x = chart->left + plot->x + capra_scale_get_share (x, &chart->x) * plot->width;
  *widget_y = chart->top + plot->y + (1.0 - capra_scale_get_share (y, &chart->y)) * plot->height;
  return isfinite (*widget_x) && isfinite (*widget_y);
}

/* Emits "clicked" for the nearest point, if one is near enough. The last curve is on top. */
static void
on_pressed (GtkGestureClick *gesture, int n, double x, double y, gpointer data)
{
  CapraChart *self = data;
  double least = CLICK_DISTANCE;
  guint found = G_MAXUINT;
  guint64 point = 0;

  for (guint c = 0; c < self->curves->len; c++)
    {
      const CapraCurve *curve = &g_array_index (self->curves, CapraCurve, c);

      for (gsize i = 0; i < curve->count; i++)
        {
          double point_x, point_y, distance;

          if (!capra_chart_find_point (self, curve->x[i], curve->y[i], &point_x, &point_y))
            continue;
          distance = hypot (point_x - x, point_y - y);
          if (distance > least)
            continue;
          least = distance;
          found = c;
          point = i;
        }
    }
  if (found != G_MAXUINT)
    g_signal_emit (self, clicked_signal, 0, found, point,
                   gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)));
}

static void
capra_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 2 * MIN_WIDTH : NATURAL_HEIGHT;
}

static void
capra_chart_finalize (GObject *object)
{
  CapraChart *self = CAPRA_CHART (object);

  g_clear_pointer (&self->page, capra_page_free);
  g_array_unref (self->curves);
  g_free (self->x_label);
  g_free (self->y_label);
  G_OBJECT_CLASS (capra_chart_parent_class)->finalize (object);
}

static void
capra_chart_class_init (CapraChartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = capra_chart_finalize;
  widget_class->snapshot = capra_chart_snapshot;
  widget_class->measure = capra_chart_measure;
  gtk_widget_class_set_css_name (widget_class, "caprachart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  clicked_signal = g_signal_new ("clicked", CAPRA_TYPE_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                 G_TYPE_UINT, G_TYPE_UINT64, GDK_TYPE_MODIFIER_TYPE);
}

static void
capra_chart_init (CapraChart *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  self->curves = g_array_new (FALSE, FALSE, sizeof (CapraCurve));
  g_array_set_clear_func (self->curves, curve_clear);
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
