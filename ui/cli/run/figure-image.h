/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-image: the values or the colors that a figure shows of an image. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * FigureImage:
 * @values: (nullable): of an image with one channel, or the luminance of colors
 * @colors: (nullable): of an image with colors, or of labels; opaque, in cairo's ARGB32
 */
typedef struct {
  GeglRectangle extent;
  float *values;
  guint32 *colors;
  gboolean labels;
} FigureImage;

/* @as_values: whether an image with colors is shown by its luminance */
FigureImage *figure_image_new (GeglBuffer *buffer, gboolean as_values);
void figure_image_free (FigureImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FigureImage, figure_image_free)

G_END_DECLS
