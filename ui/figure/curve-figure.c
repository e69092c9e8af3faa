/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-figure: curves with error bands, axes and a legend. */
#include "ui/figure/curve-figure.h"

#include <math.h>

#include "ui/figure/axis.h"
#include "ui/figure/curve-scale.h"
#include "ui/figure/fit.h"

/* Relative to the font. */
#define LINE 0.1
#define DOT 0.25
#define MANY_DOTS 10000 /* of a curve: dots near others are left out */
#define SAMPLE 1.8      /* of a line in the legend */
#define ROW 1.4
#define PADDING 0.5
#define LEGEND_TEXT 0.9
#define MOST_LABELS 10 /* of an axis */

#define BAND_ALPHA 0.25

/* A figure with its ranges. */
typedef struct {
  const CapraCurveFigure *figure;
  CapraScale x, y;
} Drawing;

guint32
capra_curve_figure_get_color (guint curve)
{
  static const guint32 colors[] = { 0x0072b2u, 0xd55e00u, 0x009e73u, 0xcc79a7u, 0xe69f00u, 0x56b4e9u, 0x1a1a1au };

  return colors[curve % G_N_ELEMENTS (colors)];
}

static void
set_color (CapraPage *page, const Drawing *drawing, guint curve, double alpha)
{
  guint32 color = drawing->figure->curves[curve].color;

  capra_page_set_color (page, color ? color : capra_curve_figure_get_color (curve), alpha);
}

static gboolean
get_point (const Drawing *drawing, const cairo_rectangle_t *plot, double x, double y, double *page_x, double *page_y)
{
  *page_x = plot->x + capra_scale_get_share (x, &drawing->x) * plot->width;
  *page_y = plot->y + (1.0 - capra_scale_get_share (y, &drawing->y)) * plot->height;
  return isfinite (*page_x) && isfinite (*page_y);
}

/* The end of the band at a point. Below what a logarithmic axis shows, it is at the axis. */
static gboolean
get_band_point (const Drawing *drawing, const cairo_rectangle_t *plot, const CapraCurve *curve, gsize i, double sign,
                double *x, double *y)
{
  double value = curve->y[i] + sign * curve->error[i];

  if (!isfinite (value) || !get_point (drawing, plot, curve->x[i], curve->y[i], x, y))
    return FALSE;
  return get_point (drawing, plot, curve->x[i], drawing->y.log ? MAX (value, drawing->y.low) : value, x, y);
}

static void
draw_band (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing, const CapraCurve *curve)
{
  double x, y;

  for (gsize first = 0, end; first < curve->count; first = end + 1)
    {
      for (end = first; end < curve->count && get_band_point (drawing, plot, curve, end, 1.0, &x, &y); end++)
        cairo_line_to (page->cr, x, y);
      for (gsize i = end; i-- > first;)
        if (get_band_point (drawing, plot, curve, i, -1.0, &x, &y))
          cairo_line_to (page->cr, x, y);
      cairo_close_path (page->cr);
      cairo_new_sub_path (page->cr);
    }
  cairo_fill (page->cr);
}

/* A dot where a point has no neighbors. */
static void
draw_line (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing, const CapraCurve *curve)
{
  double x, y, x_dot = 0.0, y_dot = 0.0;
  guint run = 0;

  cairo_set_line_width (page->cr, LINE * page->font);
  cairo_set_line_join (page->cr, CAIRO_LINE_JOIN_ROUND);
  for (gsize i = 0; i <= curve->count; i++)
    {
      if (i < curve->count && get_point (drawing, plot, curve->x[i], curve->y[i], &x, &y))
        {
          if (run++ == 0)
            cairo_move_to (page->cr, x_dot = x, y_dot = y);
          else
            cairo_line_to (page->cr, x, y);
          continue;
        }
      if (run == 1)
        {
          cairo_stroke (page->cr);
          cairo_arc (page->cr, x_dot, y_dot, DOT * page->font, 0, 2 * G_PI);
          cairo_fill (page->cr);
        }
      run = 0;
    }
  cairo_stroke (page->cr);
}

