/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* PONI: the geometry of a diffraction experiment, as pyFAI calibrates it and stores it in files. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraPoni:
 * @detector: the name of the detector, such as "Eiger4M"; "" or "Detector" for one that is given by its pixels alone
 * @pixel1: the height of a pixel in m; 0 if unknown
 * @pixel2: the width of a pixel in m; 0 if unknown
 * @width: columns of the detector; 0 if unknown
 * @height: rows of the detector; 0 if unknown
 * @orientation: 1 to 4, as in pyFAI; 3 if the first pixel is at the bottom right as seen from behind the camera
 * @distance: from the sample to the detector's plane in m
 * @poni1: the point of normal incidence along the rows in m
 * @poni2: the same along the columns
 * @rot1: the first rotation in radians, with @rot2 and @rot3
 * @wavelength: in m; 0 if unknown
 */
typedef struct {
  char detector[64];
  double pixel1, pixel2;
  guint width, height, orientation;
  double distance, poni1, poni2, rot1, rot2, rot3, wavelength;
} CapraPoni;

/**
 * capra_poni_parse:
 * @text: the contents of a PONI file of version 1, 2 or 2.1, or of version 3 without a correction of parallax
 * @length: bytes of @text, which need not end with 0
 *
 * Fills in pixels and shape of known detectors. Keys that are missing are an error, except those for the wavelength,
 * the rotations and the shape.
 */
CAPRA_API
gboolean capra_poni_parse (const char *text, gsize length, CapraPoni *poni, GError **error);

/**
 * capra_poni_load:
 * @path: a PONI file
 */
CAPRA_API
gboolean capra_poni_load (const char *path, CapraPoni *poni, GError **error);

/**
 * capra_poni_check:
 *
 * Checks that all numbers are finite, and that distance and pixels are positive.
 */
CAPRA_API
gboolean capra_poni_check (const CapraPoni *poni, GError **error);

G_END_DECLS
