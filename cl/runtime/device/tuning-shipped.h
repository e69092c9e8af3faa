/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Shipped tuning: the values that a key can have. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_tuning_candidates:
 *
 * Returns: (transfer none): data/tuning/candidates.ini: a group per key, with the values that each kind of device can
 *   use ("cpu", "gpu"), and the workloads of `capra bench` that decide between them
 */
CAPRA_API
GKeyFile *capra_tuning_candidates (void);

/**
 * capra_tuning_kind:
 * Returns: the entry of the candidates for this kind of device: "cpu" or "gpu"
 */
CAPRA_API
const char *capra_tuning_kind (CapraDevice *device);

G_END_DECLS
