/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Matrices of capra:convolve: from text, from a file, from an image. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/convolve/convolve.h"

G_BEGIN_DECLS

/**
 * CapraMatrixSource:
 * @text: the matrix as text
 * @path: a file with such text; goes before @text unless it is empty
 * @extent: (nullable): the size of an image that is the matrix; goes before both
 */
typedef struct {
  const char *text, *path;
  const GeglRectangle *extent;
} CapraMatrixSource;

/* A matrix that is read again only when its source has changed. */
typedef struct _CapraMatrixCache CapraMatrixCache;

CapraMatrixCache *capra_matrix_cache_new (void);
void capra_matrix_cache_free (CapraMatrixCache *cache);

/* The matrix, owned by the caller; of an image only the size (its values are 0 then). */
CapraMatrix *capra_matrix_cache_get (CapraMatrixCache *cache, const CapraMatrixSource *source, GError **error);

/* Fills @matrix with the linear luminance of the image in @extent, which has its size. */
void capra_matrix_read (CapraMatrix *matrix, GeglBuffer *buffer, const GeglRectangle *extent);

G_END_DECLS
