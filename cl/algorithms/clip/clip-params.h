/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What clipping and its kernels share: bins, state and lists.
 *
 * Bins divide the values by the leading bits of their distance from a pivot, a value near the median: 2^CLIP_STEP_BITS
 * bins an octave of distances from `base` on, and beyond CLIP_OCTAVES octaves one bin an octave, up to the largest
 * float. Bins rise with the values; those below the pivot mirror those above it. */
#ifndef CAPRA_CLIP_PARAMS_H
#define CAPRA_CLIP_PARAMS_H

#include "algorithms/common/params.h"

#define CLIP_STEP_BITS 6
#define CLIP_OCTAVES 32
#define CLIP_NEAR (CLIP_OCTAVES << CLIP_STEP_BITS)
#define CLIP_SIDE (CLIP_NEAR + 256)
#define CLIP_BINS (2 * CLIP_SIDE)

#define CLIP_SAMPLE 4096
#define CLIP_SAMPLE_ITEMS 512
#define CLIP_ITEMS 512 /* work-items per group of the variant `group`; half of them divide CLIP_SIDE */

/* Images of up to this many values are listed as a whole. */
#define CLIP_MIN_ROOM 65536

/* The first three are at the words that threshold.cl reads. */
typedef struct {
  cl_uint status;
  cl_float threshold;
  cl_float above; /* the smallest float above the threshold */
  cl_uint iterations;
  cl_ulong median, mean, sigma;       /* doubles, of the values that are left */
  cl_uint low, high;                  /* order keys: the range of the values that are left */
  cl_uint below;                      /* values below that range */
  cl_uint count;                      /* values in that range; 0 in the first round */
  cl_uint pivot;                      /* an order key */
  cl_uint base;                       /* bits of a float: the smallest distance divided into bins */
  cl_uint core_begin, core_end;       /* bins that are only added up as a whole */
  cl_float core_first, core_last;     /* distances in the core; core_last < core_first if it is empty */
  cl_float middle_first, middle_last; /* distances in the core outside of which nothing is listed */
  cl_uint ticket;                     /* groups that have finished */
  cl_uint exact;                      /* whether median and sigma are known before a further round */
} clip_state_t;
CAPRA_ASSERT_SIZE (clip_state_t, 96);

enum {
  CLIP_RUNNING,   /* a further round is required */
  CLIP_FOUND,     /* finished */
  CLIP_NO_VALUE,  /* no value is finite */
  CLIP_NOT_FOUND, /* further rounds do not help */
};

/* What is known of the values of a bin: where their keys are listed, or CLIP_EQUAL if only the extremes are found, or
 * CLIP_UNKNOWN; the number of keys written so far; and the extremes of the keys. */
typedef struct {
  cl_uint begin, listed, least, most;
} clip_bin_t;
CAPRA_ASSERT_SIZE (clip_bin_t, 16);

#define CLIP_UNKNOWN 0xffffffffu
#define CLIP_EQUAL 0xfffffffeu

/* The same in a byte: the kind of a bin, or this plus the number of a bin of which only the extremes are found. */
enum { CLIP_KIND_UNKNOWN, CLIP_KIND_LIST, CLIP_KIND_EQUAL };
#define CLIP_MAX_EQUAL 128

/* Words of the buffer that all kernels work on. */
enum {
  CLIP_STATE = 0,
  CLIP_SUMS = 32,                                 /* two numbers of 64 bits for each bin (clip.clh) */
  CLIP_OUTWARDS = CLIP_SUMS + 4 * CLIP_BINS,      /* two doubles for each bin and for both ends (clip-group.clh) */
  CLIP_TABLE = CLIP_OUTWARDS + 4 * CLIP_BINS + 8, /* a clip_bin_t for each bin */
  CLIP_COUNTS = CLIP_TABLE + 4 * CLIP_BINS,       /* for each bin */
  CLIP_KINDS = CLIP_COUNTS + CLIP_BINS,           /* for each bin, a byte */
  CLIP_WORDS = CLIP_KINDS + CLIP_BINS / 4,
};

#endif
