/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: connected components by blocks, all steps after label-blocks-local.cl. Macros: those of label-blocks.clh. */
#include "label-blocks-borders.cl"
#include "label-blocks-roots.cl"
#include "label-blocks-write.cl"
#include "label-blocks-edges.cl"
