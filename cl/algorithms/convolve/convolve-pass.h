/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The methods of convolution, and what they share. Private. */
#pragma once

#include "algorithms/common/axis.h"
#include "algorithms/convolve/convolve-params.h"

G_BEGIN_DECLS

/**
 * CapraStencil:
 * @width: columns of weights
 * @height: rows of weights
 * @left: the distance of the first column from an output, to the left
 * @top: the distance of the first row from an output, upwards
 * @weights: @width · @height, row by row, in the order of the inputs (as for a correlation)
 * @offset: added to each sum
 * @padding: in a single row or column, the number of zeros at either end that only fill it up
 */
typedef struct {
  int width, height, left, top;
  const double *weights;
  double offset;
  int padding;
} CapraStencil;

/* The input of a convolution, and the axes with its outputs. */
typedef struct {
  CapraArray *input;
  const CapraAxis *x, *y;
} CapraConvolution;

/* The kernels' parameters; results start at plane @plane of the output. */
CapraDirect capra_direct_init (const CapraConvolution *conv, const CapraStencil *stencil, gsize plane);
/* Values between a multiple of 4 and the first input of a row: the macro SHIFT of convolve-quad.clh. 0 if the rows of
 * the input do not begin at multiples of 4. */
int capra_direct_quad_shift (const CapraConvolution *conv, const CapraDirect *direct);
/* The options of kernels that include convolve-quad.clh. */
char *capra_direct_quad_options (const CapraConvolution *conv, const CapraDirect *direct, int width, int height);
/* An array for @count results. */
CapraArray *capra_convolution_alloc (const CapraConvolution *conv, gsize count, GError **error);
/* The bytes that are read and written. */
guint64 capra_convolution_bytes (const CapraConvolution *conv, CapraArray *output);
/* The weights of @count stencils, one after the other (g_free). */
float *capra_stencil_floats (const CapraStencil *stencils, guint count);
/* Whether @device runs the vector variant, and not the group variant. */
gboolean capra_convolve_uses_vectors (CapraDevice *device);

/* Direct convolution with @stencil. */
gboolean capra_direct_run (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray *output, gsize plane,
                           GError **error);
/* Whether that is about as fast as a copy. */
gboolean capra_direct_is_fast (const CapraStencil *stencil);
/* Direct convolution with @count small stencils of one size in one launch. */
gboolean capra_direct_suits_many (const CapraStencil *stencil);
gboolean capra_direct_run_many (const CapraConvolution *conv, const CapraStencil *stencils, guint count,
                                CapraArray *output, GError **error);

/* Convolution with a @column times a @row of weights in one launch, with strides of 1. Suits devices with the group
 * variant, up to a number of weights. */
gboolean capra_separable_suits (CapraArray *input, int width, int height);
gboolean capra_separable_run (const CapraConvolution *conv, const CapraStencil *column, const CapraStencil *row,
                              CapraArray *output, GError **error);

/* The cost of convolution by Fourier transforms of tiles, in weights of a direct convolution. */
double capra_fourier_cost (const CapraConvolution *conv, const CapraStencil *stencil);
/* @rect of outputs, which count from the image's first pixel, grown to whole tiles if any device may use tiles for a
 * matrix of that size: the rounding errors of these outputs depend on all of it. */
CapraRect capra_fourier_align (const CapraRect *rect, int width, int height);
gboolean capra_fourier_run (const CapraConvolution *conv, const CapraStencil *stencil, CapraArray *output, gsize plane,
                            GError **error);

G_END_DECLS
