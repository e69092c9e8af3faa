/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of area filters: a scalar reference in double precision. */
#pragma once

#include "tests/support/support.h"

G_BEGIN_DECLS

/* A weighted sum of neighbors, at offsets from -left, -top, -front. */
typedef struct {
  const double *x, *y, *z; /* weights along each axis; NULL for a single weight of 1 */
  int left, right, top, bottom, front, back;
  CapraBorder border;
} SupportFilter;

/* An image with its surroundings: `values` of the whole extent. */
typedef struct {
  gsize width, height, depth;
  guint channels;
  const double *values;
} SupportImage;

/* The filtered rectangle @result, in the coordinates of the image. Free with g_free(). */
double *support_filter_separable (const SupportImage *image, const SupportFilter *filter, CapraRect result);

/* The same with weights[(dy + top) * (left + 1 + right) + dx + left], at every stride-th position;
 * @result is in units of positions, the first of which is at x0, y0. */
double *support_filter_matrix (const SupportImage *image, const double *weights, const SupportFilter *reach, int x0,
                               int y0, int stride_x, int stride_y, CapraRect result);

/* An array of noise of any type; @values gets the same values as doubles. Free with g_free(). */
CapraArray *support_typed_noise (CapraDevice *device, const CapraShape *shape, guint32 seed, double **values);
/* The part @rect of an image as an f32 array. */
CapraArray *support_crop (CapraDevice *device, const SupportImage *image, CapraRect rect);

G_END_DECLS
