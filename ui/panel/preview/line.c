/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line: a straight line over an image, from the center of one pixel to that of another. */
#include "ui/panel/preview/line.h"

#include <math.h>

gboolean
capra_line_equal (const CapraLine *a, const CapraLine *b)
{
  return a->x[0] == b->x[0] && a->y[0] == b->y[0] && a->x[1] == b->x[1] && a->y[1] == b->y[1];
}

double
capra_line_get_length (const CapraLine *line)
{
  return hypot ((double) line->x[1] - line->x[0], (double) line->y[1] - line->y[0]);
}

double
capra_line_get_angle (const CapraLine *line)
{
  double dx = (double) line->x[1] - line->x[0], dy = (double) line->y[0] - line->y[1]; /* y grows downwards */

  return dx == 0.0 && dy == 0.0 ? 0.0 : atan2 (dy, dx) * 180.0 / G_PI;
}

gsize
capra_line_get_count (const CapraLine *line)
{
  return (gsize) round (capra_line_get_length (line)) + 1;
}

void
capra_line_get_point (const CapraLine *line, gsize index, double *x, double *y)
{
  double last = MAX ((double) capra_line_get_count (line) - 1.0, 1.0);

  /* In this order, so that centers of pixels are exact. */
  *x = line->x[0] + (double) index * ((double) line->x[1] - line->x[0]) / last;
  *y = line->y[0] + (double) index * ((double) line->y[1] - line->y[0]) / last;
}

static int
clamp (int value, int start, int length)
{
  return CLAMP (value, start, start + MAX (length, 1) - 1);
}

static int
sign (int value)
{
  return (value > 0) - (value < 0);
}

/* The number of steps by @step from @from that stay in the range. */
static int
get_room (int from, int step, int start, int length)
{
  return step > 0 ? start + length - 1 - from : step < 0 ? from - start : G_MAXINT;
}

/* Chooses among the eight directions, and the point that is nearest to @x, @y in it. */
static void
constrain_end (int from_x, int from_y, int *x, int *y, const GeglRectangle *extent)
{
  int dx = *x - from_x, dy = *y - from_y, count;
  double slope = tan (G_PI / 8.0);
  int step_x = ABS (dx) > slope * ABS (dy) ? sign (dx) : 0;
  int step_y = ABS (dy) > slope * ABS (dx) ? sign (dy) : 0;

  count = step_x && step_y ? (ABS (dx) + ABS (dy) + 1) / 2 : MAX (ABS (dx), ABS (dy));
  count = MIN (count, get_room (from_x, step_x, extent->x, extent->width));
  count = MIN (count, get_room (from_y, step_y, extent->y, extent->height));
  *x = from_x + count * step_x;
  *y = from_y + count * step_y;
}

void
capra_line_set_end (CapraLine *line, guint end, int x, int y, gboolean constrain, const GeglRectangle *extent)
{
  if (constrain)
    constrain_end (line->x[!end], line->y[!end], &x, &y, extent);
  line->x[end] = clamp (x, extent->x, extent->width);
  line->y[end] = clamp (y, extent->y, extent->height);
}

void
capra_line_move (CapraLine *line, int dx, int dy, const GeglRectangle *extent)
{
  int right = extent->x + extent->width - 1, bottom = extent->y + extent->height - 1;

  dx = CLAMP (dx, extent->x - MIN (line->x[0], line->x[1]), right - MAX (line->x[0], line->x[1]));
  dy = CLAMP (dy, extent->y - MIN (line->y[0], line->y[1]), bottom - MAX (line->y[0], line->y[1]));
  for (guint i = 0; i < 2; i++)
    {
      line->x[i] += dx;
      line->y[i] += dy;
    }
}

void
capra_line_clamp (CapraLine *line, const GeglRectangle *extent)
{
  for (guint i = 0; i < 2; i++)
    capra_line_set_end (line, i, line->x[i], line->y[i], FALSE, extent);
}
