/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Output format: the format of a result's tiles, according to the nodes that read them. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* A class sets this key to "true" if its operation only distinguishes pixels above 0 from others, in any format. */
#define CAPRA_KEY_READS_MASK "capra:reads-mask"

/* A class sets this key to "true" if its operation reads the numbers of regions, also from an image that shows them in
 * colors. */
#define CAPRA_KEY_READS_LABELS "capra:reads-labels"

/* A class sets this key to "true" if its operation takes integers of 32 bits for the numbers that they are, such as
 * those of regions, and all other values, also the colors of regions, for light. */
#define CAPRA_KEY_READS_NUMBERS "capra:reads-numbers"

/* A class sets this key to "true" if its operation makes a table; its result is its input. */
#define CAPRA_KEY_TABLE "capra:table"

/* A program attaches a format (const Babl *) with this key to the node whose result it reads in that format alone, such
 * as that of a file which it writes. */
#define CAPRA_KEY_READ_FORMAT "capra:read-format"

/* The format for the tiles of @operation's result, whose values have @format. If the program has attached a format to
 * the node, it is that one, unless it has fewer channels. If all readers convert them to one format
 * (gegl:convert-format, gegl:cache, as in GIMP), or write them into buffers of one format (gegl:write-buffer), and the
 * conversion loses nothing, it is that format: GEGL then shares the tiles instead of converting them. Otherwise it is
 * @format. Known once all nodes are prepared. */
const Babl *capra_output_format_get (GeglOperation *operation, const Babl *format);

/* The format for arrays of a result with @format whose tiles have @tile_format, where the operation can convert the
 * result: that of the tiles, if it has floats in as many channels and can be converted to. */
const Babl *capra_output_format_get_converted (const Babl *format, const Babl *tile_format);

/* Whether an operation of Capra reads the result, also behind nodes that pass it on unchanged. */
gboolean capra_output_format_has_device_readers (GeglOperation *operation);

/* Whether a node with CAPRA_KEY_READS_LABELS reads the result, also behind nodes that pass it on unchanged. */
gboolean capra_output_format_has_label_readers (GeglOperation *operation);

/* The format for the tiles of a mask with the alpha of @source (nullable), the format of the input. 0 and 1 are exact
 * in all types, and under any transfer curve.
 *  - If the only readers have CAPRA_KEY_READS_MASK or write the mask into gray buffers of bytes, and @source has no
 *    alpha, it is a format of bytes (0 and 255).
 *  - If all readers need one format, and that holds the mask and the alpha, it is that format.
 *  - If no node reads it, the program itself does, probably in the format of its image. With an alpha of integers it is
 *    that format; otherwise it is the one that babl converts to it fastest. The numbers of files that are read
 * unchanged are floats, and so is their mask.
 *  - Otherwise it is linear luminance in floats.
 * @any: whether the mask can be computed in any format; if not, it is one of gray floats, or gray bytes without alpha
 */
const Babl *capra_output_format_get_for_mask (GeglOperation *operation, const Babl *source, gboolean any);

G_END_DECLS
