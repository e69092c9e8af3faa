/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings: the user's choices: those made in this process, else `CAPRA_*` variables, else capra/settings.ini
 * in the user's configuration folder, which is read again whenever it has changed. */
#pragma once

#include <glib.h>

#include "runtime/device/api.h"

G_BEGIN_DECLS

/**
 * capra_settings_get:
 * @key: such as "device" or "memory-budget"; the variable is then `CAPRA_DEVICE` or
 *   `CAPRA_MEMORY_BUDGET`, the key stands in the file's group `[capra]`
 *
 * Returns: (transfer full) (nullable): the value, %NULL if unset or empty
 */
CAPRA_API
char *capra_settings_get (const char *key);

/**
 * capra_settings_get_common:
 *
 * As capra_settings_get(), leaving out what was chosen in this process alone.
 */
CAPRA_API
char *capra_settings_get_common (const char *key);

/**
 * capra_settings_choose:
 * @value: (nullable): %NULL to choose nothing
 *
 * A choice for this process alone, such as that of a panel's list of devices. It goes before all others.
 */
CAPRA_API
void capra_settings_choose (const char *key, const char *value);

typedef enum {
  CAPRA_SETTINGS_UNSET,
  CAPRA_SETTINGS_PROCESS,  /* chosen in this process */
  CAPRA_SETTINGS_VARIABLE, /* of the environment */
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
 * Writes the user's file; a variable still goes before it.
 */
CAPRA_API
gboolean capra_settings_set (const char *key, const char *value, GError **error);

G_END_DECLS
