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

/**
 * capra_programs_save:
 * @shared: in the folder for all users (/var/cache/capra/kernels, or `CAPRA_SHARED_KERNELS`), which only root may do;
 *   else in the user's cache
 * @count: (out): how many programs were kept
 *
 * Keeps the programs that this process has used on @device, with the kernels that it has launched, for other processes.
 * They are optimized ones if the setting `kernels` is "optimized".
 *
 * Returns: %FALSE with @error set if one cannot be written
 */
CAPRA_API
gboolean capra_programs_save (CapraDevice *device, gboolean shared, guint *count, GError **error);

/**
 * capra_preparation_serve:
 *
 * What capra-prepare does: it builds what the process at the other end of its standard input, a socket, asks for. Only
 * for that program.
 *
 * Returns: the exit status
 */
CAPRA_API
int capra_preparation_serve (void);

G_END_DECLS
