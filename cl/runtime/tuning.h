/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuning: which variant and shape a device runs an algorithm with. Private.
 *
 * data/tuning/defaults.ini has a group for each kind of device ([cpu], [gpu]) and may have groups for
 * parts of device names ([name:H200]), which go before the kinds. */
#pragma once

#include "device.h"

G_BEGIN_DECLS

/* The number or word under @key ("label.stripes", "gaussian-blur.variant"); @fallback where none stands.
 * `CAPRA_TUNING="key=value,key=value"` in the environment goes before all: tests force variants so. */
int capra_tuning_get_int (CapraDevice *device, const char *key, int fallback);
const char *capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback);

G_END_DECLS
