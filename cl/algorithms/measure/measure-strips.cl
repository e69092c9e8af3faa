/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: region tables by strips of rows (measure-strips.clh). */
#include "measure-strips-shapes.cl"
#ifdef VALUES
#include "measure-strips-sums.cl"
#endif