/* Many points are in one pixel: it is filled once. Of very many, one is drawn in each cell of half a dot's radius. */
static void
draw_dots (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing, const CapraCurve *curve)
{
  double cell = curve->count > MANY_DOTS ? MAX (DOT * page->font / 2, 1.0) : 1.0;
  gsize columns = (gsize) (plot->width / cell) + 1, rows = (gsize) (plot->height / cell) + 1;
  g_autofree guint8 *seen = g_new0 (guint8, columns *rows);
  double x, y;

  for (gsize i = 0; i < curve->count; i++)
    {
      gsize at;

      if (!get_point (drawing, plot, curve->x[i], curve->y[i], &x, &y) || x < plot->x || y < plot->y
          || x > plot->x + plot->width || y > plot->y + plot->height)
        continue;
      at = (gsize) ((y - plot->y) / cell) * columns + (gsize) ((x - plot->x) / cell);
      if (seen[at])
        continue;
      seen[at] = TRUE;
      cairo_new_sub_path (page->cr);
      cairo_arc (page->cr, x, y, DOT * page->font, 0, 2 * G_PI);
      cairo_fill (page->cr);
    }
}

/* Between the line and 0, or the lower edge of the plot. */
static void
draw_area (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing, const CapraCurve *curve)
{
  double bottom = drawing->y.log ? 0.0 : CLAMP (capra_scale_get_share (0.0, &drawing->y), 0.0, 1.0);
  double x, y, first = 0.0, last = 0.0;
  gboolean started = FALSE;

  for (gsize i = 0; i < curve->count; i++)
    if (get_point (drawing, plot, curve->x[i], curve->y[i], &x, &y))
      {
        cairo_line_to (page->cr, x, y);
        first = started ? first : x;
        last = x;
        started = TRUE;
      }
  if (!started)
    return;
  cairo_line_to (page->cr, last, plot->y + (1.0 - bottom) * plot->height);
  cairo_line_to (page->cr, first, plot->y + (1.0 - bottom) * plot->height);
  cairo_close_path (page->cr);
  cairo_fill (page->cr);
}

static void
draw_curves (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing)
{
  cairo_save (page->cr);
  cairo_rectangle (page->cr, plot->x, plot->y, plot->width, plot->height);
  cairo_clip (page->cr);
  for (guint i = 0; i < drawing->figure->n_curves; i++)
    if (drawing->figure->curves[i].error)
      {
        set_color (page, drawing, i, BAND_ALPHA);
        draw_band (page, plot, drawing, &drawing->figure->curves[i]);
      }
  for (guint i = 0; i < drawing->figure->n_curves; i++)
    {
      static void (*const draw_style[]) (CapraPage *, const cairo_rectangle_t *, const Drawing *, const CapraCurve *)
        = { draw_line, draw_dots, draw_area };

      set_color (page, drawing, i, 1.0);
      draw_style[drawing->figure->curves[i].style](page, plot, drawing, &drawing->figure->curves[i]);
    }
  cairo_restore (page->cr);
}

/* About @most labels, but at least two, without which the scale could not be read. */
static CapraTicks *
make_ticks (const CapraScale *scale, guint most)
{
  CapraTicks *ticks = NULL;

  if (scale->log)
    return capra_ticks_log (scale->low, scale->high, most);
  ticks = capra_ticks_linear (scale->low, scale->high, most);
  for (guint more = most + 1; ticks->list->len < 2 && more <= 2 * MOST_LABELS; more++)
    {
      capra_ticks_free (ticks);
      ticks = capra_ticks_linear (scale->low, scale->high, more);
    }
  return ticks;
}

static void
draw_axes (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing)
{
  const CapraAxis bottom = { page, *plot, CAPRA_SIDE_BOTTOM, CAPRA_ITEM_X_TICK, TRUE };
  const CapraAxis left = { page, *plot, CAPRA_SIDE_LEFT, CAPRA_ITEM_Y_TICK, TRUE };
  const CapraScale *x = &drawing->x, *y = &drawing->y;
  guint x_most = (guint) CLAMP (plot->width / page->font / 5, 1, MOST_LABELS);
  guint y_most = (guint) CLAMP (plot->height / page->font / 3, 3, MOST_LABELS);
  g_autoptr (CapraTicks) x_ticks = make_ticks (x, x_most);
  g_autoptr (CapraTicks) y_ticks = make_ticks (y, y_most);

  capra_axis_draw_ticks (&bottom, x_ticks, capra_scale_get_share, x);
  capra_axis_draw_ticks (&left, y_ticks, capra_scale_get_share, y);
  capra_axis_draw_title (&bottom, CAPRA_ITEM_X_LABEL, drawing->figure->x_label);
  capra_axis_draw_title (&left, CAPRA_ITEM_Y_LABEL, drawing->figure->y_label);
}

