/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sky-ticks: round longitudes and latitudes on the sky, with labels in hours or degrees, minutes and seconds. */
#include "ui/figure/sky-ticks.h"

#include <math.h>

#define EPSILON 1e-9

/* Of minutes and seconds. */
static const double sixtieths[] = { 1, 2, 5, 10, 15, 20, 30 };
static const double hour_steps[] = { 1, 2, 3, 6 };
static const double degree_steps[] = { 1, 2, 5, 10, 15, 30, 45 };

double
capra_sky_ticks_get_unit (CapraSkyKind kind)
{
  return kind == CAPRA_SKY_HOURS ? 15.0 / 3600 : 1.0 / 3600;
}

double
capra_sky_ticks_get_step (CapraSkyKind kind, double range, guint most)
{
  gboolean hours = kind == CAPRA_SKY_HOURS;
  double least = range / capra_sky_ticks_get_unit (kind) / MAX (most, 1);
  double power = pow (10.0, floor (log10 (MAX (least, 1e-9))));
  const double *whole = hours ? hour_steps : degree_steps;

  if (least <= 0.5)
    return (least <= power * (1 + EPSILON) ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10) * power;
  for (int unit = 1; unit <= 60; unit *= 60)
    for (guint i = 0; i < G_N_ELEMENTS (sixtieths); i++)
      if (least <= sixtieths[i] * unit)
        return sixtieths[i] * unit;
  for (guint i = 0; i < (hours ? G_N_ELEMENTS (hour_steps) : G_N_ELEMENTS (degree_steps)); i++)
    if (least <= whole[i] * 3600)
      return whole[i] * 3600;
  return (hours ? 6 : 45) * 3600;
}

char *
capra_sky_ticks_format (CapraSkyKind kind, gint64 index, double step)
{
  static const char *const units[2][3] = { { "°", "′", "″" }, { "<sup>h</sup>", "<sup>m</sup>", "<sup>s</sup>" } };
  gboolean hours = kind == CAPRA_SKY_HOURS;
  const char *const *unit = units[hours];
  int decimals = step < 1 ? (int) ceil (-log10 (step) - EPSILON) : 0;
  double parts = pow (10.0, decimals), turn = (hours ? 24 : 360) * 3600 * parts;
  double ticks = rint ((double) index * step * parts); /* exact, in the last decimal */
  const char *sign = kind != CAPRA_SKY_LATITUDE ? "" : ticks < 0 ? "\u2212" : "+";
  double seconds, minutes, whole;

  if (kind != CAPRA_SKY_LATITUDE)
    ticks -= floor (ticks / turn) * turn;
  ticks = fabs (ticks);
  seconds = fmod (ticks, 60 * parts) / parts;
  minutes = fmod (floor (ticks / (60 * parts)), 60);
  whole = floor (ticks / (3600 * parts));
  if (step >= 3600)
    return g_strdup_printf ("%s%02.0f%s", sign, whole, unit[0]);
  if (step >= 60)
    return g_strdup_printf ("%s%02.0f%s%02.0f%s", sign, whole, unit[0], minutes, unit[1]);
  return g_strdup_printf ("%s%02.0f%s%02.0f%s%0*.*f%s", sign, whole, unit[0], minutes, unit[1],
                          decimals ? 3 + decimals : 2, decimals, seconds, unit[2]);
}
