/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Splitting: how much of a pixel is in which bin. Private.
 *
 * The same definitions as in pyFAI, also where these are approximations: the areas of the full splitting are summed as
 * float32, and those of two dimensions fill a column of bins from its bottom. */
#pragma once

#include <glib.h>

#include "algorithms/azimuthal/azimuthal-geometry.h"

G_BEGIN_DECLS

/* An axis of bins. */
typedef struct {
  double min, max, delta; /* of all values, without the widening of the last bin; the width of a bin */
  guint bins;
} CapraAxisBins;

/* Part of a pixel in a bin: an entry of the sparse matrix. */
typedef struct {
  guint32 bin, pixel;
  float coefficient;
} CapraSplitEntry;

/* Appends entries for @pixel to @entries. The axis of azimuths has one bin, and is ignored, for a curve. */
typedef struct {
  CapraAxisBins radial, azimuthal;
  gboolean two_dimensions;
  double sign; /* of the area of a pixel: -1 for orientations that mirror one axis */
} CapraSplit;

/* The pixel with its center at @center, @half being half the size of its bounding box (0 for no splitting). */
void capra_split_box (const CapraSplit *split, guint32 pixel, CapraPolar center, CapraPolar half, GArray *entries);

/* The pixel with these corners, in the order (i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1). */
void capra_split_full (const CapraSplit *split, guint32 pixel, const CapraPolar corners[4], GArray *entries);

G_END_DECLS
