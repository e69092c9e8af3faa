/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axis: one side of a plot, with ticks, labels and a title. */
#include "ui/figure/axis.h"

#include <math.h>

/* Relative to the font. */
#define TICK 0.35
#define SMALL_TICK 0.2
#define GAP 0.3
#define TOP_GAP 0.6 /* above a label at the end of an axis */
#define LINE 0.06
#define LABEL 0.9
#define TITLE 1.0
#define HEADING 1.1

/* @opposite: on the other side of the plot */
static void
draw_line (const CapraAxis *axis, double share, double length, gboolean opposite)
{
  const cairo_rectangle_t *plot = &axis->plot;
  cairo_t *cr = axis->page->cr;
  double x = plot->x + share * plot->width, y = plot->y + (1.0 - share) * plot->height;
  double out = axis->inward ? -length : length;

  if (opposite)
    out = -out;
  capra_page_set_color (axis->page, axis->page->ink, 1.0);
  cairo_set_line_width (cr, LINE * axis->page->font);
  switch (axis->side)
    {
    case CAPRA_SIDE_BOTTOM:
      cairo_move_to (cr, x, plot->y + (opposite ? 0.0 : plot->height));
      cairo_rel_line_to (cr, 0, out);
      break;
    case CAPRA_SIDE_LEFT:
      cairo_move_to (cr, plot->x + (opposite ? plot->width : 0.0), y);
      cairo_rel_line_to (cr, -out, 0);
      break;
    case CAPRA_SIDE_RIGHT:
      cairo_move_to (cr, plot->x + plot->width, y);
      cairo_rel_line_to (cr, out, 0);
      break;
    }
  cairo_stroke (cr);
}

void
capra_axis_draw_tick (const CapraAxis *axis, double share, const char *label)
{
  const cairo_rectangle_t *plot = &axis->plot;
  double font = axis->page->font, length = (label ? TICK : SMALL_TICK) * font;
  double space = GAP * font + (axis->inward ? 0.0 : TICK * font);
  CapraTextPlace place = { .size = LABEL };

  draw_line (axis, share, length, FALSE);
  if (axis->inward)
    draw_line (axis, share, length, TRUE);
  if (!label)
    return;
  place.x = plot->x + share * plot->width;
  place.y = plot->y + (1.0 - share) * plot->height;
  place.x_align = place.y_align = 0.5;
  switch (axis->side)
    {
    case CAPRA_SIDE_BOTTOM:
      place.y = plot->y + plot->height + space;
      place.y_align = 0.0;
      break;
    case CAPRA_SIDE_LEFT:
      place.x = plot->x - space;
      place.x_align = 1.0;
      break;
    case CAPRA_SIDE_RIGHT:
      place.x = plot->x + plot->width + space;
      place.x_align = 0.0;
      break;
    }
  capra_page_text (axis->page, axis->kind, label, &place);
}

double
capra_axis_measure (const CapraAxis *axis, const char *label)
{
  double width, height;

  capra_page_measure (axis->page, label, LABEL, &width, &height);
  return axis->side == CAPRA_SIDE_BOTTOM ? width / axis->plot.width : height / axis->plot.height;
}

static void
draw_factor (const CapraAxis *axis, const char *factor)
{
  const cairo_rectangle_t *plot = &axis->plot;
  double font = axis->page->font, space = GAP * font;
  CapraTextPlace place = { .x = plot->x + plot->width, .y = plot->y - TOP_GAP * font, .y_align = 1.0, .size = LABEL };

  capra_page_set_color (axis->page, axis->page->ink, 1.0);
  if (axis->side == CAPRA_SIDE_BOTTOM) /* on the line of the title */
    {
      double width, height;

      capra_page_measure (axis->page, "0", LABEL, &width, &height);
      place.x_align = 1.0;
      place.y_align = 0.0;
      place.y = plot->y + plot->height + height + 2 * space + (axis->inward ? 0.0 : TICK * font);
    }
  else
    place.x = plot->x;
  capra_page_text (axis->page, CAPRA_ITEM_FACTOR, factor, &place);
}

