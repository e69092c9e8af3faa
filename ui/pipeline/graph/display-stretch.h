/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display-stretch: whether and how values are stretched for the screen. It changes no pixel of a result. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

#include "ui/display/stretch.h"

G_BEGIN_DECLS

/* The share of the values between the limits by default, in percent. */
#define CAPRA_DISPLAY_PERCENT 99.6

/**
 * CapraDisplayStretch:
 * @enabled: %FALSE to show values as colors: 0 is black and 1 is white, in linear light
 * @percent: of the values that are between the limits; equally many are below them and above them
 */
typedef struct {
  gboolean enabled;
  CapraStretchCurve curve;
  double percent;
} CapraDisplayStretch;

/**
 * capra_display_stretch_choose:
 * @file: (nullable): where @image is from
 *
 * Returns: the stretch for an image that was opened: inverse hyperbolic sine for FITS files, linear for raw values, and
 *   none for others
 */
CapraDisplayStretch capra_display_stretch_choose (GeglBuffer *image, GFile *file);

gboolean capra_display_stretch_equal (const CapraDisplayStretch *a, const CapraDisplayStretch *b);

G_END_DECLS
