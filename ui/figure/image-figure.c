/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-figure: an image with a color bar, axes, and marked sources. */
#include "ui/figure/image-figure.h"

#include <math.h>

#include "ui/figure/axis.h"
#include "ui/figure/color-bar.h"
#include "ui/figure/fit.h"
#include "ui/figure/raster.h"

#define MAX_ASPECT 8.0   /* longer images have pixels that are not square */
#define DETAIL 2         /* pixels of the image's raster per pixel of the page, for vector formats */
#define MIN_MARK 0.9     /* width of a mark, relative to the font */
#define MARK_SPACE 0.35  /* at most, of the distance between marks */
#define MARK_LINE 0.07   /* likewise */
#define HALO_LINE 0.15   /* of the dark line below it */
#define NUMBER_SIZE 0.75 /* likewise */

static guint32
get_mark_color (const CapraImageFigure *figure)
{
  static const guint32 colors[] = { [CAPRA_COLOR_MAP_GRAY] = 0xff7a1au,
                                    [CAPRA_COLOR_MAP_INVERTED_GRAY] = 0xd6280au,
                                    [CAPRA_COLOR_MAP_VIRIDIS] = 0xff4f7bu,
                                    [CAPRA_COLOR_MAP_INFERNO] = 0x4fe3ffu };

  return figure->colors ? 0xffffffu : colors[figure->map];
}

/* The area of the image in pixels; the center of a pixel has whole coordinates. */
static cairo_rectangle_t
get_pixels (const CapraImageFigure *figure)
{
  return (cairo_rectangle_t){ figure->x - 0.5, figure->y - 0.5, figure->width, figure->height };
}

static void
draw_image (CapraPage *page, const cairo_rectangle_t *plot, const CapraImageFigure *figure)
{
  /* A smaller image keeps its pixels, and so do the pixels of the page. */
  int columns = figure->width > plot->width * DETAIL ? (int) plot->width * DETAIL : figure->width;
  int rows = figure->height > plot->height * DETAIL ? (int) plot->height * DETAIL : figure->height;
  cairo_surface_t *surface = figure->values
                               ? capra_raster_new (figure->values, figure->width, figure->height, &figure->stretch,
                                                   figure->map, columns, rows)
                               : capra_raster_new_from_colors (figure->colors, figure->width, figure->height,
                                                               figure->smooth, columns, rows);

  cairo_save (page->cr);
  cairo_rectangle (page->cr, plot->x, plot->y, plot->width, plot->height);
  cairo_clip (page->cr);
  cairo_translate (page->cr, plot->x, plot->y);
  cairo_scale (page->cr, plot->width / columns, plot->height / rows);
  cairo_set_source_surface (page->cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (page->cr), columns > plot->width && (figure->values || figure->smooth)
                                                           ? CAIRO_FILTER_GOOD
                                                           : CAIRO_FILTER_NEAREST);
  cairo_paint (page->cr);
  cairo_restore (page->cr);
  cairo_surface_destroy (surface);
}

static gboolean
is_empty (const CapraImageFigure *figure)
{
  for (gsize i = 0; i < (gsize) figure->width * (gsize) figure->height; i++)
    if (isfinite (figure->values[i]))
      return FALSE;
  return TRUE;
}

static void
draw_note (CapraPage *page, const cairo_rectangle_t *plot)
{
  const CapraTextPlace place = { plot->x + plot->width / 2, plot->y + plot->height / 2, 0.5, 0.5, FALSE, 1.0 };

  capra_page_set_color (page, page->ink, 1.0);
  capra_page_text (page, CAPRA_ITEM_LEGEND, "no finite values", &place);
}

/* A mark on the page. */
static CapraMark
place_mark (const CapraPage *page, const cairo_rectangle_t *plot, const CapraImageFigure *figure, const CapraMark *mark)
{
  cairo_rectangle_t pixels = get_pixels (figure);
  double x_scale = plot->width / pixels.width, y_scale = plot->height / pixels.height;
  /* Less where they would cover the image. */
  double least = MIN (MIN_MARK * page->font, MARK_SPACE * sqrt (plot->width * plot->height / figure->marks->len));

  return (CapraMark){ plot->x + (mark->x - pixels.x) * x_scale,
                      plot->y + (mark->y - pixels.y) * y_scale,
                      MAX (mark->width * x_scale, least),
                      MAX (mark->height * y_scale, least),
                      mark->angle,
                      mark->number };
}

