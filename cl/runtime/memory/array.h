/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Array: numbers in a device's memory, 1 to 3 dimensions, 1 to 4 interleaved channels. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/memory/memory.h"

G_BEGIN_DECLS

/* Element types. There are no float64 arrays: see capra_array_upload_doubles(). */
typedef enum {
  CAPRA_U8,
  CAPRA_I8,
  CAPRA_U16,
  CAPRA_I16,
  CAPRA_U32,
  CAPRA_I32,
  CAPRA_F32,
} CapraType;

/**
 * CapraShape:
 * @width: samples along x, at least 1
 * @height: along y; 1 for a vector
 * @depth: along z; 1 for an image
 * @channels: interleaved values a sample, 1 to 4
 * @type: the type of a value
 *
 * Element (x, y, z, c) lies at ((z·height + y)·width + x)·channels + c, without padding.
 */
typedef struct {
  gsize width, height, depth;
  guint channels;
  CapraType type;
} CapraShape;

/* Shorthands: an image or volume with one channel. */
#define CAPRA_SHAPE_2D(w, h, type) ((CapraShape){ (w), (h), 1, 1, (type) })
#define CAPRA_SHAPE_3D(w, h, d, type) ((CapraShape){ (w), (h), (d), 1, (type) })

typedef struct _CapraArray CapraArray;

CAPRA_API
gsize capra_type_size (CapraType type);
CAPRA_API
const char *capra_type_name (CapraType type); /* "u8" … "f32" */
CAPRA_API
gsize capra_shape_count (const CapraShape *shape); /* values: width·height·depth·channels */
CAPRA_API
gsize capra_shape_bytes (const CapraShape *shape);

/**
 * capra_array_new:
 * @shape: its shape; anything outside of what #CapraShape allows is an error
 *
 * Returns: (transfer full): an array of zeros on @device, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_array_new (CapraDevice *device, const CapraShape *shape, GError **error);

/**
 * capra_array_new_from_data:
 * @data: capra_shape_bytes() bytes, in the order that #CapraShape tells
 *
 * Returns: (transfer full): a new array that holds a copy of @data
 */
CAPRA_API
CapraArray *capra_array_new_from_data (CapraDevice *device, const CapraShape *shape, gconstpointer data,
                                       GError **error);

/**
 * capra_array_new_for_upload:
 *
 * As capra_array_new(), for arrays that are written whole right away, by capra_array_map_write() or
 * capra_array_upload(): the contents are undefined until then.
 */
CAPRA_API
CapraArray *capra_array_new_for_upload (CapraDevice *device, const CapraShape *shape, GError **error);

CAPRA_API
CapraArray *capra_array_ref (CapraArray *array);
CAPRA_API
void capra_array_unref (CapraArray *array);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraArray, capra_array_unref)

CAPRA_API
const CapraShape *capra_array_get_shape (CapraArray *array);
CAPRA_API
CapraDevice *capra_array_get_device (CapraArray *array);

/**
 * capra_array_upload:
 * @data: capra_shape_bytes() bytes
 *
 * Copies @data to the device. Returns when @data may be reused.
 */
CAPRA_API
gboolean capra_array_upload (CapraArray *array, gconstpointer data, GError **error);

/**
 * capra_array_upload_doubles:
 * @data: capra_shape_count() values
 *
 * The explicit way for float64 data into an f32 array: each value is rounded to the nearest float.
 * Any other array type is an error.
 */
CAPRA_API
gboolean capra_array_upload_doubles (CapraArray *array, const double *data, GError **error);

/**
 * capra_array_download:
 * @data: (out caller-allocates): room for capra_shape_bytes() bytes
 *
 * Waits for all work on @array, then copies it to the host.
 */
CAPRA_API
gboolean capra_array_download (CapraArray *array, gpointer data, GError **error);

/**
 * capra_array_copy:
 * @target: an array of the same shape and type as @source, on any device
 *
 * Between two devices the bytes go through pinned host memory.
 */
CAPRA_API
gboolean capra_array_copy (CapraArray *target, CapraArray *source, GError **error);

