/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What clipping and its kernels share: bins, state and slots.
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
#define CLIP_ITEMS 512 /* work-items per group of the variant `group`; CLIP_BINS is a multiple of it */

/* Bins whose values are looked at one by one. Slot 0 stands for no slot. */
#define CLIP_SLOTS 256

/* The first three are at the words that threshold.cl reads. */
typedef struct {
  cl_uint status;
  cl_float threshold;
  cl_float above; /* the smallest float above the threshold */
  cl_uint iterations;
  cl_ulong median, mean, sigma; /* doubles, of the values that are left */
  cl_ulong sum, squares;        /* doubles: of the distances from the pivot, of the values that are left; if `summed` */
  cl_uint summed;
  cl_uint low, high; /* order keys: the range of the values that are left */
  cl_uint below;     /* values below that range */
  cl_uint count;     /* values in that range */
  cl_float pivot;
  cl_uint base;                       /* bits of a float: the smallest distance that is divided into bins */
  cl_uint core_begin, core_end;       /* bins that are only added up as a whole: begin, and behind the last */
  cl_uint flagged_begin, flagged_end; /* within them those that may have slots */
  cl_uint ticket;                     /* groups that have finished */
} clip_state_t;
CAPRA_ASSERT_SIZE (clip_state_t, 104);

enum {
  CLIP_RUNNING,  /* a further round is required */
  CLIP_FOUND,    /* finished */
  CLIP_NO_VALUE, /* no value is finite */
};

/* A bin whose values are looked at: where its list begins, the number of keys it has room for (0 or all keys of the
 * bin), keys written so far, and the extremes of its keys. */
typedef struct {
  cl_uint bin, begin, room, listed, least, most;
} clip_slot_t;
CAPRA_ASSERT_SIZE (clip_slot_t, 24);

/* Words of the buffer that all kernels work on. */
enum {
  CLIP_STATE = 0,
  CLIP_SLOT_TABLE = 32,                         /* CLIP_SLOTS of clip_slot_t */
  CLIP_SUMS = CLIP_SLOT_TABLE + 6 * CLIP_SLOTS, /* two numbers of 64 bits for each bin (clip.clh) */
  CLIP_COUNTS = CLIP_SUMS + 4 * CLIP_BINS,      /* for each bin */
  CLIP_SLOT_OF = CLIP_COUNTS + CLIP_BINS,       /* the slot of each bin, a byte */
  CLIP_WORDS = CLIP_SLOT_OF + CLIP_BINS / 4,
};

#endif
