/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The partial moments of a work-group, as the program `statistics` writes them. */
#ifndef CAPRA_MOMENTS_PARAMS_H
#define CAPRA_MOMENTS_PARAMS_H

#include "algorithms/common/params.h"

typedef struct {
  cl_uint count;
  cl_uint low, high; /* order keys of the smallest and the largest value */
  cl_float sum[2];   /* high and low part, to be added up */
  cl_float squares[2];
  cl_uint unused;
} partial_moments_t;
CAPRA_ASSERT_SIZE (partial_moments_t, 32);

/* A group has at most this many values, since it counts them in floats. */
#define MAX_GROUP_VALUES (1u << 22)

#endif
