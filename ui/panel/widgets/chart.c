/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart: a figure of curves in the colors and the font of the theme. */
#include "ui/panel/widgets/chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/widgets/draw.h"
#include "ui/panel/widgets/pixels.h"

#define MIN_WIDTH 160
#define MIN_HEIGHT 96
#define NATURAL_HEIGHT 150
#define CLICK_DISTANCE 8.0 /* from a point, in units of the widget */
#define MANY_POINTS 2000   /* are drawn in a thread */

/* Draws a picture in a thread. */
typedef struct {
  CapraChartData *data;
  CapraChartLook look;
} Job;

struct _CapraChart {
  GtkWidget parent_instance;
  CapraChartData *data;       /* NULL without a figure */
  CapraChartPicture *picture; /* the last one that was drawn: of these data, or of data before them */
  gboolean drawing;           /* a thread draws */
};

G_DEFINE_FINAL_TYPE (CapraChart, capra_chart, GTK_TYPE_WIDGET)

static guint clicked_signal;

static void
job_free (gpointer data)
{
  Job *job = data;

  capra_chart_data_unref (job->data);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  g_task_return_pointer (task, capra_chart_picture_new (job->data, &job->look),
                         (GDestroyNotify) capra_chart_picture_free);
}

static void
set_picture (CapraChart *self, CapraChartPicture *picture)
{
  g_clear_pointer (&self->picture, capra_chart_picture_free);
  self->picture = picture;
}

/* The next frame starts another job if data or look have changed in the meantime. */
static void
on_drawn (GObject *object, GAsyncResult *result, gpointer data)
{
  CapraChart *self = CAPRA_CHART (object);
  CapraChartPicture *picture = g_task_propagate_pointer (G_TASK (result), NULL);

  self->drawing = FALSE;
  if (self->data)
    set_picture (self, picture);
  else
    capra_chart_picture_free (picture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
capra_chart_set_data (CapraChart *chart, CapraChartData *data)
{
  g_return_if_fail (CAPRA_IS_CHART (chart));
  g_clear_pointer (&chart->data, capra_chart_data_unref);
  if (data && data->curves->len > 0)
    chart->data = capra_chart_data_ref (data);
  else
    set_picture (chart, NULL);
  gtk_widget_queue_draw (GTK_WIDGET (chart));
}

void
capra_chart_set_figure (CapraChart *chart, const CapraCurveFigure *figure)
{
  g_autoptr (CapraChartData) data = figure ? capra_chart_data_new (figure) : NULL;

  capra_chart_set_data (chart, data);
}

static guint32
pack_color (const GdkRGBA *color)
{
  return (guint32) lroundf (color->red * 255) << 16 | (guint32) lroundf (color->green * 255) << 8
         | (guint32) lroundf (color->blue * 255);
}

/* The theme's font size is that of a layout of the widget. */
static CapraChartLook
get_look (CapraChart *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const PangoFontDescription *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  GdkRGBA ink = capra_draw_foreground (widget, 1.0);
  gboolean light = ink.red + ink.green + ink.blue > 1.5f;

  if (!pango_font_description_get_size_is_absolute (font))
    size *= pango_cairo_context_get_resolution (gtk_widget_get_pango_context (widget)) / 72.0;
  return (CapraChartLook){ { MAX (size, 1.0), pack_color (&ink), light ? 0x242424u : 0xffffffu },
                           gtk_widget_get_width (widget),
                           gtk_widget_get_height (widget),
                           gtk_widget_get_scale_factor (widget) };
}

/* Few points are drawn at once, so that a figure follows the pointer. Of many, what was drawn last stays until a thread
 * has drawn them. */
static void
update_picture (CapraChart *self)
{
  CapraChartLook look = get_look (self);
  g_autoptr (GTask) task = NULL;
  Job *job = NULL;

  if (!self->data || look.width <= 0 || look.height <= 0
      || (self->picture && self->picture->data == self->data && capra_chart_look_equal (&self->picture->look, &look)))
    return;
  if (capra_chart_data_count (self->data) <= MANY_POINTS)
    {
      set_picture (self, capra_chart_picture_new (self->data, &look));
      return;
    }
  if (self->drawing)
    return;
  self->drawing = TRUE;
  job = g_new (Job, 1);
  *job = (Job){ capra_chart_data_ref (self->data), look };
  task = g_task_new (self, NULL, on_drawn, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

static void
capra_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraChart *self = CAPRA_CHART (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);

  update_picture (self);
  if (!self->picture)
    return;
  if (self->picture->texture)
    {
      const CapraChartLook *look = &self->picture->look;

      capra_pixels_draw (snapshot, widget, self->picture->texture,
                         &GRAPHENE_RECT_INIT (0, 0, (float) look->width, (float) look->height));
    }
  else
    {
      GdkRGBA dim = capra_draw_foreground (widget, 0.6);

      capra_draw_text (snapshot, widget, _ ("No values to show"), width / 2, height / 2, 0.5, width, &dim);
    }
}

/* The picture, if it shows the data. */
static const CapraChartPicture *
get_picture (CapraChart *self)
{
  update_picture (self);
  return self->picture && self->picture->data == self->data ? self->picture : NULL;
}

gboolean
capra_chart_find_point (CapraChart *chart, double x, double y, double *widget_x, double *widget_y)
{
  const CapraChartPicture *picture = NULL;

  g_return_val_if_fail (CAPRA_IS_CHART (chart), FALSE);
  picture = get_picture (chart);
  return picture && capra_chart_picture_find_point (picture, x, y, widget_x, widget_y);
}

/* Emits "clicked" for the nearest point, if one is near enough. The last curve is on top. */
static void
on_pressed (GtkGestureClick *gesture, int n, double x, double y, gpointer data)
{
  CapraChart *self = data;
  const CapraChartPicture *picture = get_picture (self);
  double least = CLICK_DISTANCE;
  guint found = G_MAXUINT;
  guint64 point = 0;

  for (guint c = 0; picture && c < self->data->curves->len; c++)
    {
      const CapraCurve *curve = &g_array_index (self->data->curves, CapraCurve, c);

      for (gsize i = 0; i < curve->count; i++)
        {
          double point_x, point_y, distance;

          if (!capra_chart_picture_find_point (picture, curve->x[i], curve->y[i], &point_x, &point_y))
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

  g_clear_pointer (&self->picture, capra_chart_picture_free);
  g_clear_pointer (&self->data, capra_chart_data_unref);
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

  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
