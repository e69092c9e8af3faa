/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ruler: distances on an image in the units of its file. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraDistance:
 * @unit: "m", "deg" on the sky, or the unit of a FITS file's coordinates
 */
typedef struct {
  double value;
  const char *unit;
} CapraDistance;

/**
 * CapraRulerUnit:
 * @name: in files: "um"
 * @symbol: on the screen: "µm"
 * @size: in the unit of a CapraDistance
 */
typedef struct {
  const char *name, *symbol;
  double size;
} CapraRulerUnit;

/**
 * capra_ruler_measure:
 * @image: with a resolution, or the world coordinates of a FITS file
 * @from: a position in pixels; the center of the first pixel is at 0, 0. Likewise @to.
 *
 * Returns: FALSE if the size of pixels is unknown
 */
gboolean capra_ruler_measure (GeglBuffer *image, const double from[2], const double to[2], CapraDistance *distance);

/* The unit in which people read such a distance: 0.003 m in millimeters. */
CapraRulerUnit capra_ruler_choose_unit (const CapraDistance *distance);

G_END_DECLS
