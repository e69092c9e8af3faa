/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-scale: the ranges of curves, as positions on a plot. */
#include "ui/figure/curve-scale.h"

#include <math.h>

#include "ui/pipeline/error.h"

#define MARGIN 0.04       /* above and below the curves and around dots, as a share of the plot */
#define MAX_DECADES 12.0  /* of a logarithmic axis, below its largest value */
#define LEAST_RANGE 1e-12 /* of the largest value */

double
capra_scale_get_share (double value, gconstpointer data)
{
  const CapraScale *scale = data;

  if (!scale->log)
    return (value - scale->low) / (scale->high - scale->low);
  return value > 0.0 ? log (value / scale->low) / log (scale->high / scale->low) : NAN;
}

static gboolean
can_show (const CapraScale *scale, double value)
{
  return isfinite (value) && (!scale->log || value > 0.0);
}

static void
extend (CapraScale *scale, double value)
{
  if (!can_show (scale, value))
    return;
  scale->low = MIN (scale->low, value);
  scale->high = MAX (scale->high, value);
}

static void
extend_by_curve (const CapraCurve *curve, CapraScale *x, CapraScale *y)
{
  for (gsize i = 0; i < curve->count; i++)
    {
      if (!can_show (x, curve->x[i]) || !can_show (y, curve->y[i]))
        continue;
      extend (x, curve->x[i]);
      extend (y, curve->y[i]);
      if (!curve->error || !isfinite (curve->error[i]))
        continue;
      extend (y, curve->y[i] + curve->error[i]);
      if (!y->log) /* close to zero, the band would fill the plot */
        extend (y, curve->y[i] - curve->error[i]);
    }
}

/* A range of one value becomes wider. */
static void
widen (CapraScale *scale, double margin)
{
  double size = MAX (fabs (scale->low), fabs (scale->high));

  if (scale->log)
    {
      double factor;

      scale->low = MAX (scale->low, scale->high * pow (10.0, -MAX_DECADES));
      factor = scale->high / scale->low > 1.0 + LEAST_RANGE ? pow (scale->high / scale->low, margin) : 2.0;
      scale->low /= factor;
      scale->high *= factor;
      return;
    }
  if (scale->high - scale->low <= size * LEAST_RANGE)
    margin = size > 0.0 ? size / 2 : 1.0;
  else
    margin *= scale->high - scale->low;
  scale->low -= margin;
  scale->high += margin;
}

gboolean
capra_scale_find (const CapraCurveFigure *figure, CapraScale *x, CapraScale *y, GError **error)
{
  gboolean dots = FALSE;

  *x = (CapraScale){ G_MAXDOUBLE, -G_MAXDOUBLE, figure->x_log };
  *y = (CapraScale){ G_MAXDOUBLE, -G_MAXDOUBLE, figure->y_log };
  for (guint i = 0; i < figure->n_curves; i++)
    {
      extend_by_curve (&figure->curves[i], x, y);
      dots |= figure->curves[i].style == CAPRA_CURVE_DOTS;
    }
  if (x->low > x->high)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_VALUE, "the curves contain no %s values",
                   x->log || y->log ? "positive" : "finite");
      return FALSE;
    }
  widen (x, dots ? MARGIN : 0.0);
  widen (y, MARGIN);
  return TRUE;
}
