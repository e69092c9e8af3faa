/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of `capra bench` as JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include "ui/cli/bench/bench-result.h"

void bench_json_begin_table (JsonBuilder *json, const BenchTable *table);
/* @error: (nullable): why the workload has no result. */
void bench_json_add_row (JsonBuilder *json, const BenchTable *table, const BenchWorkload *workload,
                         const BenchResult *result, const GError *error);
void bench_json_end_table (JsonBuilder *json);
