/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Convolution and correlation with a matrix, whole or at a stride. */
#pragma once

#include "algorithms/common/window.h"

G_BEGIN_DECLS

/* Largest width and height of a matrix. */
#define CAPRA_MATRIX_MAX 255

/**
 * CapraMatrix:
 * @width: columns, 1 to %CAPRA_MATRIX_MAX
 * @height: rows
 * @values: @width · @height weights, row by row
 *
 * Its center is column @width / 2, row @height / 2 (integer division), as in scipy.ndimage.
 */
typedef struct {
  int width, height;
  double *values;
} CapraMatrix;

/**
 * capra_matrix_parse:
 * @text: rows separated by ";" or line ends, numbers within by blanks or commas; "#" begins a comment
 *
 * Returns: (transfer full): the matrix; %NULL with an @error that names row and number otherwise
 */
CAPRA_API
CapraMatrix *capra_matrix_parse (const char *text, GError **error);
CAPRA_API
CapraMatrix *capra_matrix_new (int width, int height); /* zeros; NULL if the size is out of range */
CAPRA_API
CapraMatrix *capra_matrix_copy (const CapraMatrix *matrix);
CAPRA_API
void capra_matrix_free (CapraMatrix *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraMatrix, capra_matrix_free)

/* How much of the result to keep, as in numpy and scipy. */
typedef enum {
  CAPRA_EXTENT_SAME,  /* as large as the image */
  CAPRA_EXTENT_FULL,  /* wherever the matrix touches the image: width + matrix width - 1 */
  CAPRA_EXTENT_VALID, /* only where the matrix is inside the image: width - matrix width + 1 */
} CapraExtent;

/**
 * CapraConvolveOptions:
 * @correlate: %FALSE: true convolution (the matrix turned by 180°); %TRUE: correlation
 * @divisor: the sum is divided by this; 0 stands for the sum of the matrix, or 1 if that is 0
 * @offset: added after the division
 * @extent: how much of the result to keep
 * @border: what lies beyond the image; of no effect with %CAPRA_EXTENT_VALID
 * @stride_x: keep every n-th column, starting with the first; at least 1
 * @stride_y: the same for rows
 */
typedef struct {
  gboolean correlate;
  double divisor, offset;
  CapraExtent extent;
  CapraBorder border;
  int stride_x, stride_y;
} CapraConvolveOptions;

#define CAPRA_CONVOLVE_DEFAULTS ((CapraConvolveOptions){ FALSE, 1.0, 0.0, CAPRA_EXTENT_SAME, CAPRA_BORDER_NONE, 1, 1 })

/**
 * capra_convolve_extent:
 * @extent: the image
 *
 * Along an axis with stride 1, the positions of outputs are those of pixels of the image:
 * - SAME begins at the first pixel of the image,
 * - FULL at the first position for which the matrix covers a pixel of the image (as numpy's "full" does),
 * - VALID at the first position for which all pixels under the matrix are in the image.
 * With a larger stride, the first output is the same, but has the position of the image's first pixel, and ceil (n /
 * stride) of the n outputs are computed.
 *
 * Returns: the rectangle of all outputs; empty if VALID leaves none
 */
CAPRA_API
CapraRect capra_convolve_extent (const CapraRect *extent, const CapraMatrix *matrix,
                                 const CapraConvolveOptions *options);

/**
 * capra_convolve_source:
 * @extent: the image
 * @result: a part of capra_convolve_extent()
 *
 * Returns: the part of @extent that @result needs. For large matrices it is larger than the reach of the matrix, so
 * that @result is the same to the byte, whatever part of the image it is computed from
 */
CAPRA_API
CapraRect capra_convolve_source (const CapraRect *extent, const CapraRect *result, const CapraMatrix *matrix,
                                 const CapraConvolveOptions *options);

/**
 * capra_convolve_affected:
 * @extent: the whole image
 * @changed: pixels of it
 *
 * Only for strides of 1 and the borders none and clamp.
 *
 * Returns: the outputs that may change when pixels in @changed change
 */
CAPRA_API
CapraRect capra_convolve_affected (const CapraRect *extent, const CapraRect *changed, const CapraMatrix *matrix,
                                   const CapraConvolveOptions *options);

/**
 * capra_convolve:
 * @input: any shape and type; channels and planes are convolved separately
 * @matrix: the weights
 * @window: (nullable): its result lies in the rectangle that capra_convolve_extent() gives
 *
 * With strides only the outputs that are kept are computed. Large matrices use Fourier transforms of parts of the
 * image, and separable ones two passes. With each method the error of an output is less than
 * 1e-5 times the largest input times the sum of the weights' magnitudes, and a NaN or infinity changes only
 * outputs within the window around it (elsewhere, no more than rounding). Outputs are the same to the byte whatever
 * window they are made in, if its source is what capra_convolve_source() returns, or more.
 *
 * Returns: (transfer full): an f32 array, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_convolve (CapraArray *input, const CapraMatrix *matrix, const CapraConvolveOptions *options,
                            const CapraWindow *window, GError **error);

/**
 * capra_convolve_many:
 * @input: as for capra_convolve()
 * @matrices: (array length=n_matrices): as many sets of weights, all of one size
 * @n_matrices: how many, at least 1
 * @options: for each of them; a @divisor of 0 is each one's own sum
 * @window: (nullable): as for capra_convolve(), for the size that all matrices have
 *
 * Convolves one image with several matrices, such as a bank of filters. Up to 49 weights each, the image is
 * read once for all of them.
 *
 * Returns: (transfer full): an f32 array of @n_matrices times as many planes as @input has: plane
 *   m · depth + z is plane z of the input under matrix m. %NULL with @error set, also where matrices differ in
 *   size
 */
CAPRA_API
CapraArray *capra_convolve_many (CapraArray *input, const CapraMatrix *const *matrices, guint n_matrices,
                                 const CapraConvolveOptions *options, const CapraWindow *window, GError **error);

G_END_DECLS
