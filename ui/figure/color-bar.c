/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-bar: the colors of an image's values, with ticks and their unit. */
#include "ui/figure/color-bar.h"

#include <math.h>

#include "ui/figure/axis.h"
#include "ui/figure/units.h"

/* Relative to the font. */
#define SPACE 0.8
#define WIDTH 1.1
#define TICK_GAP 1.5

static double
get_share (double value, gconstpointer stretch)
{
  return capra_stretch_apply (stretch, value);
}

static void
draw_colors (CapraPage *page, const cairo_rectangle_t *bar, CapraColorMap map)
{
  int rows = MAX ((int) bar->height, 256);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1, rows);
  guint8 *data = cairo_image_surface_get_data (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);

  cairo_surface_flush (surface);
  for (int i = 0; i < rows; i++)
    *(guint32 *) (void *) (data + (gsize) i * stride) = capra_color_map_get (map, 1.0 - (double) i / (rows - 1));
  cairo_surface_mark_dirty (surface);
  cairo_save (page->cr);
  cairo_translate (page->cr, bar->x, bar->y);
  cairo_scale (page->cr, bar->width, bar->height / rows);
  cairo_set_source_surface (page->cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (page->cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (page->cr, 0, 0, 1, rows);
  cairo_fill (page->cr);
  cairo_restore (page->cr);
  cairo_surface_destroy (surface);
}

void
capra_color_bar_draw (CapraPage *page, const cairo_rectangle_t *plot, const CapraStretch *stretch, CapraColorMap map,
                      const char *unit)
{
  double font = page->font;
  const CapraAxis axis = {
    page,
    { plot->x + plot->width + SPACE * font, plot->y, WIDTH * font, plot->height },
    CAPRA_SIDE_RIGHT,
    CAPRA_ITEM_BAR_TICK,
    FALSE,
  };
  g_autoptr (CapraTicks) ticks = capra_ticks_stretch (stretch, CLAMP (TICK_GAP * font / plot->height, 0.02, 0.5));
  g_autofree char *label = capra_units_to_markup (unit);

  draw_colors (page, &axis.plot, map);
  capra_axis_draw_frame (page, &axis.plot);
  capra_axis_draw_ticks (&axis, ticks, get_share, stretch);
  capra_axis_draw_title (&axis, CAPRA_ITEM_BAR_LABEL, label);
}
