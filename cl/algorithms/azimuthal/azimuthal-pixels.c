/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pixels on the host: which are left out, and by what their values are divided. */
#include "algorithms/azimuthal/azimuthal-private.h"
#include "algorithms/azimuthal/detector.h"

typedef struct {
  AzimuthalGeometry geometry;
  const float *flat, *dark; /* nullable: of the part */
  guint8 *pixels;
  float *norms;
} Pixels;

guint8 *
capra_azimuthal_find_mask (const CapraAzimuthalSettings *settings)
{
  const CapraDetector *detector = settings->detector_mask ? capra_detector_find (settings->poni.detector) : NULL;
  gsize n = (gsize) settings->width * settings->height;
  guint8 *pixels = g_malloc0 (n);

  for (gsize k = 0; settings->mask && k < n; k++)
    pixels[k] = settings->mask[k] ? PIXEL_MASKED : 0;
  if (detector && detector->width == settings->width && detector->height == settings->height)
    capra_detector_mask (detector, pixels);
  return pixels;
}

static void
find_norms (guint strip, guint first, guint end, gpointer data)
{
  const Pixels *p = data;
  guint width = p->geometry.width;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        gsize k = (gsize) i * width + j;
        float norm = polar_norm (&p->geometry, i, j, p->flat ? p->flat[k] : 1, p->dark ? p->dark[k] : 0);

        if (norm == 0)
          p->pixels[k] |= PIXEL_REJECTED;
        p->norms[k] = p->pixels[k] ? 0 : norm;
      }
}

void
capra_azimuthal_find_norms (const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part, guint8 *pixels,
                            float *norms)
{
  gsize offset = capra_azimuthal_part_offset (part, settings);
  Pixels p = { .flat = settings->flat ? settings->flat + offset : NULL,
               .dark = settings->dark ? settings->dark + offset : NULL,
               .pixels = pixels,
               .norms = norms };

  capra_azimuthal_geometry_init (&p.geometry, settings, part);
  capra_strips_run (part->rows, find_norms, &p);
}