/**
 * capra_array_copy_rows:
 * @target: an image (of depth 1) on any device
 * @to: the row of it where the copy begins
 * @source: another image of the same width, channels and type
 * @from: its first row to copy
 * @rows: how many
 *
 * As capra_array_copy(); only these rows are moved, also out of an evicted array.
 */
CAPRA_API
gboolean capra_array_copy_rows (CapraArray *target, gsize to, CapraArray *source, gsize from, gsize rows,
                                GError **error);

/**
 * capra_array_fill:
 * @value: becomes every value; rounded to the nearest and clamped to the range of an integer type
 */
CAPRA_API
gboolean capra_array_fill (CapraArray *array, double value, GError **error);

/**
 * capra_array_map_write:
 *
 * Memory of capra_shape_bytes() bytes to write the whole array into: pinned staging, or the device's
 * own memory where host and device share it. End with capra_array_unmap(), which makes the transfer.
 * Until then nobody else may use @array. What was in it before is lost.
 *
 * Returns: (nullable): the memory, aligned to 64 bytes; %NULL with @error set
 */
CAPRA_API
gpointer capra_array_map_write (CapraArray *array, GError **error);

/**
 * capra_array_map_read:
 *
 * The array's contents on the host, after all work on it: pulled into pinned staging, or the
 * device's own memory where it is shared. Several readers may map at once, they share one transfer.
 * The array must not be written to until the last one has called capra_array_unmap(); it lives until
 * then.
 */
CAPRA_API
gconstpointer capra_array_map_read (CapraArray *array, GError **error);
CAPRA_API
gboolean capra_array_unmap (CapraArray *array, GError **error);

/**
 * CapraRowsFunc:
 * @host: memory of @rows rows, those of an array from number @first on, one after the other
 */
typedef void (*CapraRowsFunc) (gpointer host, gsize first, gsize rows, gpointer data);

/**
 * CapraRowsUnit:
 * @first: a row
 * @rows: at least 1; every so many rows from @first on is where pieces like to end
 */
typedef struct {
  gsize first, rows;
} CapraRowsUnit;

/**
 * capra_array_write_rows:
 * @unit: (nullable): what rows the host handles together, such as those of tiles
 * @fill: writes the rows that it is given, all of them; called for one piece of the array after the other, in this
 *   thread
 *
 * Replaces the array's contents. A piece is on its way to the device while the next one is filled.
 */
CAPRA_API
gboolean capra_array_write_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc fill, gpointer data,
                                 GError **error);

/**
 * capra_array_read_rows:
 * @drain: reads the rows that it is given; called for one piece of the array after the other, in this thread
 *
 * The other way round, after all work on @array: while a piece is drained, the next one is on its way.
 */
CAPRA_API
gboolean capra_array_read_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc drain, gpointer data,
                                GError **error);

/**
 * capra_array_wait:
 *
 * Returns when no work that was given to the device so far reads or writes @array any more.
 */
CAPRA_API
gboolean capra_array_wait (CapraArray *array, GError **error);

/**
 * capra_array_make_resident:
 * @spare: whether the keeper can have the contents again from elsewhere
 *
 * Makes the caller's reference that of a keeper, for whom the array waits on the device until somebody's next
 * step; it is counted as %CAPRA_MEMORY_RESIDENT. Where memory is short, arrays that nobody has but their
 * keepers are evicted: their contents move to the host until they are used again, then back. So whoever
 * works with an array that may be kept takes a reference for that time. What is spare to all its keepers is
 * not moved, but dropped: who wants to use it takes a reference, and then asks capra_array_is_evicted().
 */
CAPRA_API
void capra_array_make_resident (CapraArray *array, gboolean spare);

/**
 * capra_array_release_resident:
 * @spare: as it was for capra_array_make_resident()
 *
 * Gives a keeper's reference back.
 */
CAPRA_API
void capra_array_release_resident (CapraArray *array, gboolean spare);

/**
 * capra_array_is_evicted:
 * Returns: whether the contents are not on the device at this moment
 */
CAPRA_API
gboolean capra_array_is_evicted (CapraArray *array);

G_END_DECLS