static void
add_ellipse (cairo_t *cr, const CapraMark *mark)
{
  cairo_save (cr);
  cairo_translate (cr, mark->x, mark->y);
  cairo_rotate (cr, mark->angle);
  cairo_scale (cr, mark->width / 2, mark->height / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_restore (cr);
}

/* The parts of the plot that marks and numbers cover, in squares of a pixel. */
typedef struct {
  cairo_rectangle_t plot;
  int width, height;
  guint8 *used; /* MARKED, NUMBERED */
} Cover;

#define MARKED 1
#define NUMBERED 2

/* Sets @set in all squares of the box, and returns what was there. */
static guint8
cover (Cover *self, double x, double y, double width, double height, guint8 set)
{
  int left = (int) CLAMP (floor (x - self->plot.x), 0, self->width);
  int right = (int) CLAMP (ceil (x + width - self->plot.x), 0, self->width);
  int top = (int) CLAMP (floor (y - self->plot.y), 0, self->height);
  int bottom = (int) CLAMP (ceil (y + height - self->plot.y), 0, self->height);
  guint8 found = 0;

  for (int j = top; j < bottom; j++)
    for (int i = left; i < right; i++)
      {
        guint8 *used = &self->used[(gsize) j * (gsize) self->width + (gsize) i];

        found |= *used;
        *used |= set;
      }
  return found;
}

/* At a corner of the mark where neither marks nor numbers are, or at least no numbers; else not at all. */
static void
draw_number (CapraPage *page, Cover *covered, const CapraMark *mark, guint32 color)
{
  g_autofree char *text = g_strdup_printf ("%u", mark->number);
  double width, height, right = covered->plot.x + covered->plot.width, bottom = covered->plot.y + covered->plot.height;

  capra_page_measure (page, text, NUMBER_SIZE, &width, &height);
  for (guint8 avoided = MARKED | NUMBERED; avoided >= NUMBERED; avoided--)
    for (int corner = 0; corner < 4; corner++)
      {
        /* Not in the same pixels as the mark itself. */
        double half_width = mark->width / 2 + 2.0, half_height = mark->height / 2;
        CapraTextPlace place = { corner & 1 ? mark->x - half_width - width : mark->x + half_width,
                                 corner & 2 ? mark->y + half_height * 0.7 : mark->y - half_height * 0.7,
                                 0.0,
                                 0.5,
                                 FALSE,
                                 NUMBER_SIZE };
        double top = place.y - height / 2;

        if (place.x < covered->plot.x || place.x + width > right || top < covered->plot.y || top + height > bottom
            || cover (covered, place.x, top, width, height, 0) & avoided)
          continue;
        cover (covered, place.x, top, width, height, NUMBERED);
        capra_page_set_color (page, color, 1.0);
        capra_page_text (page, CAPRA_ITEM_NUMBER, text, &place);
        return;
      }
}

static void
draw_mark (CapraPage *page, const CapraImageFigure *figure, const CapraMark *mark)
{
  g_autofree char *text = g_strdup_printf ("%u", mark->number);

  add_ellipse (page->cr, mark);
  capra_page_set_color (page, figure->map == CAPRA_COLOR_MAP_INVERTED_GRAY ? 0xffffffu : 0x000000u, 0.5);
  cairo_set_line_width (page->cr, HALO_LINE * page->font);
  cairo_stroke_preserve (page->cr);
  capra_page_set_color (page, get_mark_color (figure), 1.0);
  cairo_set_line_width (page->cr, MARK_LINE * page->font);
  cairo_stroke (page->cr);
  capra_page_add_item (page, CAPRA_ITEM_MARK, text, mark->x - mark->width / 2, mark->y - mark->height / 2, mark->width,
                       mark->height);
}

static void
draw_marks (CapraPage *page, const cairo_rectangle_t *plot, const CapraImageFigure *figure)
{
  guint count = figure->marks ? figure->marks->len : 0;
  g_autofree guint8 *used = g_malloc0 ((gsize) plot->width * (gsize) plot->height);
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (CapraMark));
  Cover covered = { *plot, (int) plot->width, (int) plot->height, used };

  cairo_save (page->cr);
  cairo_rectangle (page->cr, plot->x, plot->y, plot->width, plot->height);
  cairo_clip (page->cr);
  for (guint i = 0; i < count; i++)
    {
      CapraMark mark = place_mark (page, plot, figure, &g_array_index (figure->marks, CapraMark, i));

      if (mark.x < plot->x || mark.x > plot->x + plot->width || mark.y < plot->y || mark.y > plot->y + plot->height)
        continue;
      draw_mark (page, figure, &mark);
      cover (&covered, mark.x - mark.width / 2, mark.y - mark.height / 2, mark.width, mark.height, MARKED);
      g_array_append_val (placed, mark);
    }
  for (guint i = 0; figure->numbers && i < placed->len; i++)
    draw_number (page, &covered, &g_array_index (placed, CapraMark, i), get_mark_color (figure));
  cairo_restore (page->cr);
}

