/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measured tuning: what `capra tune` has measured on this machine, in a file of the user. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_tuning_path:
 * Returns: (transfer full): the path of the file
 */
CAPRA_API
char *capra_tuning_path (void);

/**
 * capra_tuning_measured:
 *
 * Returns: (transfer full) (nullable): the saved value of @key for this device, driver and kernels. A value that was
 *   measured with another driver or other kernels, or is damaged, is ignored; the log says so once.
 */
CAPRA_API
char *capra_tuning_measured (CapraDevice *device, const char *key);

/**
 * capra_tuning_save:
 * @values: (element-type utf8 utf8): values by key
 *
 * Replaces the saved values of @device; those of other devices remain.
 *
 * Returns: %FALSE with @error set if the file cannot be written
 */
CAPRA_API
gboolean capra_tuning_save (CapraDevice *device, GHashTable *values, GError **error);

/**
 * capra_tuning_ignore_measured:
 *
 * Makes this process ignore the saved values of @device until it saves new ones: `capra tune` starts from the shipped
 * values.
 */
CAPRA_API
void capra_tuning_ignore_measured (CapraDevice *device);

G_END_DECLS
