/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Background check: the program `capra` checks a device after its first use. Not installed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* After the first use of @device by this process: writes to the log what its check has found, and starts the check if
 * the device has no verdict with this driver and these kernels. Does not wait for it. The setting `check` turns this
 * off. */
void capra_background_check_begin (CapraDevice *device);

G_END_DECLS
