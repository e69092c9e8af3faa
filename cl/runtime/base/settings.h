/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings of the user. The first of these that sets a value is used: this process (capra_settings_choose()), a
 * `CAPRA_*` environment variable, capra/settings.ini in the user's configuration folder, which is read again when it
 * changes. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * capra_settings_get:
 * @key: such as "memory-budget": the key in the group `[capra]` of the file; the variable is then
 *   `CAPRA_MEMORY_BUDGET`
 *
 * Returns: (transfer full) (nullable): the value, %NULL if unset or empty
 */
CAPRA_API
char *capra_settings_get (const char *key);

/**
 * capra_settings_get_common:
 *
 * As capra_settings_get(), without the choices of this process.
 */
CAPRA_API
char *capra_settings_get_common (const char *key);

/**
 * capra_settings_choose:
 * @value: (nullable): %NULL to end the choice
 *
 * Sets a value for this process only, such as the device selected in a panel. It overrides all others.
 */
CAPRA_API
void capra_settings_choose (const char *key, const char *value);

typedef enum {
  CAPRA_SETTINGS_UNSET,
  CAPRA_SETTINGS_PROCESS,  /* chosen in this process */
  CAPRA_SETTINGS_VARIABLE, /* set in the environment */
  CAPRA_SETTINGS_FILE,
} CapraSettingsSource;

/**
 * capra_settings_get_source:
 * @where: (out) (optional) (nullable) (transfer full): the variable's name, or the file's path and the line, such as
 *   "/home/ann/.config/capra/settings.ini, line 2"; else %NULL
 *
 * Returns: where the value that capra_settings_get() returns comes from
 */
CAPRA_API
CapraSettingsSource capra_settings_get_source (const char *key, char **where);

/**
 * capra_settings_set:
 * @value: (nullable): %NULL to unset
 *
 * Writes the user's file; a variable still overrides it.
 */
CAPRA_API
gboolean capra_settings_set (const char *key, const char *value, GError **error);

G_END_DECLS
