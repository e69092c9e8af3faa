/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fit: chooses the size of a plot so that the figure around it has the wanted size. */
#include "ui/figure/fit.h"

#include <math.h>

#define DRAFTS 3
#define TEXT_SHARE 55.0 /* the width of a figure by the size of its text */
#define MIN_FONT 8.0
#define MIN_PLOT 16.0
#define INK 0x1a1a1au
#define PAPER 0xffffffu

CapraPage *
capra_fit_draw (CapraDrawFunc draw, gconstpointer figure, double width, double height, double aspect,
                const CapraPageStyle *style)
{
  const CapraPageStyle print = { MAX (MIN (width, height * 1.5) / TEXT_SHARE, MIN_FONT), INK, PAPER };
  double font = style ? style->font : print.font, border = 2 * ceil (0.6 * font) + 2;
  double space_x = width - 8 * font, space_y = height - 5 * font;
  cairo_rectangle_t plot = { 0, 0, 0, 0 };
  CapraPage *page = NULL;

  for (int i = 0; i <= DRAFTS; i++)
    {
      double x, y, whole_width, whole_height;

      plot.width = MAX (floor (space_x), MIN_PLOT);
      plot.height = MAX (floor (space_y), MIN_PLOT);
      if (aspect > 0.0 && plot.width > plot.height * aspect)
        plot.width = MAX (rint (plot.height * aspect), MIN_PLOT);
      else if (aspect > 0.0)
        plot.height = MAX (rint (plot.width / aspect), MIN_PLOT);
      g_clear_pointer (&page, capra_page_free);
      page = capra_page_new (style ? style : &print);
      page->plot = plot;
      draw (page, &plot, i < DRAFTS, figure);
      capra_page_get_extents (page, &x, &y, &whole_width, &whole_height);
      space_x = width - border - (whole_width - plot.width);
      space_y = height - border - (whole_height - plot.height);
    }
  return page;
}