void
capra_axis_draw_ticks (const CapraAxis *axis, const CapraTicks *ticks, CapraAxisShare share, gconstpointer data)
{
  double last = -G_MAXDOUBLE, last_half = 0.0; /* the last label */

  for (guint i = 0; i < ticks->list->len; i++)
    {
      const CapraTick *tick = &g_array_index (ticks->list, CapraTick, i);
      double at = share (tick->value, data), half = tick->label ? capra_axis_measure (axis, tick->label) * 0.55 : 0.0;
      gboolean fits = tick->label && fabs (at - last) >= half + last_half;

      capra_axis_draw_tick (axis, at, fits ? tick->label : NULL);
      if (fits)
        {
          last = at;
          last_half = half;
        }
    }
  if (ticks->factor)
    draw_factor (axis, ticks->factor);
}

/* How far the labels of the axis reach from the plot. */
static double
get_reach (const CapraAxis *axis)
{
  const cairo_rectangle_t *plot = &axis->plot;
  double reach = axis->inward ? 0.0 : TICK * axis->page->font;

  for (guint i = 0; i < axis->page->items->len; i++)
    {
      const CapraItem *item = axis->page->items->pdata[i];
      double end = axis->side == CAPRA_SIDE_BOTTOM ? item->y + item->height - plot->y - plot->height
                   : axis->side == CAPRA_SIDE_LEFT ? plot->x - item->x
                                                   : item->x + item->width - plot->x - plot->width;

      if (item->kind == axis->kind)
        reach = MAX (reach, end);
    }
  return reach;
}

void
capra_axis_draw_title (const CapraAxis *axis, CapraItemKind kind, const char *markup)
{
  const cairo_rectangle_t *plot = &axis->plot;
  double reach = get_reach (axis) + GAP * axis->page->font;
  CapraTextPlace place = { plot->x + plot->width / 2, plot->y + plot->height / 2, 0.5, 0.5, TRUE, TITLE };

  if (!markup || !*markup)
    return;
  switch (axis->side)
    {
    case CAPRA_SIDE_BOTTOM:
      place.y = plot->y + plot->height + reach;
      place.y_align = 0.0;
      place.turned = FALSE;
      break;
    case CAPRA_SIDE_LEFT:
      place.x = plot->x - reach;
      place.x_align = 1.0;
      break;
    case CAPRA_SIDE_RIGHT:
      place.x = plot->x + plot->width + reach;
      place.x_align = 0.0;
      break;
    }
  capra_page_set_color (axis->page, axis->page->ink, 1.0);
  capra_page_text (axis->page, kind, markup, &place);
}

void
capra_axis_draw_frame (CapraPage *page, const cairo_rectangle_t *plot)
{
  capra_page_set_color (page, page->ink, 1.0);
  cairo_set_line_width (page->cr, LINE * page->font);
  cairo_rectangle (page->cr, plot->x, plot->y, plot->width, plot->height);
  cairo_stroke (page->cr);
}

void
capra_axis_draw_heading (CapraPage *page, const cairo_rectangle_t *plot, const char *title)
{
  CapraTextPlace place = { plot->x + plot->width / 2, plot->y, 0.5, 1.0, FALSE, HEADING };
  g_autofree char *markup = title ? g_markup_escape_text (title, -1) : NULL;

  if (!title || !*title)
    return;
  for (guint i = 0; i < page->items->len; i++)
    {
      const CapraItem *item = page->items->pdata[i];

      if (item->kind == CAPRA_ITEM_FACTOR)
        place.y = MIN (place.y, item->y);
    }
  place.y -= GAP * page->font;
  capra_page_set_color (page, page->ink, 1.0);
  capra_page_text (page, CAPRA_ITEM_TITLE, markup, &place);
}
