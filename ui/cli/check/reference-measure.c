/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of a region: sums in extended precision, one region at a time. */
#include "ui/cli/check/reference-measure.h"

#include <math.h>

gboolean
reference_measure (CapraRegion *r, const guint32 *labels, const double *values, gsize width, gsize n, guint32 label,
                   int origin_x, int origin_y)
{
  long double x = 0, y = 0, sum = 0, xv = 0, yv = 0, squares = 0;
  gboolean nan = FALSE;

  *r = (CapraRegion){ .label = label,
                      .min_x = G_MAXINT32,
                      .min_y = G_MAXINT32,
                      .max_x = G_MININT32,
                      .max_y = G_MININT32,
                      .min = NAN,
                      .max = NAN };
  for (gsize i = 0; i < n; i++)
    {
      int px = (int) (i % width) + origin_x, py = (int) (i / width) + origin_y;

      if (labels[i] != label)
        continue;
      r->area++;
      x += px;
      y += py;
      r->min_x = MIN (r->min_x, px);
      r->max_x = MAX (r->max_x, px);
      r->min_y = MIN (r->min_y, py);
      r->max_y = MAX (r->max_y, py);
      sum += values[i];
      xv += px * (long double) values[i];
      yv += py * (long double) values[i];
      nan |= isnan (values[i]);
      r->min = fmin (r->min, values[i]);
      r->max = fmax (r->max, values[i]);
    }
  if (!r->area)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (labels[i] == label)
      squares += (values[i] - sum / r->area) * (values[i] - sum / r->area);

  r->centroid_x = x / r->area;
  r->centroid_y = y / r->area;
  r->sum = sum;
  r->mean = sum / r->area;
  r->weighted_centroid_x = sum == 0 ? NAN : xv / sum;
  r->weighted_centroid_y = sum == 0 ? NAN : yv / sum;
  r->std = sqrtl (squares / r->area);
  return TRUE;
}
