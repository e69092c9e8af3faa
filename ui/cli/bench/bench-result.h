/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of `capra bench`. */
#pragma once

#include "ui/cli/bench/bench-workloads.h"

/* All times are in milliseconds. */
typedef struct {
  /* Median and extremes, from the start of the first kernel to the end of the last. */
  double device, device_min, device_max;
  double wall, wall_min, wall_max; /* median and extremes of the call until its work is finished */
  double whole;                    /* median of upload, call and download together */
  double upload, download;         /* medians of the transfer of the input, and of an array of its size */
  double first, build;             /* wall time of the first run, and the part of it that builds kernels */
  double traffic, arithmetic;      /* the least time for the bytes, and for the multiply-adds */
  GPtrArray *kernels;              /* of BenchKernel, in the order of their first launches; or NULL */
} BenchResult;

/* The workloads of one device and size. */
typedef struct {
  CapraDevice *device;
  int size, repeats;
  double copy, adds; /* the rates of the device: bytes and multiply-adds per second */
} BenchTable;
