/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* World coordinates: positions on the sky, or other physical coordinates, of the pixels of a FITS image. */
#pragma once

#include "formats/fits/fits-header.h"

G_BEGIN_DECLS

/**
 * CapraWorldCoordinates:
 *
 * The world coordinate system of the two axes of a plane of an image, as FITS headers define it (Greisen and Calabretta
 * 2002, A&A 395, 1061; Calabretta and Greisen 2002, A&A 395, 1077): linear coordinates, and the sky in the projections
 * TAN, SIN (also slant, and NCP), ARC, STG and ZEA.
 *
 * Pixels are those of Capra's images: (0, 0) is the center of the top left pixel, and y grows downwards. Reference-
 * counted and never modified: any thread may use it.
 */
typedef struct _CapraWorldCoordinates CapraWorldCoordinates;

/**
 * capra_world_coordinates_new:
 * @axis_x: the number of the FITS axis along the image's rows, from 1
 * @axis_y: the number of the FITS axis along its columns; 0 if the image has one row only
 * @height: the number of rows
 *
 * Returns: (transfer full) (nullable): %NULL with @error set to %CAPRA_FORMAT_ERROR_NOT_FOUND if the header has no
 *   world coordinates, to %CAPRA_FORMAT_ERROR_UNSUPPORTED if it has some with another projection or with distortions,
 *   and to %CAPRA_FORMAT_ERROR_DAMAGED if they cannot be inverted
 */
CAPRA_API
CapraWorldCoordinates *capra_world_coordinates_new (CapraFitsHeader *header, guint axis_x, guint axis_y, gsize height,
                                                    GError **error);
CAPRA_API
CapraWorldCoordinates *capra_world_coordinates_ref (CapraWorldCoordinates *self);
CAPRA_API
void capra_world_coordinates_unref (CapraWorldCoordinates *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraWorldCoordinates, capra_world_coordinates_unref)

/**
 * capra_world_coordinates_is_sky:
 *
 * Returns: whether the coordinates are a longitude and a latitude on the sky
 */
CAPRA_API
gboolean capra_world_coordinates_is_sky (CapraWorldCoordinates *self);

/**
 * capra_world_coordinates_get_name:
 * @index: 0 or 1
 *
 * Returns: the name of a coordinate: on the sky, 0 is the longitude and 1 the latitude, such as "RA" and "DEC", or
 *   "GLON" and "GLAT"; otherwise 0 belongs to x and 1 to y, such as "FREQ"; "x" or "y" if the header has no name
 */
CAPRA_API
const char *capra_world_coordinates_get_name (CapraWorldCoordinates *self, guint index);

/**
 * capra_world_coordinates_get_unit:
 *
 * Returns: the unit of coordinate @index: "deg" on the sky; "" if the header has none
 */
CAPRA_API
const char *capra_world_coordinates_get_unit (CapraWorldCoordinates *self, guint index);

/**
 * capra_world_coordinates_from_pixel:
 * @world: (out) (array fixed-size=2): in the order of capra_world_coordinates_get_name(); longitudes from 0 to 360
 *
 * Returns: %FALSE if the pixel has no coordinates, since it is outside the sky; @world is NaN then
 */
CAPRA_API
gboolean capra_world_coordinates_from_pixel (CapraWorldCoordinates *self, double x, double y, double world[2]);

/**
 * capra_world_coordinates_to_pixel:
 * @pixel: (out) (array fixed-size=2): x and y, which may be outside the image
 *
 * Returns: %FALSE if the projection does not show this position; @pixel is NaN then
 */
CAPRA_API
gboolean capra_world_coordinates_to_pixel (CapraWorldCoordinates *self, const double world[2], double pixel[2]);

G_END_DECLS
