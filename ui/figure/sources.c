/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources: the rows of a table as marks on an image. */
#include "ui/figure/sources.h"

#include <math.h>

#include "ui/pipeline/error.h"

#define MARGIN 2.0 /* pixels between a source and its ellipse, on both sides together */

/* Pairs of columns for positions in pixels. The first ones are NaN where an image has no weights. */
#define N_PAIRS 3

static const char *const pairs[N_PAIRS][2] = { { "weighted_centroid_x", "weighted_centroid_y" },
                                               { "centroid_x", "centroid_y" },
                                               { "x", "y" } };

/* The columns that give positions and sizes; NULL if they are missing. */
typedef struct {
  const double *x[N_PAIRS], *y[N_PAIRS], *ra, *dec;
  const double *major, *minor, *orientation;
  const double *min_x, *min_y, *max_x, *max_y, *area;
} Found;

static const double *
find (const CapraColumns *table, const char *name)
{
  int column = capra_columns_find (table, name);

  return column < 0 ? NULL : capra_columns_get (table, (guint) column);
}

static gboolean
find_positions (const CapraColumns *table, gboolean has_sky, Found *found, GError **error)
{
  gboolean has_pixels = FALSE;

  for (guint i = 0; i < N_PAIRS; i++)
    {
      found->x[i] = find (table, pairs[i][0]);
      found->y[i] = find (table, pairs[i][1]);
      has_pixels |= found->x[i] && found->y[i];
    }
  found->ra = find (table, "ra");
  found->dec = find (table, "dec");
  if (has_pixels || (found->ra && found->dec && has_sky))
    return TRUE;
  g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                       found->ra ? "the table has positions in ra and dec, but the image has no world coordinates"
                                 : "the table has no columns for positions, such as centroid_x and centroid_y, x and "
                                   "y, or ra and dec");
  return FALSE;
}

static void
find_sizes (const CapraColumns *table, Found *found)
{
  found->major = find (table, "axis_major_length");
  found->minor = find (table, "axis_minor_length");
  found->orientation = find (table, "orientation");
  found->min_x = find (table, "min_x");
  found->min_y = find (table, "min_y");
  found->max_x = find (table, "max_x");
  found->max_y = find (table, "max_y");
  found->area = find (table, "area");
}

static void
set_size (const Found *found, gsize row, CapraMark *mark)
{
  if (found->major && found->minor && found->orientation)
    {
      mark->width = found->major[row];
      mark->height = found->minor[row];
      mark->angle = G_PI / 2 - found->orientation[row]; /* scikit-image measures it from the vertical axis */
    }
  else if (found->min_x && found->min_y && found->max_x && found->max_y)
    {
      mark->width = found->max_x[row] - found->min_x[row] + 1;
      mark->height = found->max_y[row] - found->min_y[row] + 1;
    }
  else if (found->area)
    mark->width = mark->height = 2 * sqrt (MAX (found->area[row], 0) / G_PI);
  mark->width = isfinite (mark->width) ? mark->width + MARGIN : MARGIN;
  mark->height = isfinite (mark->height) ? mark->height + MARGIN : MARGIN;
}

static gboolean
find_position (const Found *found, const CapraSky *sky, gsize row, CapraMark *mark)
{
  for (guint i = 0; i < N_PAIRS; i++)
    if (found->x[i] && found->y[i] && isfinite (found->x[i][row]) && isfinite (found->y[i][row]))
      {
        mark->x = found->x[i][row];
        mark->y = found->y[i][row];
        return TRUE;
      }
  return sky && found->ra && found->dec && isfinite (found->ra[row]) && isfinite (found->dec[row])
         && sky->to_pixel (sky->data, found->ra[row], found->dec[row], &mark->x, &mark->y);
}

GArray *
capra_sources_new (const CapraColumns *table, const CapraSky *sky, GError **error)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, TRUE, sizeof (CapraMark));
  Found found = { { NULL } };

  if (!find_positions (table, sky != NULL, &found, error))
    return NULL;
  find_sizes (table, &found);
  for (gsize row = 0; row < table->n_rows; row++)
    {
      CapraMark mark = { .number = (guint) row + 1 };

      if (!find_position (&found, sky, row, &mark))
        continue;
      set_size (&found, row, &mark);
      g_array_append_val (marks, mark);
    }
  return g_steal_pointer (&marks);
}
