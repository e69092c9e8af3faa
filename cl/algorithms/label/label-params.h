/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sizes that the variant `blocks` of labeling and its kernels share. */
#ifndef CAPRA_LABEL_PARAMS_H
#define CAPRA_LABEL_PARAMS_H

/* Rows of a block: two words of a column. Columns are the macro BLOCK. */
#define BLOCK_ROWS 64

/* Work-items a group of label_blocks_scan. */
#define SCAN_ITEMS 256

#endif
