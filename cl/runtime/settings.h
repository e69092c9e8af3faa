/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings: the user's choices, from `CAPRA_*` variables, else from capra/settings.ini in the
 * user's configuration folder, which is read again whenever it has changed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_settings_get:
 * @key: such as "device" or "memory-budget"; the variable is then `CAPRA_DEVICE` or
 *   `CAPRA_MEMORY_BUDGET`, the key stands in the file's group `[capra]`
 *
 * Returns: (transfer full) (nullable): the value, %NULL if unset or empty
 */
char *capra_settings_get (const char *key);

/**
 * capra_settings_set:
 * @value: (nullable): %NULL to unset
 *
 * Writes the user's file; a variable still goes before it.
 */
gboolean capra_settings_set (const char *key, const char *value, GError **error);

G_END_DECLS
