/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Output format: the format of a result's tiles, according to the nodes that read them. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* A class sets this key to "true" if its operation only distinguishes pixels above 0 from others, in any format. */
#define CAPRA_KEY_READS_MASK "capra:reads-mask"

/* The format for the tiles of @operation's result, whose values have @format. If all readers write them into buffers of
 * one format (gegl:write-buffer), and the conversion loses nothing, it is that format: GEGL then shares the tiles
 * instead of converting them. Otherwise it is @format. */
const Babl *capra_output_format_get (GeglOperation *operation, const Babl *format);

/* The format for a mask of 0 and 1 whose float format would be @format. If the only readers have
 * CAPRA_KEY_READS_MASK or write it into gray buffers of bytes, it is a format of bytes (0 and 255). Otherwise it is
 * @format. */
const Babl *capra_output_format_get_for_mask (GeglOperation *operation, const Babl *format);

G_END_DECLS
