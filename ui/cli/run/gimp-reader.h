/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP reader: reads a result as GIMP's layers do, outside of GIMP. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* Appends the nodes that read the result of @node in GIMP: one that converts it to @format, and one of an operation
 * whose name has GIMP's prefix, by which Capra's operations recognize GIMP.
 * Returns: the last node */
GeglNode *gimp_reader_append (GeglNode *node, const Babl *format);

/* Renders the extent of @result from @node in chunks as GIMP does: a small one in a corner, the rest of its rows, the
 * rest of the image. What follows the first chunk is computed ahead, which launches other kernels than one request. */
void gimp_reader_render (GeglNode *node, GeglBuffer *result);

G_END_DECLS
