/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Layouts of the measurement that C and the kernels share.
 *
 * The table has a row of 32-bit words for each label, all 0 at first. Words of 64 and 128 bits have their low word
 * first. The row before all others holds in its first word the largest label of the image. */
#ifndef CAPRA_MEASURE_PARAMS_H
#define CAPRA_MEASURE_PARAMS_H

enum {
  ROW_PIXELS = 0,
  ROW_NAN = 1,       /* 1 if a value is NaN */
  ROW_INV_MIN_X = 2, /* ~min x, so that 0 stands for no pixel and the largest wins */
  ROW_MAX_X = 3,
  ROW_INV_MIN_Y = 4,
  ROW_MAX_Y = 5,
  ROW_INV_LOW = 6,      /* ~(order key of the smallest value) */
  ROW_HIGH = 7,         /* order key of the largest value; 0 if all are NaN */
  ROW_SUM_X = 8,        /* 64 bits */
  ROW_SUM_Y = 10,       /* 64 bits */
  ROW_SHAPE_WORDS = 12, /* the whole row without values */
  /* Sums of 128 bits of values as integers q, see FIXED_POINT_BIAS. */
  ROW_SUM = 12,      /* of q */
  ROW_SQUARES = 16,  /* of q² */
  ROW_MOMENT_X = 20, /* of x q */
  ROW_MOMENT_Y = 24, /* of y q */
  ROW_WORDS = 28,
};

/* Floats of a region are integers in units of 2^(e - FIXED_POINT_BIAS), e being the largest exponent field of the
 * region's values: the largest values then have 48 significant bits. */
#define FIXED_POINT_BIAS 174

/* The variant `blocks`: each work-group takes a block of pixels, which consists of patches of 4 by 8. */
#define BLOCK_WIDTH 128
#define BLOCK_HEIGHT 64
#define PATCH_COLUMNS 4
#define PATCH_ROWS 8
#define PATCHES 256

/* A block's list of fragments: the pixels of one label in one patch. */
#define MAX_FRAGMENTS 1024
enum {
  LIST_COUNT = 0,   /* fragments found; more than MAX_FRAGMENTS if the list does not hold them */
  LIST_LARGEST = 1, /* the largest label */
  LIST_LABELS = 4,
  LIST_PIXELS = LIST_LABELS + MAX_FRAGMENTS,
  LIST_PATCHES = LIST_PIXELS + MAX_FRAGMENTS,
  LIST_WORDS = LIST_PATCHES + MAX_FRAGMENTS,
};

#endif
