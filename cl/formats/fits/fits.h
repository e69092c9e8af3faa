/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: reads images of FITS files. */
#pragma once

#include "formats/fits/fits-header.h"
#include "formats/fits/world-coordinates.h"

G_BEGIN_DECLS

/**
 * CapraFitsImage:
 * @hdu: the number of the header and data unit, from 1
 * @name: its name (EXTNAME); "" if it has none
 * @width: pixels of a row
 * @height: rows of a plane
 * @planes: the number of planes: the product of all further axes
 * @axis_x: the number of the FITS axis along rows, from 1
 * @axis_y: the number of the FITS axis along columns; 0 if there is one row only
 * @bits: the BITPIX of the stored values: 8, 16, 32 or 64 for integers, -32 or -64 for floats
 * @compressed: whether the image is stored compressed, in a table
 *
 * Axes of length 1 are left out: an image of 1 x 512 x 256 x 1 has the width 512, the height 256 and one plane.
 */
typedef struct {
  int hdu;
  const char *name;
  gsize width, height, planes;
  guint axis_x, axis_y;
  int bits;
  gboolean compressed;
} CapraFitsImage;

/**
 * CapraFits:
 *
 * An open FITS file. Different threads may use different objects, also of the same file, but not the same one at the
 * same time.
 */
typedef struct _CapraFits CapraFits;

/**
 * capra_fits_is_supported:
 *
 * Returns: whether this build can read FITS files; capra_fits_open() fails otherwise
 */
CAPRA_API
gboolean capra_fits_is_supported (void);

/**
 * capra_fits_recognize:
 *
 * Returns: whether @path is a regular file that begins as FITS files do, also if it is compressed with gzip
 */
CAPRA_API
gboolean capra_fits_recognize (const char *path);

/**
 * capra_fits_open:
 * @path: a regular file, which may be compressed with gzip
 *
 * Opens a file and lists its images. Tables and empty units are skipped.
 *
 * Returns: (transfer full): a file with at least one image, or %NULL with @error set
 */
CAPRA_API
CapraFits *capra_fits_open (const char *path, GError **error);
CAPRA_API
void capra_fits_close (CapraFits *fits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraFits, capra_fits_close)

CAPRA_API
guint capra_fits_get_n_images (CapraFits *fits);

/**
 * capra_fits_get_image:
 * @index: less than capra_fits_get_n_images()
 *
 * Returns: (transfer none): the description of an image, in the order of the file
 */
CAPRA_API
const CapraFitsImage *capra_fits_get_image (CapraFits *fits, guint index);

/**
 * capra_fits_find_image:
 * @name: the name of an image (EXTNAME), in any case, or the number of its unit; "" for the first image
 * @index: (out): its index
 *
 * Returns: %FALSE with @error set if the file does not contain it
 */
CAPRA_API
gboolean capra_fits_find_image (CapraFits *fits, const char *name, guint *index, GError **error);

/**
 * capra_fits_check_plane:
 * @plane: the number of a plane from 0; -1 for the only plane of an image that has one
 *
 * Returns: the number of the plane; -1 with @error set if the image has no such plane, or if @plane is -1 and the image
 *   has several
 */
CAPRA_API
gint64 capra_fits_check_plane (CapraFits *fits, guint index, gint64 plane, GError **error);

/**
 * capra_fits_read_header:
 *
 * Returns: (transfer full): the keywords of an image, or %NULL with @error set
 */
CAPRA_API
CapraFitsHeader *capra_fits_read_header (CapraFits *fits, guint index, GError **error);

/**
 * capra_fits_read_world_coordinates:
 *
 * Returns: (transfer full) (nullable): as capra_world_coordinates_new() for the axes of an image
 */
CAPRA_API
CapraWorldCoordinates *capra_fits_read_world_coordinates (CapraFits *fits, guint index, GError **error);

/**
 * capra_fits_read_plane:
 * @plane: as for capra_fits_check_plane()
 * @pixels: (out caller-allocates): room for width x height values
 *
 * Reads a plane as float. Values are the physical ones (BZERO + BSCALE x stored value, computed in double and then
 * rounded to float); nothing else changes them. Missing pixels (BLANK, or NaN) are NaN. The first row is the top row of
 * the picture, which is the last one in the file.
 *
 * A float holds 24 significant bits: integers above 2^24 and values of BITPIX -64 are rounded to the nearest float.
 *
 * Returns: %FALSE with @error set on failure; @pixels is undefined then
 */
CAPRA_API
gboolean capra_fits_read_plane (CapraFits *fits, guint index, gint64 plane, float *pixels, GError **error);

G_END_DECLS
