/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pixels: which are left out, by what their values are divided, and the sums that are the same for all frames. */
#include <math.h>

#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/detector.h"

typedef struct {
  const CapraAzimuthalSettings *settings;
  CapraGeometry geometry;
  guint8 *pixels;
  float *norms;
} Pixels;

static gboolean
is_dummy (const CapraAzimuthalSettings *settings, float value)
{
  return settings->has_dummy && fabs ((double) value - settings->dummy) <= settings->delta_dummy;
}

static void
find_norms (guint strip, guint first, guint end, gpointer data)
{
  const Pixels *p = data;
  const CapraAzimuthalSettings *settings = p->settings;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < settings->width; j++)
      {
        gsize k = (gsize) i * settings->width + j;
        double norm = settings->normalization * capra_geometry_get_correction (&p->geometry, settings, i, j);

        if (settings->flat)
          norm *= is_dummy (settings, settings->flat[k]) ? 0 : settings->flat[k];
        if (settings->dark && (!isfinite (settings->dark[k]) || is_dummy (settings, settings->dark[k])))
          norm = 0;
        p->norms[k] = (float) norm;
        if (p->norms[k] == 0 || !isfinite (p->norms[k]))
          p->pixels[k] |= CAPRA_PIXEL_REJECTED;
        if (p->pixels[k])
          p->norms[k] = 0;
      }
}

void
capra_azimuthal_find_pixels (const CapraAzimuthalSettings *settings, guint8 *pixels, float *norms)
{
  const CapraDetector *detector = settings->detector_mask ? capra_detector_find (settings->poni.detector) : NULL;
  gsize n = (gsize) settings->width * settings->height;
  Pixels p = { settings, .pixels = pixels, .norms = norms };

  for (gsize k = 0; k < n; k++)
    pixels[k] = settings->mask && settings->mask[k] ? CAPRA_PIXEL_MASKED : 0;
  if (detector && detector->width == settings->width && detector->height == settings->height)
    capra_detector_mask (detector, pixels);
  capra_geometry_init (&p.geometry, settings);
  capra_strips_run (settings->height, find_norms, &p);
}

typedef struct {
  const CapraSparse *matrix;
  const float *norms, *dark;
  float *fixed;
} Fixed;

static void
find_rows (guint strip, guint first, guint end, gpointer data)
{
  const Fixed *f = data;
  const CapraSparse *matrix = f->matrix;

  for (guint row = first; row < end; row++)
    {
      double sums[N_FIXED] = { 0 };

      for (guint32 e = matrix->starts[row]; e < matrix->starts[row + 1]; e++)
        {
          guint32 pixel = matrix->pixels[e];
          double c = matrix->coefficients ? matrix->coefficients[e] : 1, w = c * f->norms[pixel];

          sums[FIXED_DARK] += f->dark ? c * f->dark[pixel] : 0;
          sums[FIXED_NORM] += w;
          sums[FIXED_NORM_SQUARES] += w * w;
          sums[FIXED_COUNT] += c;
        }
      for (guint k = 0; k < N_FIXED; k++)
        {
          float *pair = f->fixed + ((gsize) row * N_FIXED + k) * 2;

          pair[0] = (float) sums[k];
          pair[1] = (float) (sums[k] - pair[0]);
        }
    }
}

float *
capra_azimuthal_find_fixed (const CapraSparse *matrix, const float *norms, const float *dark)
{
  Fixed f = { matrix, norms, dark, g_new (float, (gsize) matrix->n_rows * N_FIXED * 2) };

  capra_strips_run (matrix->n_rows, find_rows, &f);
  return f.fixed;
}
