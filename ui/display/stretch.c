/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch: how values become brightness, for the panel's view and for figures. */
#include "ui/display/stretch.h"

#include <math.h>

#define LOG_FACTOR 1000.0
#define ASINH_FACTOR 10.0

static const char *const names[CAPRA_STRETCH_N_CURVES] = {
  [CAPRA_STRETCH_LINEAR] = "linear",
  [CAPRA_STRETCH_SQRT] = "sqrt",
  [CAPRA_STRETCH_LOG] = "log",
  [CAPRA_STRETCH_ASINH] = "asinh",
};

const char *
capra_stretch_curve_get_name (CapraStretchCurve curve)
{
  return names[curve];
}

gboolean
capra_stretch_curve_from_name (const char *name, CapraStretchCurve *curve)
{
  for (guint i = 0; i < CAPRA_STRETCH_N_CURVES; i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *curve = (CapraStretchCurve) i;
        return TRUE;
      }
  return FALSE;
}

static double
bend (CapraStretchCurve curve, double x)
{
  switch (curve)
    {
    case CAPRA_STRETCH_SQRT: return sqrt (x);
    case CAPRA_STRETCH_LOG: return log1p (LOG_FACTOR * x) / log1p (LOG_FACTOR);
    case CAPRA_STRETCH_ASINH: return asinh (ASINH_FACTOR * x) / asinh (ASINH_FACTOR);
    default: return x;
    }
}

static double
unbend (CapraStretchCurve curve, double y)
{
  switch (curve)
    {
    case CAPRA_STRETCH_SQRT: return y * y;
    case CAPRA_STRETCH_LOG: return expm1 (y * log1p (LOG_FACTOR)) / LOG_FACTOR;
    case CAPRA_STRETCH_ASINH: return sinh (y * asinh (ASINH_FACTOR)) / ASINH_FACTOR;
    default: return y;
    }
}

double
capra_stretch_apply (const CapraStretch *stretch, double value)
{
  /* Halves, because the difference of the limits may overflow. */
  double x = (value / 2 - stretch->low / 2) / (stretch->high / 2 - stretch->low / 2);

  return isnan (value) ? NAN : bend (stretch->curve, CLAMP (x, 0.0, 1.0));
}

double
capra_stretch_invert (const CapraStretch *stretch, double share)
{
  double x = unbend (stretch->curve, CLAMP (share, 0.0, 1.0));

  return (1.0 - x) * stretch->low + x * stretch->high;
}

void
capra_stretch_table_init (CapraStretchTable *table, const CapraStretch *stretch)
{
  table->low = stretch->low;
  table->scale = (CAPRA_STRETCH_TABLE_SIZE - 1) / (stretch->high - stretch->low);
  for (guint i = 0; i < CAPRA_STRETCH_TABLE_SIZE; i++)
    table->levels[i] = (guint8) (bend (stretch->curve, (double) i / (CAPRA_STRETCH_TABLE_SIZE - 1)) * 255.0 + 0.5);
}
