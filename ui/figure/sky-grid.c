/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sky-grid: lines of equal longitude and latitude on the sky over an image, and the axes for them. */
#include "ui/figure/sky-grid.h"

#include <math.h>

#include "ui/figure/axis.h"
#include "ui/figure/sky-ticks.h"

#define SAMPLES 48       /* of the image, along each axis, to find the ranges */
#define LINE_POINTS 400  /* of a line of the grid */
#define EDGE_POINTS 1024 /* of an edge, where lines cross it */
#define MAX_LINES 8
#define MAX_LINES_AROUND 12 /* around a pole */
#define LINE 0.05           /* relative to the font */
#define ALPHA 0.4
#define INSIDE 0.75 /* size of a label inside the image, relative to the font */

/* Longitude or latitude: the one that a family of lines keeps. */
typedef struct {
  CapraSkyKind kind;
  double low, high, step; /* degrees; longitudes are continuous, and may be outside 0 to 360 */
  gint64 first, last;     /* lines, in units of the step */
} Family;

typedef struct {
  CapraPage *page;
  const CapraSky *sky;
  cairo_rectangle_t plot, pixels;
  Family ra, dec;
  gboolean around; /* the image shows all longitudes */
} Grid;

static gboolean
is_longitude (const Family *family)
{
  return family->kind != CAPRA_SKY_LATITUDE;
}

static double
wrap (double degrees)
{
  return remainder (degrees, 360.0);
}

static gboolean
get_sky (const Grid *grid, double x, double y, double *ra, double *dec)
{
  return grid->sky->to_sky (grid->sky->data, x, y, ra, dec) && isfinite (*ra) && isfinite (*dec);
}

static gboolean
get_pixel (const Grid *grid, double ra, double dec, double *x, double *y)
{
  return grid->sky->to_pixel (grid->sky->data, ra - 360.0 * floor (ra / 360.0), dec, x, y) && isfinite (*x)
         && isfinite (*y);
}

static gboolean
is_inside (const Grid *grid, double x, double y)
{
  const cairo_rectangle_t *pixels = &grid->pixels;

  return x >= pixels->x && x <= pixels->x + pixels->width && y >= pixels->y && y <= pixels->y + pixels->height;
}

static gboolean
shows_pole (const Grid *grid, double dec)
{
  double x, y;

  return get_pixel (grid, 0.0, dec, &x, &y) && is_inside (grid, x, y);
}

/* The ranges of both coordinates. FALSE if there are none. */
static gboolean
find_ranges (Grid *grid)
{
  const cairo_rectangle_t *pixels = &grid->pixels;
  double start = NAN, previous = 0.0, ra, dec;

  grid->ra.low = grid->dec.low = G_MAXDOUBLE;
  grid->ra.high = grid->dec.high = -G_MAXDOUBLE;
  for (int i = 0; i <= SAMPLES; i++)
    for (int j = 0; j <= SAMPLES; j++)
      {
        int column = i % 2 ? SAMPLES - j : j; /* neighbors follow each other */

        if (!get_sky (grid, pixels->x + pixels->width * column / SAMPLES, pixels->y + pixels->height * i / SAMPLES, &ra,
                      &dec))
          continue;
        ra = isnan (start) ? ra : previous + wrap (ra - previous);
        start = previous = ra;
        grid->ra.low = MIN (grid->ra.low, ra);
        grid->ra.high = MAX (grid->ra.high, ra);
        grid->dec.low = MIN (grid->dec.low, dec);
        grid->dec.high = MAX (grid->dec.high, dec);
      }
  if (shows_pole (grid, 90.0))
    grid->dec.high = 90.0;
  if (shows_pole (grid, -90.0))
    grid->dec.low = -90.0;
  grid->around = shows_pole (grid, 90.0) || shows_pole (grid, -90.0) || grid->ra.high - grid->ra.low > 350.0;
  if (grid->around)
    grid->ra.high = (grid->ra.low = 0.0) + 360.0;
  return grid->ra.high > grid->ra.low && grid->dec.high > grid->dec.low;
}

static void
choose_step (Family *family, guint most)
{
  double unit = capra_sky_ticks_get_unit (family->kind);

  family->step = capra_sky_ticks_get_step (family->kind, family->high - family->low, most);
  family->first = (gint64) ceil (family->low / unit / family->step - 1e-9);
  family->last = (gint64) floor (family->high / unit / family->step + 1e-9);
}

static double
get_line (const Family *family, gint64 index)
{
  return (double) index * family->step * capra_sky_ticks_get_unit (family->kind);
}

/* As many lines as their labels have space on the side of that length. */
static void
choose_lines (Grid *grid, Family *family, gboolean bottom, guint most)
{
  for (; most > 1; most--)
    {
      g_autofree char *label = NULL;
      double width, height, length = bottom ? grid->plot.width : grid->plot.height;

      choose_step (family, most);
      label = capra_sky_ticks_format (family->kind, family->last, family->step);
      capra_page_measure (grid->page, label, 1.0, &width, &height);
      if ((double) (family->last - family->first + 1) * (bottom ? width * 1.2 : height * 2.0) <= length)
        return;
    }
}

