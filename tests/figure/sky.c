/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tangential projection, for tests of figures: with vectors, not with the formulas of the library. */
#include "tests/figure/sky.h"

#include <math.h>

#define DEGREE (G_PI / 180.0)

typedef struct {
  double x, y, z;
} Vector;

static double
dot (Vector a, Vector b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector
get_direction (double ra, double dec)
{
  return (Vector){ cos (dec * DEGREE) * cos (ra * DEGREE), cos (dec * DEGREE) * sin (ra * DEGREE), sin (dec * DEGREE) };
}

/* East and north at the reference position. */
static void
get_axes (const TestSky *sky, Vector *east, Vector *north)
{
  *east = (Vector){ -sin (sky->ra * DEGREE), cos (sky->ra * DEGREE), 0.0 };
  *north = (Vector){ -sin (sky->dec * DEGREE) * cos (sky->ra * DEGREE),
                     -sin (sky->dec * DEGREE) * sin (sky->ra * DEGREE), cos (sky->dec * DEGREE) };
}

static gboolean
to_sky (gpointer data, double x, double y, double *ra, double *dec)
{
  const TestSky *sky = data;
  double right = (x - sky->x) * sky->step * DEGREE, up = (sky->y - y) * sky->step * DEGREE;
  double e = (right * cos (sky->turn) + up * sin (sky->turn)) * (sky->mirrored ? 1.0 : -1.0);
  double n = up * cos (sky->turn) - right * sin (sky->turn);
  Vector center = get_direction (sky->ra, sky->dec), east, north, v;

  get_axes (sky, &east, &north);
  v = (Vector){ center.x + e * east.x + n * north.x, center.y + e * east.y + n * north.y,
                center.z + e * east.z + n * north.z };
  *ra = atan2 (v.y, v.x) / DEGREE;
  *ra += *ra < 0.0 ? 360.0 : 0.0;
  *dec = asin (v.z / sqrt (dot (v, v))) / DEGREE;
  return TRUE;
}

static gboolean
to_pixel (gpointer data, double ra, double dec, double *x, double *y)
{
  const TestSky *sky = data;
  Vector v = get_direction (ra, dec), center = get_direction (sky->ra, sky->dec), east, north;
  double depth = dot (v, center), e, n, right, up;

  if (depth <= 0.01)
    return FALSE;
  get_axes (sky, &east, &north);
  e = dot (v, east) / depth * (sky->mirrored ? 1.0 : -1.0);
  n = dot (v, north) / depth;
  right = e * cos (sky->turn) - n * sin (sky->turn);
  up = e * sin (sky->turn) + n * cos (sky->turn);
  *x = sky->x + right / DEGREE / sky->step;
  *y = sky->y - up / DEGREE / sky->step;
  return TRUE;
}

CapraSky
test_sky_new (TestSky *sky)
{
  return (CapraSky){ to_sky, to_pixel, sky, TRUE, { "Right ascension", "Declination" } };
}
