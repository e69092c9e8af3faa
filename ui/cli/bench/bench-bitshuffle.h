/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workload of `capra bench` that decodes frames of an Eiger 4M. */
#pragma once

#include "ui/cli/bench/bench-workloads.h"

/* The parameter of the workload is the number of frames. */
gboolean bench_run_bitshuffle (const BenchCall *call, GError **error);

/* Compressed u32 frames of small counts. */
CapraArray *bench_prepare_bitshuffle (const BenchWorkload *workload, CapraArray *image, GError **error);
