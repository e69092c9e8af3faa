/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workloads of `capra bench` that integrate frames of an Eiger 4M. */
#pragma once

#include "ui/cli/bench/bench-workloads.h"

#define BENCH_EIGER_WIDTH 2070
#define BENCH_EIGER_HEIGHT 2167

/* The parameter of a workload: how pixels are split, and the frames of a call. */
#define BENCH_AZIMUTHAL(splitting, frames) ((splitting) *100 + (frames))

gboolean bench_run_azimuthal (const BenchCall *call, GError **error);

/* Small counts, of four bits. */
void bench_fill_counts (guint32 *values, gsize n);

/* Eight u32 frames of small counts. */
CapraArray *bench_prepare_azimuthal (const BenchWorkload *workload, CapraArray *image, GError **error);