static guint
count_points (const Drawing *drawing, const cairo_rectangle_t *plot, const cairo_rectangle_t *box)
{
  guint count = 0;

  for (guint c = 0; c < drawing->figure->n_curves; c++)
    for (gsize i = 0; i < drawing->figure->curves[c].count; i++)
      {
        double x, y;

        count += get_point (drawing, plot, drawing->figure->curves[c].x[i], drawing->figure->curves[c].y[i], &x, &y)
                 && x >= box->x && x <= box->x + box->width && y >= box->y && y <= box->y + box->height;
      }
  return count;
}

/* In the corner with the fewest points. */
static cairo_rectangle_t
place_legend (const Drawing *drawing, const cairo_rectangle_t *plot, double width, double height, double space)
{
  cairo_rectangle_t best = { 0, 0, 0, 0 };
  guint fewest = G_MAXUINT;

  for (int corner = 0; corner < 4; corner++)
    {
      cairo_rectangle_t box = { corner & 1 ? plot->x + space : plot->x + plot->width - width - space,
                                corner & 2 ? plot->y + plot->height - height - space : plot->y + space, width, height };
      guint count = count_points (drawing, plot, &box);

      if (count < fewest)
        best = box;
      fewest = MIN (count, fewest);
    }
  return best;
}

static void
draw_legend (CapraPage *page, const cairo_rectangle_t *plot, const Drawing *drawing)
{
  const CapraCurveFigure *figure = drawing->figure;
  double font = page->font, widest = 0.0, width, height;
  guint rows = 0;
  cairo_rectangle_t box;

  for (guint i = 0; i < figure->n_curves; i++)
    if (figure->curves[i].name)
      {
        g_autofree char *markup = g_markup_escape_text (figure->curves[i].name, -1);

        capra_page_measure (page, markup, LEGEND_TEXT, &width, &height);
        widest = MAX (widest, width);
        rows++;
      }
  if (rows == 0)
    return;
  box = place_legend (drawing, plot, widest + (SAMPLE + 3 * PADDING) * font, rows * ROW * font + PADDING * font,
                      0.7 * font);
  capra_page_set_color (page, page->paper, 0.85);
  cairo_rectangle (page->cr, box.x, box.y, box.width, box.height);
  cairo_fill (page->cr);
  rows = 0;
  for (guint i = 0; i < figure->n_curves; i++)
    if (figure->curves[i].name)
      {
        g_autofree char *markup = g_markup_escape_text (figure->curves[i].name, -1);
        double y = box.y + (rows++ + 0.5) * ROW * font + PADDING * font / 2;
        CapraTextPlace place = { box.x + (SAMPLE + 2 * PADDING) * font, y, 0.0, 0.5, FALSE, LEGEND_TEXT };

        set_color (page, drawing, i, 1.0);
        cairo_set_line_width (page->cr, 1.5 * LINE * font);
        cairo_move_to (page->cr, box.x + PADDING * font, y);
        cairo_rel_line_to (page->cr, SAMPLE * font, 0);
        cairo_stroke (page->cr);
        capra_page_set_color (page, page->ink, 1.0);
        capra_page_text (page, CAPRA_ITEM_LEGEND, markup, &place);
      }
}

static void
draw (CapraPage *page, const cairo_rectangle_t *plot, gboolean draft, gconstpointer data)
{
  const Drawing *drawing = data;

  if (!draft)
    draw_curves (page, plot, drawing);
  draw_axes (page, plot, drawing);
  capra_axis_draw_frame (page, plot);
  if (!draft)
    draw_legend (page, plot, drawing);
  capra_axis_draw_heading (page, plot, drawing->figure->title);
}

CapraPage *
capra_curve_figure_draw (const CapraCurveFigure *figure, GError **error)
{
  Drawing drawing = { .figure = figure };

  if (!capra_scale_find (figure, &drawing.x, &drawing.y, error))
    return NULL;
  return capra_fit_draw (draw, &drawing, figure->width, figure->height, 0.0, figure->style);
}
