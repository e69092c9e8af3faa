/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of `capra bench` as text. */
#pragma once

#include "ui/cli/bench/bench-result.h"

/* @first: whether it is the first table. */
void bench_print_head (const BenchTable *table, gboolean first);
/* @error: (nullable): why the workload has no result. */
void bench_print_row (const BenchWorkload *workload, const BenchResult *result, const GError *error);
