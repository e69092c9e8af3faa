/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the C file and the kernels of weighted sums along an axis agree on. */
#ifndef CAPRA_TAPS_PARAMS_H
#define CAPRA_TAPS_PARAMS_H

#include "algorithms/common/params.h"

/* A pass along one axis; taps.clh has the formula. Positions count from the first sample of the image's axis. */
typedef struct {
  cl_int taps;     /* weights */
  cl_int length;   /* samples of the image's axis */
  cl_int source;   /* position of the first sample in the input */
  cl_int n_source; /* samples in the input */
  cl_int first;    /* position of the sample of weight 0 for output 0 */
  cl_int n_result; /* outputs */
  cl_int border;   /* CapraBorder */
  cl_float offset; /* added to each output */
} CapraTapsAxis;
CAPRA_ASSERT_SIZE (CapraTapsAxis, 32);

/* Weights whose products are added plainly, before the sum goes into a compensated total. */
#define TAPS_CHUNK 64
/* Weights that the group variants hold in local memory at a time. */
#define TAPS_PART 256
/* Outputs of a work-item of taps-group-rows.cl. */
#define TAPS_GROUP_ROWS_OUTPUTS 8

#endif
