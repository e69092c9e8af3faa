/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the box blur's C files and kernels agree on. */
#ifndef CAPRA_BOX_PARAMS_H
#define CAPRA_BOX_PARAMS_H

#include "algorithms/common/params.h"

/* A pass along one axis; box.clh has the formula. Positions count from the first sample of the image's axis. */
typedef struct {
  cl_int length;   /* samples of the image's axis */
  cl_int source;   /* position of the first sample in the input */
  cl_int n_source; /* samples in the input */
  cl_int first;    /* position of the first sample in the box of output 0 */
  cl_int count;    /* samples in a box */
  cl_int run;      /* outputs of a run */
  cl_int n_result; /* outputs, including the skipped ones */
  cl_int skip;     /* outputs before the first one that is stored */
  cl_int n_blocks; /* whole runs that all boxes of a run contain (vector columns only) */
  cl_int border;   /* CapraBorder */
  cl_float scale;  /* factor of each sample */
} CapraBox;
CAPRA_ASSERT_SIZE (CapraBox, 44);

/* box-vector-rows.cl: values of a row that a work-item computes. */
#define BOX_ROW_VALUES 2048
/* box-vector-columns.cl: the longest run. */
#define BOX_LONGEST_RUN 256
/* box-vector-strip.cl: values of a row that a work-item reads, and of all rows that it holds. These stay in a CPU's
 * second-level cache. */
#define BOX_STRIP_WIDTH 2048
#define BOX_STRIP_HELD (128 * 1024)

/* box-scan-rows.cl: samples of a row that a work-item sums up. */
#define BOX_SCAN_ITEM 16

/* box-walk-columns.cl: the width of a work-group, and the parts whose sums are combined first. */
#define BOX_WALK_WIDTH 16
#define BOX_WALK_SEGMENT 8

#endif
