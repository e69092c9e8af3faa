/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: region tables by blocks of pixels (measure-blocks.clh). */
#include "measure-blocks-fragments.cl"
#include "measure-blocks-shapes.cl"
#ifdef VALUES
#include "measure-blocks-sums.cl"
#endif
