/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Starts a device ahead of its first use. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_device_start:
 * @name: (nullable): as for capra_device_select()
 *
 * Starts to load the OpenCL drivers and to create the context of a device in a thread, and returns at once. The first
 * use of the device waits for the rest of it. Call this as soon as it is certain that a device will be used, such as
 * before an image is decoded. Only the first call in a process has an effect.
 *
 * Errors are not reported: the first use returns them. From now on the process counts as one that has used Capra, also
 * for processes forked from it.
 */
CAPRA_API
void capra_device_start (const char *name);

G_END_DECLS
