/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Compute ahead: which region of a result to compute when a host requests a part of it.
 *
 * Hosts request chunks, each of which costs a launch and the pixels that the operation reads around it. So a request
 * computes more than was asked for, as long as little is lost if the host asks for nothing else: a block that takes
 * some milliseconds at the first request after a change, then sixty-four times what is stored already. What a stroke
 * changes is computed as requested, unless much of the input is read for it anyway, and not stored at first, since the
 * tiles that it touches have several times its pixels. */
#pragma once

#include "plugin/buffers/tile-map.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* A program that may stop rendering at any time attaches a number of pixels (GUINT_TO_POINTER) with this key to nodes:
 * at most as many are computed at once, unless the program requests more. */
#define CAPRA_KEY_BLOCK_PIXELS "capra:block-pixels"

/* The region to compute, so that no part of @roi is missing in @map; consists of whole tiles. Empty if nothing is
 * missing. */
GeglRectangle capra_compute_ahead (GeglOperation *operation, const CapraTileMap *map, const GeglRectangle *roi,
                                   CapraRequiredFunc get_required);

/* Whether @roi is computed alone, and not stored, instead of @compute, the result of capra_compute_ahead(): after a
 * stroke, as long as that costs little beside @compute. The next stroke may change @roi again. */
gboolean capra_compute_alone (GeglOperation *operation, const CapraTileMap *map, const GeglRectangle *roi,
                              const GeglRectangle *compute, CapraRequiredFunc get_required);

/* Counts what is computed alone. */
void capra_compute_alone_add (GeglOperation *operation, CapraTileMap *map, const GeglRectangle *roi,
                              CapraRequiredFunc get_required);

G_END_DECLS
