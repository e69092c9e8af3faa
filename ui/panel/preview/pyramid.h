/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pyramid: an image at halves, quarters, … of its size, made where and when it is needed. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

#define CAPRA_PYRAMID_MAX_LEVEL 10

/* Can be used by several threads. */
typedef struct _CapraPyramid CapraPyramid;

CapraPyramid *capra_pyramid_new (GeglBuffer *image);
CapraPyramid *capra_pyramid_ref (CapraPyramid *pyramid);
void capra_pyramid_unref (CapraPyramid *pyramid);

/* Level 0 is the image; level n has a 2^n-th of its width and height, rounded up. */
GeglBuffer *capra_pyramid_get_buffer (CapraPyramid *pyramid, int level);
/* @rect of level 0, rounded outwards. */
GeglRectangle capra_pyramid_scale (const GeglRectangle *rect, int level);

/**
 * capra_pyramid_fill:
 * @rect: a part of @level, that its buffer shall hold afterwards
 * @generation: (nullable): given up when this (atomic) is no longer @expected
 *
 * Returns: whether all of it is there
 */
gboolean capra_pyramid_fill (CapraPyramid *pyramid, int level, const GeglRectangle *rect, const int *generation,
                             int expected);
/* Whether all of @rect is there already. */
gboolean capra_pyramid_has (CapraPyramid *pyramid, int level, const GeglRectangle *rect);

G_END_DECLS
