/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Projection: zenithal projections of the sky onto a plane. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_PROJECTION_TAN,
  CAPRA_PROJECTION_SIN,
  CAPRA_PROJECTION_ARC,
  CAPRA_PROJECTION_STG,
  CAPRA_PROJECTION_ZEA,
} CapraProjectionKind;

/**
 * CapraProjection:
 * @kind: the projection
 * @longitude: of the reference point on the sky, in radians
 * @sin_latitude: of the reference point
 * @cos_latitude: of the reference point
 * @pole: the native longitude of the celestial pole, in radians
 * @slant: the parameters of a slant SIN projection
 */
typedef struct {
  CapraProjectionKind kind;
  double longitude, sin_latitude, cos_latitude, pole;
  double slant[2];
} CapraProjection;

/* Sets @self to the projection that a CTYPE names, such as "TAN", with its reference point and @pole (LONPOLE) in
 * degrees. Returns FALSE if it is unknown, or has parameters (@slant) that it does not take. */
gboolean capra_projection_init (CapraProjection *self, const char *code, double longitude, double latitude, double pole,
                                const double slant[2]);

/* From the plane, in degrees, to longitude (0 to 360) and latitude in degrees. Returns FALSE and sets NaN where the
 * plane shows nothing. */
gboolean capra_projection_to_sky (const CapraProjection *self, double x, double y, double sky[2]);

/* And back. */
gboolean capra_projection_from_sky (const CapraProjection *self, const double sky[2], double plane[2]);

G_END_DECLS
