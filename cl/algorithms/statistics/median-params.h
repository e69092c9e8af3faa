/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory and sizes that the median and its kernels share. */
#ifndef CAPRA_MEDIAN_PARAMS_H
#define CAPRA_MEDIAN_PARAMS_H

#include "algorithms/common/params.h"

/* Radix selection. */

/* The search for the lower and the upper middle rank. Histograms follow from word RADIX_STATE_WORDS on. */
typedef struct {
  cl_ulong prefixes[2]; /* the bits of the keys that are known */
  cl_ulong ranks[2];    /* among the values that agree with the prefix */
  cl_ulong count;       /* of all values */
} radix_state_t;
CAPRA_ASSERT_SIZE (radix_state_t, 40);
#define RADIX_STATE_WORDS 16
#define SELECT_ITEMS 256 /* work-items of median_select */

/* Selection from a bracket. */

#define BRACKET_BINS 1024
#define BRACKET_LIST 4096   /* keys that the list holds */
#define BRACKET_SAMPLE 4096 /* values of the sample */
#define SAMPLE_ITEMS 1024   /* work-items of median_sample */
#define BRACKET_ITEMS 512   /* work-items per group of median_split and median_finish */

typedef struct {
  cl_uint low, high;                            /* keys: the ends of the bracket */
  cl_uint first;                                /* a key: the start of the bins; smaller values are in the first one */
  cl_float scale;                               /* bins per unit */
  cl_uint below, nans, at_low, at_high, inside; /* numbers of values */
} bracket_t;

/* BRACKET_BINS counts follow from word BRACKET_STATE_WORDS on, then the list. */
typedef struct {
  bracket_t bracket;
  cl_uint failed;              /* the bracket or the list does not suffice; radix selection has to be used */
  cl_uint ticket;              /* groups that have finished */
  cl_uint listed, least, most; /* of the bins of the middle ranks */
  cl_uint result[2];           /* the keys of the middle ranks */
} bracket_state_t;
CAPRA_ASSERT_SIZE (bracket_state_t, 64);
#define BRACKET_STATE_WORDS 16

#endif
