/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation: optimized kernels are built in the background, by the process capra-prepare. */
#pragma once

#include "runtime/base/api.h"
#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_preparation_wait:
 * @milliseconds: the time limit
 *
 * The first use of an operation on a CPU runs kernels that were built quickly, without the optimizer, while
 * capra-prepare, a process of low priority, builds the optimized ones; the results are the same. This function waits
 * for it, to measure times. If this process ends before, capra-prepare finishes its current program and drops the
 * others.
 *
 * Returns: whether the background has built all programs
 */
CAPRA_API
gboolean capra_preparation_wait (guint milliseconds);

/**
 * capra_preparation_count:
 *
 * Returns: the number of programs that the background has yet to build for this process
 */
CAPRA_API
guint capra_preparation_count (void);

G_END_DECLS
