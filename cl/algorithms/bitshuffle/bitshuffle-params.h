/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The layout of a batch of encoded chunks, which the host fills and the kernels read:
 *
 *     BitshuffleChunk records[n_chunks]
 *     cl_uint offsets[n_chunks][n_blocks + 1]   of BITSHUFFLE_LZ4 chunks, relative to the chunk: where the data of each
 *                                               block begins; the data of block i ends at offsets[i + 1] - 4, since
 *                                               four bytes with its length precede each block
 *     the chunks, each at a multiple of BITSHUFFLE_ALIGN bytes, and BITSHUFFLE_ALIGN bytes that may be read, too */
#ifndef CAPRA_BITSHUFFLE_PARAMS_H
#define CAPRA_BITSHUFFLE_PARAMS_H

#include "algorithms/common/params.h"

#define BITSHUFFLE_ALIGN 16

/* How a chunk is encoded. */
enum {
  BITSHUFFLE_LZ4 = 0,     /* bits transposed, blocks compressed */
  BITSHUFFLE_PLANES = 1,  /* bits transposed, not compressed, no header */
  BITSHUFFLE_RAW = 2,     /* the filter was skipped */
  BITSHUFFLE_MISSING = 3, /* the chunk is damaged: zeros are written */
};

typedef struct {
  cl_ulong position; /* of the chunk in the batch, in bytes */
  cl_uint coding;
  cl_uint reserved;
} BitshuffleChunk;

CAPRA_ASSERT_SIZE (BitshuffleChunk, 16);

/* The status of a chunk without a damaged block; otherwise the number of its first damaged block. */
#define BITSHUFFLE_GOOD 0xffffffffu

/* The memory in which a block of that size is decoded: what is copied in vectors may end behind the block. */
#define BITSHUFFLE_SCRATCH(bytes) (((bytes) + 15) / 16 * 16 + 64)

/* Work-items that decode a block together in the variant "group". */
#ifndef BITSHUFFLE_LANES
#define BITSHUFFLE_LANES 32
#endif

#endif
