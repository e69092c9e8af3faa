/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Preparation: kernels are built before they are needed, or in the background once they were. */
#pragma once

#include "runtime/device/api.h"
#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_preparation_wait:
 * @milliseconds: at most
 *
 * The first use of an operation on a processor goes ahead with kernels that were built quickly, while a process of its
 * own (capra-prepare, of low priority) builds the optimized ones; the results are the same. This waits for the latter,
 * for who measures times. It changes nothing for a process that ends meanwhile: the program at hand is finished, others
 * are dropped.
 *
 * Returns: whether nothing is being built in the background any more
 */
CAPRA_API
gboolean capra_preparation_wait (guint milliseconds);

/**
 * capra_preparation_count:
 *
 * Returns: how many programs the background is still to build for this process
 */
CAPRA_API
guint capra_preparation_count (void);

G_END_DECLS
