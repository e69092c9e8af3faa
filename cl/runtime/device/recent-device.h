/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Recent device: the device that this program used at an earlier start. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_recent_device_dup:
 *
 * Returns: (nullable): the name of the device that a process of this program, for this user, used within the last 30
 *   days ("" for the default); NULL if none did. A host may pass it to capra_device_start() when it is idle.
 */
CAPRA_API
char *capra_recent_device_dup (void);

/**
 * capra_recent_device_record:
 * @name: (nullable): as for capra_device_select()
 *
 * Records that this program uses a device. Only the first call in a process has an effect.
 */
CAPRA_API
void capra_recent_device_record (const char *name);

G_END_DECLS