typedef struct {
  double from, to;
} Range;

static double
get_share (double value, gconstpointer data)
{
  const Range *range = data;

  return (value - range->from) / (range->to - range->from);
}

static void
draw_pixel_axis (CapraPage *page, const cairo_rectangle_t *plot, CapraSide side, double from, double to)
{
  gboolean bottom = side == CAPRA_SIDE_BOTTOM;
  const CapraAxis axis = { page, *plot, side, bottom ? CAPRA_ITEM_X_TICK : CAPRA_ITEM_Y_TICK, FALSE };
  const Range range = { from, to };
  /* The least step is a pixel. */
  guint most = (guint) CLAMP ((bottom ? plot->width / 5 : plot->height / 3) / page->font, 1, MIN (8, fabs (to - from)));
  g_autoptr (CapraTicks) ticks = capra_ticks_linear (MIN (from, to), MAX (from, to), most);

  capra_axis_draw_ticks (&axis, ticks, get_share, &range);
  capra_axis_draw_title (&axis, bottom ? CAPRA_ITEM_X_LABEL : CAPRA_ITEM_Y_LABEL,
                         bottom ? "<i>x</i> (pixel)" : "<i>y</i> (pixel)");
}

static void
draw_axes (CapraPage *page, const cairo_rectangle_t *plot, const CapraImageFigure *figure)
{
  cairo_rectangle_t pixels = get_pixels (figure);
  guint32 line = figure->map == CAPRA_COLOR_MAP_INVERTED_GRAY && !figure->colors ? 0x000000u : 0xffffffu;

  if (!figure->axes || (figure->sky && capra_sky_grid_draw (page, figure->sky, plot, &pixels, line)))
    return;
  draw_pixel_axis (page, plot, CAPRA_SIDE_BOTTOM, pixels.x, pixels.x + pixels.width);
  draw_pixel_axis (page, plot, CAPRA_SIDE_LEFT, pixels.y + pixels.height, pixels.y);
}

static void
draw (CapraPage *page, const cairo_rectangle_t *plot, gboolean draft, gconstpointer data)
{
  const CapraImageFigure *figure = data;

  if (!draft)
    {
      draw_image (page, plot, figure);
      draw_axes (page, plot, figure);
      draw_marks (page, plot, figure);
      if (figure->values && is_empty (figure))
        draw_note (page, plot);
    }
  else
    draw_axes (page, plot, figure);
  if (figure->values)
    capra_color_bar_draw (page, plot, &figure->stretch, figure->map, figure->unit);
  capra_axis_draw_frame (page, plot);
  capra_axis_draw_heading (page, plot, figure->title);
}

CapraPage *
capra_image_figure_draw (const CapraImageFigure *figure)
{
  double aspect = CLAMP ((double) figure->width / figure->height, 1 / MAX_ASPECT, MAX_ASPECT);

  return capra_fit_draw (draw, figure, figure->max_width, figure->max_height, aspect, NULL);
}
