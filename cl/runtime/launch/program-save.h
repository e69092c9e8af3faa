/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Saves built programs for other processes. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_programs_save:
 * @shared: whether to save in the folder for all users (/var/cache/capra/kernels, or `CAPRA_SHARED_KERNELS`), which
 *   only root may do, or in the user's cache
 * @count: (out): the number of saved programs
 *
 * Saves the programs that this process has used on @device, with the kernels that it has launched. They are optimized
 * if the setting `kernels` is "prepare".
 *
 * Returns: %FALSE with @error set if one cannot be written
 */
CAPRA_API
gboolean capra_programs_save (CapraDevice *device, gboolean shared, guint *count, GError **error);

G_END_DECLS
