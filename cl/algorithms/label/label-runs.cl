/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: connected components by runs, all steps after label-runs-pack.cl. Macro: SPAN. */
#include "label-runs-edges.cl"
#include "label-runs-filter.cl"
#include "label-runs-join.cl"
#include "label-runs-number.cl"
#include "label-runs-scan.cl"
#include "label-runs-write.cl"
