/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tuning: the variant and the shape with which a device runs an algorithm.
 *
 * The first of these gives a value: `CAPRA_TUNING="key=value,key=value"` in the environment (used by tests),
 * capra_tuning_try(), the values measured on this machine (tuning-measured.h), and data/tuning/defaults.ini, where
 * groups for a part of a device's name ([name:H200]) override those for a kind of device ([cpu], [gpu]). Measured and
 * shipped values that are avoided because of a quirk of the driver (quirks.h) or are set aside (quarantine.h) are
 * replaced by another candidate. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_tuning_get:
 * @key: such as "label.variant"
 *
 * Returns: (transfer full) (nullable): the value for @device, or %NULL if the key has none
 */
CAPRA_API
char *capra_tuning_get (CapraDevice *device, const char *key);

/**
 * capra_tuning_get_int:
 * Returns: the same as a number; @fallback if there is none
 */
CAPRA_API
int capra_tuning_get_int (CapraDevice *device, const char *key, int fallback);

/**
 * capra_tuning_get_word:
 * Returns: (transfer none): the same as interned text; @fallback if there is none
 */
CAPRA_API
const char *capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback);

/**
 * capra_tuning_try:
 * @value: (nullable): %NULL to end the trial
 *
 * Makes this process use @value for @key on all devices.
 */
CAPRA_API
void capra_tuning_try (const char *key, const char *value);

/**
 * capra_tuning_is_forced:
 * Returns: whether `CAPRA_TUNING` sets @key, so that capra_tuning_try() has no effect
 */
CAPRA_API
gboolean capra_tuning_is_forced (const char *key);

G_END_DECLS
