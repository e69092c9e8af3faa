/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Connected components by blocks: all steps after that of label-blocks-tile.cl.
 *
 * Macros: those of label-blocks.clh. */
#include "label-blocks.clh"
#include "label-blocks-borders.clh"
#include "label-blocks-roots.clh"
#include "label-blocks-write.clh"
