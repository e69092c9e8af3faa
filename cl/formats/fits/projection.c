/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Projection: the zenithal projections of Calabretta and Greisen 2002 (A&A 395, 1077), section 5.1. */
#include "formats/fits/projection.h"

#include <math.h>
#include <string.h>

#define RADIANS (G_PI / 180.0)
/* A radius that rounding put beyond the edge of the sky. */
#define EDGE (1.0 + 1e-12)

/* A direction in native coordinates: the vector (-cos θ cos φ, cos θ sin φ, sin θ), whose first two components point as
 * the axes y and x of the plane do. */
typedef struct {
  double up, right, out;
} Direction;

gboolean
capra_projection_init (CapraProjection *self, const char *code, double longitude, double latitude, double pole,
                       const double slant[2])
{
  static const char *const codes[] = { "TAN", "SIN", "ARC", "STG", "ZEA" };
  guint kind = 0;

  *self = (CapraProjection){ .longitude = longitude * RADIANS,
                             .sin_latitude = sin (latitude * RADIANS),
                             .cos_latitude = cos (latitude * RADIANS),
                             .pole = pole * RADIANS,
                             .slant = { slant[0], slant[1] } };
  /* The old name of a slant SIN projection, of interferometers whose antennas are in a line from east to west. */
  if (g_str_equal (code, "NCP"))
    {
      self->kind = CAPRA_PROJECTION_SIN;
      self->slant[0] = 0.0;
      self->slant[1] = self->cos_latitude / self->sin_latitude;
      return isfinite (self->slant[1]);
    }
  while (kind < G_N_ELEMENTS (codes) && !g_str_equal (code, codes[kind]))
    kind++;
  self->kind = (CapraProjectionKind) kind;
  return kind < G_N_ELEMENTS (codes) && (kind == CAPRA_PROJECTION_SIN || (slant[0] == 0.0 && slant[1] == 0.0));
}

/* Sets the length of the vector (@up, @right) to cos θ, which belongs to the radius @r, and its third component. */
static void
set_polar (Direction *d, double r, double cosine, double sine)
{
  double scale = r > 0.0 ? cosine / r : 0.0;

  d->up *= scale;
  d->right *= scale;
  d->out = sine;
}

/* SIN, in the plane (@x, @y): 1 - sin θ is the smaller root of a quadratic equation. */
static gboolean
unproject_sin (const CapraProjection *self, double x, double y, Direction *d)
{
  const double *s = self->slant;
  double a = s[0] * s[0] + s[1] * s[1] + 1.0, b = x * s[0] + y * s[1] + 1.0, c = x * x + y * y;
  double root = b * b - a * c, u = 0.0;

  if (root < 0.0 && root > -1e-12)
    root = 0.0;
  u = c / (b + sqrt (root));
  *d = (Direction){ y - s[1] * u, x - s[0] * u, 1.0 - u };
  return root >= 0.0 && isfinite (u);
}

/* From the plane (@x, @y) in radians. */
static gboolean
unproject (const CapraProjection *self, double x, double y, Direction *d)
{
  double r = hypot (x, y), angle = 0.0;

  *d = (Direction){ y, x, 1.0 };
  switch (self->kind)
    {
    case CAPRA_PROJECTION_SIN: return unproject_sin (self, x, y, d);
    case CAPRA_PROJECTION_TAN: return TRUE; /* of any length */
    case CAPRA_PROJECTION_ARC: angle = r; break;
    case CAPRA_PROJECTION_STG: angle = 2.0 * atan (r / 2.0); break;
    case CAPRA_PROJECTION_ZEA:
      if (r > 2.0 * EDGE)
        return FALSE;
      angle = 2.0 * asin (MIN (r / 2.0, 1.0));
      break;
    }
  set_polar (d, r, sin (angle), cos (angle));
  return angle <= G_PI * EDGE;
}

/* To the plane, in radians, from a vector of length 1. */
static gboolean
project (const CapraProjection *self, const Direction *d, double *x, double *y)
{
  double cosine = hypot (d->up, d->right), angle = atan2 (cosine, d->out), r = 0.0;

  switch (self->kind)
    {
    case CAPRA_PROJECTION_SIN:
      /* 1 - sin θ, without cancellation. */
      r = d->out > 0.0 ? cosine * cosine / (1.0 + d->out) : 1.0 - d->out;
      *x = d->right + self->slant[0] * r;
      *y = d->up + self->slant[1] * r;
      return d->out + self->slant[0] * d->right + self->slant[1] * d->up >= 0.0;
    case CAPRA_PROJECTION_TAN: r = cosine / d->out; break;
    case CAPRA_PROJECTION_ARC: r = angle; break;
    case CAPRA_PROJECTION_STG: r = 2.0 * tan (angle / 2.0); break;
    case CAPRA_PROJECTION_ZEA: r = 2.0 * sin (angle / 2.0); break;
    }
  *x = cosine > 0.0 ? d->right / cosine * r : 0.0;
  *y = cosine > 0.0 ? d->up / cosine * r : 0.0;
  return self->kind != CAPRA_PROJECTION_TAN || d->out > 0.0;
}

gboolean
capra_projection_to_sky (const CapraProjection *self, double x, double y, double sky[2])
{
  Direction d;
  double along = 0.0, across = 0.0, north = 0.0, east = 0.0, height = 0.0, longitude = 0.0;

  sky[0] = sky[1] = NAN;
  if (!unproject (self, x * RADIANS, y * RADIANS, &d))
    return FALSE;
  /* Turned by the pole's native longitude: the components towards the pole, and across. */
  along = -d.up * cos (self->pole) + d.right * sin (self->pole);
  across = d.right * cos (self->pole) + d.up * sin (self->pole);
  north = d.out * self->cos_latitude - along * self->sin_latitude;
  east = -across;
  height = d.out * self->sin_latitude + along * self->cos_latitude;
  longitude = (self->longitude + atan2 (east, north)) / RADIANS;
  longitude -= 360.0 * floor (longitude / 360.0);
  sky[0] = longitude < 360.0 ? longitude : 0.0;
  sky[1] = atan2 (height, hypot (north, east)) / RADIANS;
  return isfinite (sky[0]) && isfinite (sky[1]);
}

gboolean
capra_projection_from_sky (const CapraProjection *self, const double sky[2], double plane[2])
{
  double longitude = sky[0] * RADIANS - self->longitude, latitude = sky[1] * RADIANS;
  double north = cos (latitude) * cos (longitude), east = cos (latitude) * sin (longitude), height = sin (latitude);
  double along = height * self->cos_latitude - north * self->sin_latitude, across = -east;
  Direction d = { .up = across * sin (self->pole) - along * cos (self->pole),
                  .right = across * cos (self->pole) + along * sin (self->pole),
                  .out = height * self->sin_latitude + north * self->cos_latitude };
  gboolean shown = project (self, &d, &plane[0], &plane[1]);

  plane[0] = shown ? plane[0] / RADIANS : NAN;
  plane[1] = shown ? plane[1] / RADIANS : NAN;
  return shown && isfinite (plane[0]) && isfinite (plane[1]);
}
