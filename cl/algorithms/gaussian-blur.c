/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian blur: weights, and one pass an axis. */
#include <math.h>

#include "algorithms/gaussian-blur.h"
#include "algorithms/taps.h"

/* Beyond so many sigmas exp (-x² / 2) is 0 in double precision. */
#define UNDERFLOW 39.0
/* From so many steps a sigma on, sums are integrals (Euler-Maclaurin, error below 1e-8 of the sum). */
#define SMOOTH 16.0

typedef struct {
  double sigma, scale;
} Gaussian;

/* The truncated radius, as large as it may be. */
static double
gaussian_reach (double sigma, double truncate)
{
  return sigma > 0.0 ? floor (MIN (truncate, UNDERFLOW) * sigma + 0.5) : 0.0;
}

int
capra_gaussian_radius (double sigma, double truncate)
{
  double radius = sigma > 0.0 ? floor (truncate * sigma + 0.5) : 0.0;

  return radius < G_MAXINT ? (int) radius : G_MAXINT;
}

/* Σ exp (-x² / 2σ²) at @first, @first + @step, …; many close samples as an integral. */
static double
gaussian_sum (gconstpointer filter, gint64 first, gint64 step, gint64 count)
{
  const Gaussian *gaussian = filter;
  double sigma = gaussian->sigma, h = (double) step / sigma, a = (double) first / sigma;
  double b = a + h * (double) (count - 1), fa = exp (-0.5 * a * a), fb = exp (-0.5 * b * b), sum = 0.0;

  if (count > 64 && h * SMOOTH <= 1.0)
    sum = sqrt (G_PI_2) * (a > 0.0 ? erfc (a * G_SQRT2 / 2.0) - erfc (b * G_SQRT2 / 2.0)
                                   : erf (b * G_SQRT2 / 2.0) - erf (a * G_SQRT2 / 2.0)) / h
          + 0.5 * (fa + fb) + h / 12.0 * (a * fa - b * fb);
  else
    for (gint64 i = 0; i < count; i++)
      {
        double x = a + h * (double) i;

        sum += exp (-0.5 * x * x);
      }
  return sum * gaussian->scale;
}

static CapraTaps *
gaussian_taps (const CapraAxis *axis, double sigma, double truncate)
{
  gint64 reach = (gint64) gaussian_reach (sigma, truncate);
  Gaussian gaussian = { sigma, 1.0 };

  if (reach == 0)
    return capra_taps_new_identity (axis);
  gaussian.scale = 1.0 / gaussian_sum (&gaussian, -reach, 1, 2 * reach + 1);
  return capra_taps_new (axis, reach, reach, gaussian_sum, &gaussian);
}

/* Larger sigmas make no difference to any image that fits into memory, but leave double's range. */
#define LARGEST_SIGMA 1e15

static gboolean
check_arguments (const double sigma[3], double truncate, GError **error)
{
  for (int i = 0; i < 3; i++)
    if (!isfinite (sigma[i]) || sigma[i] < 0.0 || sigma[i] > LARGEST_SIGMA)
      {
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                     "cannot blur with sigma %g along %c; give a number from 0 to %g", sigma[i],
                     "xyz"[i], LARGEST_SIGMA);
        return FALSE;
      }
  if (!isfinite (truncate) || truncate <= 0.0)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "cannot truncate a Gaussian at %g sigmas; give a number above 0, such as %g",
                   truncate, CAPRA_GAUSSIAN_TRUNCATE);
      return FALSE;
    }
  return TRUE;
}

CapraArray *
capra_gaussian_blur (CapraArray *input, const double sigma[3], double truncate, CapraBorder border,
                     const CapraWindow *window, GError **error)
{
  g_autoptr(CapraArray) current = NULL;
  CapraWindow resolved;
  int reach[3];

  g_return_val_if_fail (input && sigma, NULL);

  if (!check_arguments (sigma, truncate, error))
    return NULL;
  for (int i = 0; i < 3; i++)
    reach[i] = capra_gaussian_radius (sigma[i], MIN (truncate, UNDERFLOW));
  if (!capra_window_resolve (input, window, reach[0], reach[0], reach[1], reach[1], border, &resolved,
                             error))
    return NULL;

  if (capra_axis_misses (&resolved, reach, border))
    return capra_axis_zeros (input, &resolved, error);

  current = capra_array_ref (input);
  for (int number = 2; number >= 0; number--)
    {
      g_autoptr(CapraTaps) taps = NULL;
      CapraArray *blurred = NULL;
      CapraAxis axis;

      capra_axis_init (&axis, number, input, &resolved, border);
      /* At the last axis a copy is made if nothing else was done. */
      if (reach[number] == 0 && capra_axis_is_whole (&axis) && (number > 0 || current != input))
        continue;
      taps = gaussian_taps (&axis, sigma[number], truncate);
      blurred = capra_taps_run (current, &axis, taps, 0.0f, error);
      if (!blurred)
        return NULL;
      capra_array_unref (current);
      current = blurred;
    }
  return g_steal_pointer (&current);
}