static double
to_page (double value, double from, double size, double to, double length)
{
  return to + (value - from) / size * length;
}

/* Without the parts that the projection cannot show. */
static void
draw_line (const Grid *grid, const Family *family, gint64 index)
{
  gboolean longitude = is_longitude (family);
  const Family *other = longitude ? &grid->dec : &grid->ra;
  double jump = grid->plot.width + grid->plot.height, last_x = NAN, last_y = NAN;

  for (int i = 0; i <= LINE_POINTS; i++)
    {
      double along = other->low + (other->high - other->low) * i / LINE_POINTS, fixed = get_line (family, index), x, y;
      gboolean shown = get_pixel (grid, longitude ? fixed : along, longitude ? along : fixed, &x, &y);

      x = to_page (x, grid->pixels.x, grid->pixels.width, grid->plot.x, grid->plot.width);
      y = to_page (y, grid->pixels.y, grid->pixels.height, grid->plot.y, grid->plot.height);
      if (!shown || fabs (x) > 1e6 || fabs (y) > 1e6)
        last_x = NAN;
      else
        {
          if (isnan (last_x) || fabs (x - last_x) + fabs (y - last_y) > jump)
            cairo_move_to (grid->page->cr, x, y);
          else
            cairo_line_to (grid->page->cr, x, y);
          last_x = x;
          last_y = y;
        }
    }
}

static void
draw_lines (const Grid *grid, const Family *family)
{
  for (gint64 i = family->first; i <= family->last; i++)
    draw_line (grid, family, i);
}

/* The position on the image's edge: @share from left to right, or from bottom to top. */
static gboolean
get_edge (const Grid *grid, gboolean bottom, double share, double *ra, double *dec)
{
  const cairo_rectangle_t *pixels = &grid->pixels;

  return bottom ? get_sky (grid, pixels->x + share * pixels->width, pixels->y + pixels->height, ra, dec)
                : get_sky (grid, pixels->x, pixels->y + (1.0 - share) * pixels->height, ra, dec);
}

typedef struct {
  double share;
  gint64 index;
} Crossing;

static int
compare_crossings (gconstpointer a, gconstpointer b)
{
  double x = ((const Crossing *) a)->share, y = ((const Crossing *) b)->share;

  return (x > y) - (x < y);
}

/* (transfer full) (element-type Crossing): where lines of the family cross the edge. */
static GArray *
find_crossings (const Grid *grid, const Family *family, gboolean bottom)
{
  GArray *crossings = g_array_new (FALSE, FALSE, sizeof (Crossing));

  for (gint64 index = family->first; index <= family->last; index++)
    {
      double line = get_line (family, index), previous = NAN;

      for (int i = 0; i <= EDGE_POINTS; i++)
        {
          double share = (double) i / EDGE_POINTS, ra, dec, distance;

          if (!get_edge (grid, bottom, share, &ra, &dec))
            {
              previous = NAN;
              continue;
            }
          distance = is_longitude (family) ? wrap (ra - line) : dec - line;
          if (!isnan (previous) && (distance < 0.0) != (previous < 0.0) && fabs (distance - previous) < 90.0)
            {
              Crossing crossing = { share - distance / (distance - previous) / EDGE_POINTS, index };

              g_array_append_val (crossings, crossing);
            }
          previous = distance;
        }
    }
  g_array_sort (crossings, compare_crossings);
  return crossings;
}

static void
draw_axis (const Grid *grid, const Family *family, GArray *crossings, gboolean bottom)
{
  const CapraAxis axis = { grid->page, grid->plot, bottom ? CAPRA_SIDE_BOTTOM : CAPRA_SIDE_LEFT,
                           bottom ? CAPRA_ITEM_X_TICK : CAPRA_ITEM_Y_TICK, FALSE };
  g_autofree char *title = g_markup_escape_text (grid->sky->names[is_longitude (family) ? 0 : 1], -1);
  double end = -1.0;

  for (guint i = 0; i < crossings->len; i++)
    {
      const Crossing *crossing = &g_array_index (crossings, Crossing, i);
      g_autofree char *label = capra_sky_ticks_format (family->kind, crossing->index, family->step);
      double half = capra_axis_measure (&axis, label) * 0.55;
      gboolean fits = crossing->share - half >= end;

      capra_axis_draw_tick (&axis, crossing->share, fits ? label : NULL);
      if (fits)
        end = crossing->share + half;
    }
  capra_axis_draw_title (&axis, bottom ? CAPRA_ITEM_X_LABEL : CAPRA_ITEM_Y_LABEL, title);
}

/* Whether a latitude is about halfway between two lines, away from their labels. */
static gboolean
is_between (const Family *latitudes, double degrees)
{
  double lines = degrees / latitudes->step / capra_sky_ticks_get_unit (latitudes->kind);

  return fabs (lines - floor (lines) - 0.5) < 0.25;
}

