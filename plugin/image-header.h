/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Image header: the keywords and world coordinates of the image that an operation of a graph works on.
 *
 * For an operation such as capra:measure, whose input comes from capra:fits-load through other operations:
 *
 *     g_auto (CapraSourceInfo) info = { 0 };
 *
 *     if (capra_image_header_find (operation, "input", &info) && info.coordinates
 *         && capra_world_coordinates_is_sky (info.coordinates)
 *         && capra_world_coordinates_from_pixel (info.coordinates, x, y, sky))
 *       ... sky[0] is the right ascension (or another longitude), sky[1] the declination, in degrees
 *
 * x and y are coordinates of GEGL, in which the center of a pixel has integers: for a position within an array, add the
 * x and y of the array's rectangle. They remain valid through gegl:crop.
 *
 * The search passes operations that keep the positions of pixels: those of Capra whose output has the extent of their
 * input, point and area filters of GEGL, gegl:crop, gegl:nop and gegl:cache. Any other, such as gegl:scale-ratio, ends
 * it. At gegl:buffer-source, the keywords and coordinates that a program attached to the buffer are found. */
#pragma once

#include "plugin/image-source.h"

G_BEGIN_DECLS

/* Names of the data that a program attaches to a GeglBuffer with g_object_set_data_full(): a CapraFitsHeader, and a
 * CapraWorldCoordinates. */
#define CAPRA_HEADER_KEY "capra:header"
#define CAPRA_COORDINATES_KEY "capra:world-coordinates"

/* Sets @info to references to the keywords and coordinates of the image on the pad @pad of @operation. Returns FALSE if
 * there are none. Works during process(), and any time before. */
gboolean capra_image_header_find (GeglOperation *operation, const char *pad, CapraSourceInfo *info);

G_END_DECLS
