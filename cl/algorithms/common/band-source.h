/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Band source: an image that an algorithm reads in bands of rows, one after the other, since the device has no memory
 * for all of it, or in parts on several devices. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraBandFunc: (skip)
 * @device: where the rows are needed
 * @first: the first row
 * @rows: the number of rows
 *
 * Returns: (transfer full): an array of these rows on @device, or %NULL with @error set
 */
typedef CapraArray *(*CapraBandFunc) (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error);

/**
 * CapraBandPart: (skip)
 * @device: a device
 * @rows: how many rows it reads
 * @time: (out): the microseconds for which it was used are added
 */
typedef struct {
  CapraDevice *device;
  gsize rows;
  gint64 time;
} CapraBandPart;

/**
 * CapraBandSource: (skip)
 * @device: where the bands are, and where results that do not belong to a band are computed
 * @shape: the shape of the whole image, with a depth of 1; the bands have fewer rows
 * @rows: the rows of a band, at least 1; the last band may have fewer
 * @read: returns a band. Algorithms that need several passes read each band several times, from first to last
 * @first: the number of the first row in calls of @read
 * @parts: (nullable) (array length=n_parts): if several devices read the image, the rows that each of them does, from
 *   top to bottom; together all rows. @read is then called in several threads
 *
 * The functions whose names end in `_bands` compute the same as those without that suffix, from an image that is never
 * on one device as a whole. They hold a band, and what they compute from it, at a time on each device.
 */
typedef struct {
  CapraDevice *device;
  CapraShape shape;
  gsize rows;
  CapraBandFunc read;
  gpointer data;
  gsize first;
  CapraBandPart *parts;
  guint n_parts;
} CapraBandSource;

/**
 * CapraBandStoreFunc: (skip)
 * @band: (transfer full): rows of a result
 * @first: the first row
 *
 * Is called in several threads if the source has several parts.
 */
typedef gboolean (*CapraBandStoreFunc) (CapraArray *band, gsize first, gpointer data, GError **error);

/**
 * CapraBandPartFunc: (skip)
 * @index: of the part
 * @part: the rows of one device, as a source of its own
 */
typedef gboolean (*CapraBandPartFunc) (const CapraBandSource *part, guint index, gpointer data, GError **error);

/**
 * capra_band_source_from_array: (skip)
 *
 * Returns: the whole of @array, which must exist as long, as one band
 */
CAPRA_API
CapraBandSource capra_band_source_from_array (CapraArray *array);

/**
 * capra_band_source_get_n_parts: (skip)
 *
 * Returns: the number of devices that read the image, at least 1
 */
CAPRA_API
guint capra_band_source_get_n_parts (const CapraBandSource *source);

/**
 * capra_band_source_get_part: (skip)
 *
 * Returns: the rows of the device @index, as a source of its own
 */
CAPRA_API
CapraBandSource capra_band_source_get_part (const CapraBandSource *source, guint index);

/**
 * capra_band_source_run: (skip)
 *
 * Calls @func for each part, for all of them at the same time. A source without parts is the only part.
 */
CAPRA_API
gboolean capra_band_source_run (const CapraBandSource *source, CapraBandPartFunc func, gpointer data, GError **error);

/**
 * capra_band_source_count: (skip)
 *
 * Returns: the number of bands of a source that has no parts
 */
CAPRA_API
gsize capra_band_source_count (const CapraBandSource *source);

/**
 * capra_band_source_read: (skip)
 *
 * Returns: (transfer full): the band @i of a source that has no parts, or %NULL with @error set. It begins with row @i
 *   times the rows of a band, counted from the first row of the source
 */
CAPRA_API
CapraArray *capra_band_source_read (const CapraBandSource *source, gsize i, GError **error);

G_END_DECLS
