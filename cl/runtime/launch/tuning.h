/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tuning: which variant and shape a device runs an algorithm with.
 *
 * A value is, first come first served: what `CAPRA_TUNING="key=value,key=value"` in the environment forces (tests
 * do), what this process tries out, what `capra tune` measured on this machine (tuning-measured.c), what
 * data/tuning/defaults.ini ships: there, groups for parts of device names ([name:H200]) go before those for the kinds
 * of device ([cpu], [gpu]). */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_tuning_get:
 * @key: such as "label.variant"
 *
 * Returns: (transfer full) (nullable): the value in use on @device, %NULL where none stands
 */
CAPRA_API
char *capra_tuning_get (CapraDevice *device, const char *key);

/* The same as a number or a word; @fallback where none stands. */
CAPRA_API
int capra_tuning_get_int (CapraDevice *device, const char *key, int fallback);
CAPRA_API
const char *capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback);

/**
 * capra_tuning_candidates:
 *
 * Returns: (transfer none): data/tuning/candidates.ini: a group a key, with the values that each kind of device may
 *   take ("cpu", "gpu") and the workloads of `capra bench` that judge between them
 */
CAPRA_API
GKeyFile *capra_tuning_candidates (void);

/* The candidates' entry for this kind of device: "cpu" or "gpu". */
CAPRA_API
const char *capra_tuning_kind (CapraDevice *device);

/* Has this process use @value under @key on every device, until told another; %NULL: no longer. */
CAPRA_API
void capra_tuning_try (const char *key, const char *value);

/* Whether CAPRA_TUNING holds @key, so that no other value can be tried. */
CAPRA_API
gboolean capra_tuning_is_forced (const char *key);

/* Has nothing that was measured on @device be used by this process, until it keeps anew: `capra tune` starts from what
 * is shipped. */
CAPRA_API
void capra_tuning_ignore_measured (CapraDevice *device);

/* Where the values measured on this machine lie (g_free). */
CAPRA_API
char *capra_tuning_path (void);

/**
 * capra_tuning_measured:
 *
 * Returns: (transfer full) (nullable): the value kept for @key on this device, driver and kernels. What was measured
 *   with another driver or other kernels, or is damaged, is left out, and said so once in the log.
 */
CAPRA_API
char *capra_tuning_measured (CapraDevice *device, const char *key);

/**
 * capra_tuning_save:
 * @values: key -> value, both text
 *
 * Keeps @values as what was measured on @device, in place of what was kept before; other devices' stay.
 *
 * Returns: %FALSE if the file cannot be written
 */
CAPRA_API
gboolean capra_tuning_save (CapraDevice *device, GHashTable *values, GError **error);

G_END_DECLS
