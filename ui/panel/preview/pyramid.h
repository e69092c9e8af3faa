/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pyramid: an image at a half, a quarter, … of its size, computed on demand. */
#pragma once

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

#define CAPRA_PYRAMID_MAX_LEVEL 10

/* Safe for use from several threads. */
typedef struct _CapraPyramid CapraPyramid;

CapraPyramid *capra_pyramid_new (GeglBuffer *image);
CapraPyramid *capra_pyramid_ref (CapraPyramid *pyramid);
void capra_pyramid_unref (CapraPyramid *pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraPyramid, capra_pyramid_unref)

/* Pixels of @level per pixel of the image along each axis: 2^-level. Negative levels are larger than the image. */
double capra_pyramid_get_scale (int level);

/* (transfer none): level 0 is the image; level n has its width and height divided by 2^n, rounded up. */
GeglBuffer *capra_pyramid_get_buffer (CapraPyramid *pyramid, int level);
/* Returns: @rect of the image in pixels of @level, rounded outwards */
GeglRectangle capra_pyramid_scale (const GeglRectangle *rect, int level);

/**
 * capra_pyramid_fill:
 * @rect: the part of @level's buffer to fill
 * @generation: (nullable): atomic; filling stops when its value is no longer @expected
 *
 * Returns: whether all of @rect is filled
 */
gboolean capra_pyramid_fill (CapraPyramid *pyramid, int level, const GeglRectangle *rect, const int *generation,
                             int expected);
/* Returns: whether all of @rect is filled already */
gboolean capra_pyramid_has (CapraPyramid *pyramid, int level, const GeglRectangle *rect);

/* (nullable) (transfer none): the selection of a host's layer; %NULL if all of it is selected, and for other images */
CapraPyramid *capra_pyramid_get_selection (CapraPyramid *pyramid);
/* A graph over @level. If the image is a host's layer, the graph writes its result into it. The pyramid has to live
 * longer. */
CapraGraph *capra_pyramid_make_graph (CapraPyramid *pyramid, int level, gboolean cache);

/* Returns: the first level whose width and height are at most @side, which it fills completely */
int capra_pyramid_fill_overview (CapraPyramid *pyramid, int side);

G_END_DECLS