/* The point of a line that is in the image, nearest to its center. FALSE if there is none. */
static gboolean
find_middle (const Grid *grid, const Family *family, gint64 index, double *x, double *y)
{
  const cairo_rectangle_t *pixels = &grid->pixels;
  gboolean longitude = is_longitude (family);
  const Family *other = longitude ? &grid->dec : &grid->ra;
  double fixed = get_line (family, index), least = G_MAXDOUBLE;

  for (int i = 1; i < LINE_POINTS; i++)
    {
      double along = other->low + (other->high - other->low) * i / LINE_POINTS, px, py, distance;

      if ((longitude && !is_between (other, along))
          || !get_pixel (grid, longitude ? fixed : along, longitude ? along : fixed, &px, &py)
          || !is_inside (grid, px, py))
        continue;
      distance = hypot (px - pixels->x - pixels->width / 2, py - pixels->y - pixels->height / 2);
      if (distance >= least)
        continue;
      least = distance;
      *x = to_page (px, pixels->x, pixels->width, grid->plot.x, grid->plot.width);
      *y = to_page (py, pixels->y, pixels->height, grid->plot.y, grid->plot.height);
    }
  return least < G_MAXDOUBLE;
}

static gboolean
is_free (const CapraPage *page, const CapraTextPlace *place, double width, double height)
{
  for (guint i = 0; i < page->items->len; i++)
    {
      const CapraItem *item = page->items->pdata[i];

      if (item->x < place->x + width / 2 && item->x + item->width > place->x - width / 2
          && item->y < place->y + height / 2 && item->y + item->height > place->y - height / 2)
        return FALSE;
    }
  return TRUE;
}

/* On the lines, where the edge of the image shows no sky. */
static void
draw_labels_inside (const Grid *grid, const Family *family, guint32 color)
{
  for (gint64 index = family->first; index <= family->last; index++)
    {
      g_autofree char *label = capra_sky_ticks_format (family->kind, index, family->step);
      CapraTextPlace place = { .x_align = 0.5, .y_align = 0.5, .size = INSIDE };
      double width, height;

      capra_page_measure (grid->page, label, INSIDE, &width, &height);
      if (!find_middle (grid, family, index, &place.x, &place.y) || !is_free (grid->page, &place, width, height))
        continue;
      capra_page_set_color (grid->page, color, 1.0);
      capra_page_text (grid->page, CAPRA_ITEM_NUMBER, label, &place);
    }
}

/* Longitudes are below the image and latitudes beside it, unless most lines cross the other edges. */
static void
draw_axes (const Grid *grid, guint32 color)
{
  g_autoptr (GArray) ra_bottom = find_crossings (grid, &grid->ra, TRUE);
  g_autoptr (GArray) ra_left = find_crossings (grid, &grid->ra, FALSE);
  g_autoptr (GArray) dec_bottom = find_crossings (grid, &grid->dec, TRUE);
  g_autoptr (GArray) dec_left = find_crossings (grid, &grid->dec, FALSE);
  gboolean turned = !grid->around && ra_left->len + dec_bottom->len > ra_bottom->len + dec_left->len;

  draw_axis (grid, turned ? &grid->dec : &grid->ra, turned ? dec_bottom : ra_bottom, TRUE);
  draw_axis (grid, turned ? &grid->ra : &grid->dec, turned ? ra_left : dec_left, FALSE);
  if ((turned ? dec_bottom : dec_left)->len == 0)
    draw_labels_inside (grid, &grid->dec, color);
  if ((turned ? ra_left : ra_bottom)->len == 0)
    draw_labels_inside (grid, &grid->ra, color);
}

gboolean
capra_sky_grid_draw (CapraPage *page, const CapraSky *sky, const cairo_rectangle_t *plot,
                     const cairo_rectangle_t *pixels, guint32 color)
{
  Grid grid = { page,
                sky,
                *plot,
                *pixels,
                { .kind = sky->hours ? CAPRA_SKY_HOURS : CAPRA_SKY_LONGITUDE },
                { .kind = CAPRA_SKY_LATITUDE } };

  if (!find_ranges (&grid))
    return FALSE;
  choose_lines (&grid, &grid.ra, TRUE, grid.around ? MAX_LINES_AROUND : MAX_LINES);
  choose_lines (&grid, &grid.dec, FALSE, MAX_LINES);
  if (grid.around) /* the last line is the first one */
    {
      grid.ra.step = (sky->hours ? 2 : 30) * 3600;
      grid.ra.first = 0;
      grid.ra.last = 11;
    }
  cairo_save (page->cr);
  cairo_rectangle (page->cr, plot->x, plot->y, plot->width, plot->height);
  cairo_clip (page->cr);
  draw_lines (&grid, &grid.ra);
  draw_lines (&grid, &grid.dec);
  capra_page_set_color (page, color, ALPHA);
  cairo_set_line_width (page->cr, LINE * page->font);
  cairo_stroke (page->cr);
  cairo_restore (page->cr);
  draw_axes (&grid, color);
  return TRUE;
}
