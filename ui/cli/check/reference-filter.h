/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area filters by their definitions, in double precision. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* A weighted sum of neighbors, at offsets from -left, -top, -front. */
typedef struct {
  const double *x, *y, *z; /* weights along each axis; NULL for a single weight of 1 */
  int left, right, top, bottom, front, back;
  CapraBorder border;
} ReferenceFilter;

/* An image with its surroundings: `values` of the whole extent. */
typedef struct {
  gsize width, height, depth;
  guint channels;
  const double *values;
} ReferenceImage;

/* The filtered rectangle @result, in the coordinates of the image. Free with g_free(). */
double *reference_filter_separable (const ReferenceImage *image, const ReferenceFilter *filter, CapraRect result);

/* The same with weights[(dy + top) * (left + 1 + right) + dx + left], at every stride-th position;
 * @result is in units of positions, the first of which is at x0, y0. */
double *reference_filter_matrix (const ReferenceImage *image, const double *weights, const ReferenceFilter *reach,
                                 int x0, int y0, int stride_x, int stride_y, CapraRect result);

/* The sampled Gaussian, truncated as in SciPy. */
double *reference_gaussian (const ReferenceImage *image, const double sigma[3], double truncate, CapraBorder border,
                            CapraRect result);

/* The whole Gaussian along x and y: sums up to 9 sigmas. */
double *reference_gaussian_whole (const ReferenceImage *image, const double sigma[3], CapraBorder border,
                                  CapraRect result);

double *reference_box (const ReferenceImage *image, const int radius[3], CapraBorder border, CapraRect result);

/* @image convolved with @matrix and @options. *@kept is set to the size of the result, *@magnitude to the sum of the
 * absolute weights. */
double *reference_convolve (const ReferenceImage *image, const CapraMatrix *matrix, const CapraConvolveOptions *options,
                            CapraRect *kept, double *magnitude);

G_END_DECLS
