/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display-stretch: whether and how values are stretched for the screen. It changes no pixel of a result. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

#include "ui/display/stretch.h"

G_BEGIN_DECLS

/* Instead of a share of the values: the limits that the curve has by default, see capra_stretch_limits_choose(). */
#define CAPRA_DISPLAY_AUTOMATIC 0.0

/**
 * CapraDisplayStretch:
 * @enabled: %FALSE to show values as colors: 0 is black and 1 is white, in linear light
 * @percent: of the values that are between the limits; equally many are below them and above them. Or
 *   %CAPRA_DISPLAY_AUTOMATIC.
 */
typedef struct {
  gboolean enabled;
  CapraStretchCurve curve;
  double percent;
} CapraDisplayStretch;

/* Kinds of images that have a stretch of their own. */
typedef enum {
  CAPRA_DISPLAY_COLORS,
  CAPRA_DISPLAY_RAW, /* raw values */
  CAPRA_DISPLAY_FITS,
} CapraDisplayKind;

#define CAPRA_DISPLAY_N_KINDS 3

/* @file: (nullable): where @image is from */
CapraDisplayKind capra_display_kind_find (GeglBuffer *image, GFile *file);

/* The stretch for images of that kind unless the user has chosen another: none for colors, linear for raw values, and
 * inverse hyperbolic sine for FITS files. */
CapraDisplayStretch capra_display_stretch_get_default (CapraDisplayKind kind);

gboolean capra_display_stretch_equal (const CapraDisplayStretch *a, const CapraDisplayStretch *b);

G_END_DECLS
