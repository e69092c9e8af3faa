/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pixels on the host: which are left out, and by what their values are divided. */
#include <string.h>

#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/detector.h"

typedef struct {
  const CapraAzimuthalSettings *settings;
  AzimuthalGeometry geometry;
  guint8 *pixels;
  float *norms;
} Pixels;

void
capra_azimuthal_find_mask (const CapraAzimuthalSettings *settings, guint8 *pixels)
{
  const CapraDetector *detector = settings->detector_mask ? capra_detector_find (settings->poni.detector) : NULL;
  gsize n = (gsize) settings->width * settings->height;

  memset (pixels, 0, n);
  for (gsize k = 0; settings->mask && k < n; k++)
    pixels[k] = settings->mask[k] ? PIXEL_MASKED : 0;
  if (detector && detector->width == settings->width && detector->height == settings->height)
    capra_detector_mask (detector, pixels);
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
        float norm = polar_norm (&p->geometry, i, j, settings->flat ? settings->flat[k] : 1,
                                 settings->dark ? settings->dark[k] : 0);

        if (norm == 0)
          p->pixels[k] |= PIXEL_REJECTED;
        p->norms[k] = p->pixels[k] ? 0 : norm;
      }
}

void
capra_azimuthal_find_norms (const CapraAzimuthalSettings *settings, guint8 *pixels, float *norms)
{
  Pixels p = { settings, .pixels = pixels, .norms = norms };

  capra_azimuthal_geometry_init (&p.geometry, settings);
  capra_strips_run (settings->height, find_norms, &p);
}
