/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Matrix source: the matrix of capra:convolve from text, from a file or from an image. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/convolve/convolve.h"

G_BEGIN_DECLS

/**
 * CapraMatrixSource:
 * @text: the matrix as text
 * @path: a text file with the matrix; overrides @text unless empty
 * @extent: (nullable): the extent of an image that is the matrix; overrides both
 */
typedef struct {
  const char *text, *path;
  const GeglRectangle *extent;
} CapraMatrixSource;

/* Stores a matrix until its source changes. */
typedef struct _CapraMatrixCache CapraMatrixCache;

CapraMatrixCache *capra_matrix_cache_new (void);
void capra_matrix_cache_free (CapraMatrixCache *cache);

/* A new copy of the matrix. That of an image has the size of the image and zeros as values. */
CapraMatrix *capra_matrix_cache_get (CapraMatrixCache *cache, const CapraMatrixSource *source, GError **error);

/* A number that differs if the source of the matrix does, or its file was written. */
guint capra_matrix_cache_get_state (CapraMatrixCache *cache, const CapraMatrixSource *source);

/* Sets the values of @matrix to the linear luminance of @buffer in @extent, which must have the size of @matrix. */
void capra_matrix_read (CapraMatrix *matrix, GeglBuffer *buffer, const GeglRectangle *extent);

G_END_DECLS
