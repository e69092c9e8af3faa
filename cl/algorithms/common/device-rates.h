/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Rates that a device reaches: copy bandwidth and arithmetic, to compare kernels with. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_device_measure_copy:
 *
 * Copies 256 MiB (less on small devices) within the device's memory several times.
 *
 * Returns: bytes read and written per second at the median, or a negative number with @error set
 */
CAPRA_API
double capra_device_measure_copy (CapraDevice *device, GError **error);

/**
 * capra_device_measure_arithmetic:
 *
 * Multiplies and adds floats on all compute units for a few milliseconds, several times.
 *
 * Returns: multiply-adds per second at the median, or a negative number with @error set
 */
CAPRA_API
double capra_device_measure_arithmetic (CapraDevice *device, GError **error);

/**
 * capra_device_keep_busy:
 *
 * Enqueues multiply-adds on all compute units, for half a millisecond to a few milliseconds, and does not wait for
 * them; adds one record to the timeline. The device's memory and caches do not change. Commands that are enqueued next
 * start without the pauses of the host between them.
 */
CAPRA_API
gboolean capra_device_keep_busy (CapraDevice *device, GError **error);

G_END_DECLS
