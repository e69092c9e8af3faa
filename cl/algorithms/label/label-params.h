/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sizes that the variants of labeling and their kernels share. */
#ifndef CAPRA_LABEL_PARAMS_H
#define CAPRA_LABEL_PARAMS_H

/* label-runs: 64-bit words of a row of the packed mask. */
#define LABEL_RUNS_WORDS(width) (((width) + 63) / 64)

/* label-blocks: rows of a block, two words of a column. Its columns are the macro BLOCK. */
#define BLOCK_ROWS 64

/* Work-items of a group of label_blocks_scan. */
#define SCAN_ITEMS 256

#endif
