/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the neighbourhood filters share: a plain reference in double precision. */
#pragma once

#include "tests/support/support.h"

G_BEGIN_DECLS

/* A sum of neighbours with weights: offset by offset from -left, -top, -front on. */
typedef struct {
  const double *x, *y, *z; /* weights along each axis; NULL for one of 1 */
  int left, right, top, bottom, front, back;
  CapraBorder border;
} SupportFilter;

/* An image with what stands around it: `values` of the whole extent. */
typedef struct {
  gsize width, height, depth;
  guint channels;
  const double *values;
} SupportImage;

/* The filtered rectangle @result, in the image's coordinates (g_free). */
double *support_filter_separable (const SupportImage *image, const SupportFilter *filter, CapraRect result);

/* The same with weights[(dy + top) * (left + 1 + right) + dx + left], at every stride-th position;
 * @result counts the kept ones, the first of which stands at x0, y0. */
double *support_filter_matrix (const SupportImage *image, const double *weights, const SupportFilter *reach, int x0,
                               int y0, int stride_x, int stride_y, CapraRect result);

/* Noise of any type: the values pushed, also as doubles (g_free). */
CapraArray *support_typed_noise (CapraDevice *device, const CapraShape *shape, guint32 seed, double **values);
/* An array of the part @rect of an image of f32 values. */
CapraArray *support_crop (CapraDevice *device, const SupportImage *image, CapraRect rect);

G_END_DECLS
