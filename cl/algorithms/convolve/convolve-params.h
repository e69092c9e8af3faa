/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the convolution's C files and kernels agree on. */
#ifndef CAPRA_CONVOLVE_PARAMS_H
#define CAPRA_CONVOLVE_PARAMS_H

#include "algorithms/common/params.h"

/* A sum over a matrix for each output; convolve.clh has the formula. Positions count from the image's first pixel. */
typedef struct {
  cl_int width, height; /* of the matrix */
  cl_int length_x;      /* pixels of a row of the image */
  cl_int source_x;      /* position of the first pixel in the input */
  cl_int n_source_x;    /* pixels of a row of the input */
  cl_int first_x;       /* position of the pixel for the matrix' first column and output 0 */
  cl_int n_result_x;    /* outputs of a row */
  cl_int stride_x;      /* pixels from one output to the next */
  cl_int length_y, source_y, n_source_y, first_y, n_result_y, stride_y; /* likewise */
  cl_int border;                                                        /* CapraBorder */
  cl_float offset;                                                      /* added to each output */
  cl_int plane;                                                         /* the first plane of the results */
} CapraDirect;
CAPRA_ASSERT_SIZE (CapraDirect, 68);

/* Products that are added plainly, before their sum goes into a compensated total. */
#define CONVOLVE_CHUNK 64
/* Width and height of the tiles that are Fourier transformed. */
#define FOURIER_TILE 64

/* convolve-separable.cl: rows of a group, and outputs of each row. */
#define CONVOLVE_SEPARABLE_HEIGHT(group, columns, rows) ((group) / ((columns) / 4) * (rows))
#define CONVOLVE_SEPARABLE_OUTPUTS(columns, shift, width, channels, run) \
  (((columns) - (shift) + (channels) - (width) * (channels)) / (4 * (run)) * (4 * (run)))

#endif
