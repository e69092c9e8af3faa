/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart-picture: the curves of a chart, and the drawn figure of them. Threads share both. */
#include "ui/panel/widgets/chart-picture.h"

#include <math.h>

#include "ui/figure/curve-figure.h"
#include "ui/panel/widgets/pixels.h"

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

CapraChartData *
capra_chart_data_new (const CapraCurveFigure *figure)
{
  CapraChartData *data = g_atomic_rc_box_new0 (CapraChartData);

  data->curves = g_array_new (FALSE, FALSE, sizeof (CapraCurve));
  g_array_set_clear_func (data->curves, curve_clear);
  for (guint i = 0; i < figure->n_curves; i++)
    {
      CapraCurve curve = curve_copy (&figure->curves[i]);

      g_array_append_val (data->curves, curve);
    }
  data->x_log = figure->x_log;
  data->y_log = figure->y_log;
  data->x_label = g_strdup (figure->x_label);
  data->y_label = g_strdup (figure->y_label);
  return data;
}

CapraChartData *
capra_chart_data_ref (CapraChartData *data)
{
  return g_atomic_rc_box_acquire (data);
}

static void
clear_data (gpointer data)
{
  CapraChartData *self = data;

  g_array_unref (self->curves);
  g_free (self->x_label);
  g_free (self->y_label);
}

void
capra_chart_data_unref (CapraChartData *data)
{
  g_atomic_rc_box_release_full (data, clear_data);
}

gsize
capra_chart_data_count (const CapraChartData *data)
{
  gsize count = 0;

  for (guint i = 0; i < data->curves->len; i++)
    count += g_array_index (data->curves, CapraCurve, i).count;
  return count;
}

gboolean
capra_chart_look_equal (const CapraChartLook *a, const CapraChartLook *b)
{
  return a->width == b->width && a->height == b->height && a->factor == b->factor && a->style.font == b->style.font
         && a->style.ink == b->style.ink && a->style.paper == b->style.paper;
}

/* @x: position of the page's origin on the widget */
static GdkTexture *
paint (CapraPage *page, const CapraChartLook *look, double x, double y)
{
  int width = look->width * look->factor, height = look->height * look->factor;
  gsize stride = sizeof (guint32) * (gsize) width;
  guchar *pixels = g_malloc0 (stride * (gsize) height);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * (gsize) height);
  cairo_surface_t *surface = cairo_image_surface_create_for_data (pixels, CAIRO_FORMAT_ARGB32, width, height,
                                                                  (int) stride);
  cairo_t *cr = NULL;

  cairo_surface_set_device_scale (surface, look->factor, look->factor);
  cr = cairo_create (surface);
  capra_page_paint (page, cr, x, y);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  return capra_pixels_new (width, height, bytes);
}

CapraChartPicture *
capra_chart_picture_new (CapraChartData *data, const CapraChartLook *look)
{
  CapraChartPicture *picture = g_new0 (CapraChartPicture, 1);
  CapraCurveFigure figure = { .curves = (const CapraCurve *) data->curves->data,
                              .n_curves = data->curves->len,
                              .x_log = data->x_log,
                              .y_log = data->y_log,
                              .x_label = data->x_label,
                              .y_label = data->y_label,
                              .width = look->width,
                              .height = look->height,
                              .style = &look->style };
  g_autoptr (CapraPage) page = NULL;
  double x, y, width, height;

  picture->data = capra_chart_data_ref (data);
  picture->look = *look;
  if (!capra_scale_find (&figure, &picture->x, &picture->y, NULL))
    return picture;
  page = capra_curve_figure_draw (&figure, NULL);
  capra_page_get_extents (page, &x, &y, &width, &height);
  x = floor ((look->width - width) / 2) - floor (x);
  y = floor ((look->height - height) / 2) - floor (y);
  picture->plot = page->plot;
  picture->plot.x += x;
  picture->plot.y += y;
  picture->texture = paint (page, look, x, y);
  return picture;
}

void
capra_chart_picture_free (CapraChartPicture *picture)
{
  capra_chart_data_unref (picture->data);
  g_clear_object (&picture->texture);
  g_free (picture);
}

gboolean
capra_chart_picture_find_point (const CapraChartPicture *picture, double x, double y, double *widget_x,
                                double *widget_y)
{
  const cairo_rectangle_t *plot = &picture->plot;

  *widget_x = plot->x + capra_scale_get_share (x, &picture->x) * plot->width;
  *widget_y = plot->y + (1.0 - capra_scale_get_share (y, &picture->y)) * plot->height;
  return picture->texture && isfinite (*widget_x) && isfinite (*widget_y);
}
