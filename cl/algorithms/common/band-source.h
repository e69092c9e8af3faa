/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Band source: an image that an algorithm reads in bands of rows, one after the other, since the device has no memory
 * for all of it. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraBandFunc: (skip)
 * @first: the first row
 * @rows: the number of rows
 *
 * Returns: (transfer full): an array of these rows on the device of the source, or %NULL with @error set
 */
typedef CapraArray *(*CapraBandFunc) (gsize first, gsize rows, gpointer data, GError **error);

/**
 * CapraBandSource: (skip)
 * @device: where the bands are
 * @shape: the shape of the whole image, with a depth of 1; the bands have fewer rows
 * @rows: the rows of a band, at least 1; the last band may have fewer
 * @read: returns a band. Algorithms that need several passes read each band several times, from first to last
 *
 * The functions whose names end in `_bands` compute the same as those without that suffix, from an image that is never
 * on the device as a whole. They hold a band, and what they compute from it, at a time.
 */
typedef struct {
  CapraDevice *device;
  CapraShape shape;
  gsize rows;
  CapraBandFunc read;
  gpointer data;
} CapraBandSource;

/**
 * CapraBandStoreFunc: (skip)
 * @band: (transfer full): rows of a result
 * @first: the first row
 */
typedef gboolean (*CapraBandStoreFunc) (CapraArray *band, gsize first, gpointer data, GError **error);

/**
 * capra_band_source_from_array: (skip)
 *
 * Returns: the whole of @array, which must exist as long, as one band
 */
CAPRA_API
CapraBandSource capra_band_source_from_array (CapraArray *array);

/**
 * capra_band_source_count: (skip)
 *
 * Returns: the number of bands
 */
CAPRA_API
gsize capra_band_source_count (const CapraBandSource *source);

/**
 * capra_band_source_read: (skip)
 *
 * Returns: (transfer full): the band @i, which begins with row @i times the rows of a band, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_band_source_read (const CapraBandSource *source, gsize i, GError **error);

G_END_DECLS
