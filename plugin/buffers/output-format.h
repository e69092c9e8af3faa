/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Target: the format in which a result goes to its readers. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* The format for the tiles of @operation's result, whose values are in @format: if all that reads them is going to
 * write them into buffers (gegl:write-buffer) of one format, and that loses nothing, that one. GEGL would convert them
 * into memory of its own; tiles in the target's own format it hands over. Otherwise @format. */
const Babl *capra_output_format_get (GeglOperation *operation, const Babl *format);

/* The format for a mask of 0 and 1 that would be in @format, one of floats: one of bytes (0 and 255) if nobody reads it
 * but capra:label and what writes it into grey buffers of bytes. Otherwise @format. */
const Babl *capra_output_format_get_for_mask (GeglOperation *operation, const Babl *format);

G_END_DECLS
