/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-sample: values of an image's own pixels: of all, or of squares of a large image. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

#define CAPRA_VALUE_SAMPLE_MAX (4 << 20) /* pixels of the largest image of which all are taken */

/**
 * CapraValueSample:
 * @channels: values per pixel
 * @count: number of pixels that were taken so far
 * @values: theirs, pixel by pixel, square by square
 *
 * A reduced image has means of pixels, which neither noise nor small details leave as they are. Hence a sample of a
 * large image has single pixels, in small squares that are spread at random over equal shares of the image: a pattern
 * in the image could meet regular distances. It is the same for each state of an image of the same size.
 *
 * Counted references (g_atomic_rc_box).
 */
typedef struct {
  guint channels;
  gsize count;
  float *values;
  /*< private >*/
  GeglRectangle extent;
  guint columns, rows; /* of squares */
  guint n_squares, n_taken;
  GRand *random;
} CapraValueSample;

CapraValueSample *capra_value_sample_new (const GeglRectangle *extent, guint channels);
CapraValueSample *capra_value_sample_ref (CapraValueSample *sample);
void capra_value_sample_unref (CapraValueSample *sample);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraValueSample, capra_value_sample_unref)

/* Chooses the next square. Returns: (nullable): where the caller writes its values, row by row; %NULL if the sample is
 * complete */
float *capra_value_sample_next (CapraValueSample *sample, GeglRectangle *square);

/* The number of pixels of the image per pixel of the sample: 1 if all were taken. */
double capra_value_sample_get_share (const CapraValueSample *sample);

G_END_DECLS
