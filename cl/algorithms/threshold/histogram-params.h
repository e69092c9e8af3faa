/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What histograms for thresholds and their kernels share. */
#ifndef CAPRA_HISTOGRAM_PARAMS_H
#define CAPRA_HISTOGRAM_PARAMS_H

#include "algorithms/common/params.h"

#define HISTOGRAM_BINS 256

/* The bins of a histogram. Integers and edges have the type in which values are compared: float, int or uint. */
typedef struct {
  cl_uint least;       /* the smallest value */
  cl_float pre, scale; /* see position.clh */
  cl_float near;       /* a position within this distance of an edge may be in the next bin */
  cl_float margin;     /* except within this distance of an end; -1 for none */
  cl_uint unused[3];
  cl_uint edges[HISTOGRAM_BINS + 1];
} histogram_layout_t;
CAPRA_ASSERT_SIZE (histogram_layout_t, 4 * (8 + HISTOGRAM_BINS + 1));

/* Words that Otsu's method on the device works on, and leaves for the kernel that makes the mask. */
enum {
  OTSU_STATE,  /* one of the states below */
  OTSU_VALUE,  /* the threshold, a float */
  OTSU_ABOVE,  /* the smallest float above it */
  OTSU_TICKET, /* groups that have finished */
  OTSU_COUNTS, /* of HISTOGRAM_BINS bins */
  OTSU_WORDS = OTSU_COUNTS + HISTOGRAM_BINS,
};
enum {
  OTSU_FOUND,
  OTSU_NO_VALUE, /* there is no finite value */
  OTSU_CONSTANT, /* all values are equal */
};

/* Li's method: bins of residuals, and slots for distinct values. */
#define RESIDUAL_BINS 2048
#define LEVELS 65536
/* Words of the residuals: for each bin the number of values, and the lower 16 and the upper bits of their sum. */
enum {
  RESIDUAL_COUNTS = 0,
  RESIDUAL_LOW = RESIDUAL_BINS,
  RESIDUAL_HIGH = 2 * RESIDUAL_BINS,
  RESIDUAL_WORDS = 3 * RESIDUAL_BINS,
};
/* The unit of a residual: this fraction of the width of a bin. */
#define RESIDUAL_STEPS 65535

#endif
