/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `capra bench` prints: tables for people, or JSON. */
#pragma once

#include "ui/cli/bench/bench-workloads.h"

typedef struct {
  double device, device_min, device_max; /* first kernel's start to last kernel's end, ms; median, extremes */
  double wall, wall_min, wall_max;       /* of the call until its work is done, ms */
  double whole;                          /* of push, call and pull together, ms, median */
  double push, pull;                     /* of the input and of an array of its size, the transfer itself, ms, median */
  double first, build;                   /* of the very first run: its wall time, and what builds took of it, ms */
  double traffic, arithmetic;            /* the least time for the bytes, and for the multiply-adds, ms */
  GPtrArray *kernels;                    /* of BenchKernel, in the order of their first launches, or NULL */
} BenchResult;

/* A table: one device and size. */
typedef struct {
  CapraDevice *device;
  int size, repeats;
  double copy, adds; /* the device's rates: bytes and multiply-adds a second */
} BenchTable;

/* @first: whether it is the first table. */
void bench_print_head (const BenchTable *table, gboolean json, gboolean first);
/* @error: why there is no result, or %NULL. @first: whether it is the table's first row. */
void bench_print_row (const BenchTable *table, const BenchWorkload *workload, const BenchResult *result,
                      const GError *error, gboolean json, gboolean first);
void bench_print_table_end (gboolean json);
/* After the last table. */
void bench_print_end (gboolean json);
