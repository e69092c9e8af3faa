/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the Gaussian blur's C files and kernels agree on. */
#ifndef CAPRA_GAUSSIAN_PARAMS_H
#define CAPRA_GAUSSIAN_PARAMS_H

#include "algorithms/common/params.h"

/* An axis and the outputs on it. Positions count from the first sample of the image's axis. */
typedef struct {
  cl_int length;   /* samples of the image's axis */
  cl_int source;   /* position of the first sample in the input */
  cl_int n_source; /* samples in the input */
  cl_int border;   /* CapraBorder */
  cl_int first;    /* position of the sample of weight 0 for output 0 */
  cl_int count;    /* outputs */
} CapraGaussianAxis;
CAPRA_ASSERT_SIZE (CapraGaussianAxis, 24);

/* Sums along y that gaussian-downsample-y.cl leaves to gaussian-downsample-x.cl, which adds up those of neighboring
 * strips. For an image that was not summed along y: one strip of all rows, and one weight. */
typedef struct {
  cl_int blocks;  /* rows of a strip, in blocks of as many rows as the factor */
  cl_int strips;  /* strips of a column */
  cl_int taps;    /* weights of an output, in blocks */
  cl_int missing; /* blocks that the first strip lacks */
} CapraPartialSums;
CAPRA_ASSERT_SIZE (CapraPartialSums, 16);

/* An axis of a small image that is upsampled. */
typedef struct {
  cl_int n_small; /* samples of the small image */
  cl_int phase;   /* of output 0, in outputs from sample 0 */
  cl_int count;   /* outputs */
} CapraUpsampleAxis;
CAPRA_ASSERT_SIZE (CapraUpsampleAxis, 12);

/* gaussian-vector.cl, gaussian-upsample-vector.cl: pixels of a row that a work-item processes. */
#define GAUSSIAN_VECTOR_PIXELS(channels) ((channels) == 1 ? 512 : 256)
/* gaussian-strip.cl: rows that a group processes at a time; neighboring pixels of a work-item; outputs of a row that a
 * group computes. `shift` is the number of pixels that it loads before the first one it needs. */
#define GAUSSIAN_STRIP_STEP 8
#define GAUSSIAN_STRIP_PIXELS(channels) ((channels) == 3 ? 1 : 4 / (channels))
#define GAUSSIAN_STRIP_OUTPUTS(group, channels, shift, taps) \
  ((GAUSSIAN_STRIP_PIXELS (channels) * (group) - (shift) + 1 - (taps)) / 4 * 4)
/* gaussian-block.cl: work-items of a group. */
#define GAUSSIAN_BLOCK_GROUP 256
/* gaussian-downsample-strip.cl: work-items of a group; rows of sums that it processes at a time, and in all at most. */
#define GAUSSIAN_DOWNSAMPLE_STRIP_GROUP 256
#define GAUSSIAN_DOWNSAMPLE_STRIP_STEP 4
#define GAUSSIAN_DOWNSAMPLE_STRIP_MAX_ROWS 96
/* Neighboring pixels that a work-item sums along y, neighboring outputs that it sums along x, and outputs of a row
 * that a group computes. */
#define GAUSSIAN_DOWNSAMPLE_STRIP_PIXELS(channels) ((channels) == 1 ? 2 : 1)
#define GAUSSIAN_DOWNSAMPLE_STRIP_OUTS(channels, factor) \
  ((channels) == 3 ? ((factor) % 4 == 0 ? 1 : (factor) % 2 == 0 ? 2 : 4) : 4 / (channels))
#define GAUSSIAN_DOWNSAMPLE_STRIP_OUTPUTS(channels, factor, taps) \
  ((GAUSSIAN_DOWNSAMPLE_STRIP_GROUP * GAUSSIAN_DOWNSAMPLE_STRIP_PIXELS (channels) / (factor) + 1 - (taps)) \
   / GAUSSIAN_DOWNSAMPLE_STRIP_OUTS (channels, factor) * GAUSSIAN_DOWNSAMPLE_STRIP_OUTS (channels, factor))
/* gaussian-downsample-y.cl: work-items of a group. */
#define GAUSSIAN_DOWNSAMPLE_Y_GROUP 64
/* gaussian-upsample-group.cl: work-items for a row (a warp, on devices that have them), rows at a time, and
 * neighboring values that a group computes. */
#define GAUSSIAN_UPSAMPLE_LINE 32
#define GAUSSIAN_UPSAMPLE_WARPS 4
#define GAUSSIAN_UPSAMPLE_VALUES (4 * GAUSSIAN_UPSAMPLE_LINE)
/* Values that a work-item loads to upsample `samples` samples of a row with `taps` weights each. */
#define GAUSSIAN_UPSAMPLE_LOADS(samples, taps, channels) \
  (((-1 + (samples) + (taps)) * (channels) + GAUSSIAN_UPSAMPLE_LINE - 1) / GAUSSIAN_UPSAMPLE_LINE)

#endif
