/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalar references in double precision, independent of the code of the operations. */
#pragma once

#include "tests/hosts/hosts.h"

G_BEGIN_DECLS

typedef enum {
  REFERENCE_NONE,
  REFERENCE_CLAMP,
  REFERENCE_MIRROR,
  REFERENCE_WRAP,
} ReferenceBorder;

/* True convolution of each channel with a matrix of odd sides, as large as the image. */
HostsImage *reference_convolve (const HostsImage *image, const double *matrix, int columns, int rows,
                                ReferenceBorder border);
/* A sampled Gaussian with a sum of 1, truncated as in scipy. */
HostsImage *reference_gaussian (const HostsImage *image, double sigma_x, double sigma_y, double truncate,
                                ReferenceBorder border);
HostsImage *reference_box (const HostsImage *image, int radius, ReferenceBorder border);

/* Otsu's threshold with 256 bins over the range; the center of a bin. */
double reference_otsu (const HostsImage *image);

/* Regions of pixels above 0 with 8 or 4 neighbors, numbered by their first pixels. */
guint32 *reference_label (const HostsImage *image, int connectivity, guint32 *count);

typedef struct {
  guint64 area;
  double x, y;                                     /* of the centroid */
  double weighted_centroid_x, weighted_centroid_y; /* weighted by intensity */
  int min_x, min_y, max_x, max_y;
  double sum, mean, min, max, std;
} ReferenceRegion;

/* One entry for each label from 1 to @count. */
ReferenceRegion *reference_measure (const guint32 *labels, guint32 count, const HostsImage *image);

G_END_DECLS
