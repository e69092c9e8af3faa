/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ruler: distances on an image in the units of its file. */
#include "ui/panel/preview/ruler.h"

#include <math.h>
#include <string.h>

#include "capra.h"
#include "ui/pipeline/read/fits-keywords.h"
#include "ui/pipeline/read/resolution.h"

/* The angle between two positions on the sky, all in degrees. This formula (Vincenty's, for a sphere) is exact for
 * small angles, too. */
static double
measure_angle (const double a[2], const double b[2])
{
  double turn = (b[0] - a[0]) * G_PI / 180.0, north = a[1] * G_PI / 180.0, other = b[1] * G_PI / 180.0;
  double across = hypot (cos (other) * sin (turn), cos (north) * sin (other) - sin (north) * cos (other) * cos (turn));
  double along = sin (north) * sin (other) + cos (north) * cos (other) * cos (turn);

  return atan2 (across, along) * 180.0 / G_PI;
}

/* FALSE if the coordinates have no positions there, or if their axes have different units. */
static gboolean
measure_world (CapraWorldCoordinates *world, const double from[2], const double to[2], CapraDistance *distance)
{
  double a[2], b[2];

  if (!capra_world_coordinates_from_pixel (world, from[0], from[1], a)
      || !capra_world_coordinates_from_pixel (world, to[0], to[1], b))
    return FALSE;
  distance->unit = capra_world_coordinates_get_unit (world, 0);
  if (capra_world_coordinates_is_sky (world))
    {
      distance->value = measure_angle (a, b);
      return TRUE;
    }
  distance->value = hypot (b[0] - a[0], b[1] - a[1]);
  return *distance->unit && strcmp (distance->unit, capra_world_coordinates_get_unit (world, 1)) == 0;
}

gboolean
capra_ruler_measure (GeglBuffer *image, const double from[2], const double to[2], CapraDistance *distance)
{
  CapraWorldCoordinates *world = g_object_get_data (G_OBJECT (image), CAPRA_FITS_COORDINATES_KEY);
  const CapraResolution *resolution = capra_resolution_get (image);

  if (world)
    return measure_world (world, from, to, distance);
  if (!resolution)
    return FALSE;
  distance->unit = "m";
  distance->value = hypot ((to[0] - from[0]) / resolution->per_meter[0], (to[1] - from[1]) / resolution->per_meter[1]);
  return TRUE;
}

CapraRulerUnit
capra_ruler_choose_unit (const CapraDistance *distance)
{
  static const CapraRulerUnit lengths[] = {
    { "nm", "nm", 1e-9 }, { "um", "µm", 1e-6 }, { "mm", "mm", 1e-3 }, { "m", "m", 1.0 }
  };
  static const CapraRulerUnit angles[] = { { "arcsec", "″", 1.0 / 3600.0 },
                                           { "arcmin", "′", 1.0 / 60.0 },
                                           { "deg", "°", 1.0 } };
  gboolean length = strcmp (distance->unit, "m") == 0;
  const CapraRulerUnit *units = length ? lengths : angles, *chosen = units;

  if (!length && strcmp (distance->unit, "deg") != 0)
    return (CapraRulerUnit){ distance->unit, distance->unit, 1.0 };
  for (guint i = 1; i < (length ? G_N_ELEMENTS (lengths) : G_N_ELEMENTS (angles)); i++)
    if (distance->value >= units[i].size)
      chosen = &units[i];
  return *chosen;
}
