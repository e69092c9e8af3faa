/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* OpenCL's handles of a device, for context.c; its driver, for device-why.c. */
#pragma once

#include <CL/cl.h>

#include "runtime/device/device.h"

G_BEGIN_DECLS

cl_device_id capra_device_get_cl (CapraDevice *device);
cl_platform_id capra_device_get_cl_platform (CapraDevice *device);

/* The drivers as capra_device_list() found them, with their verdicts; those of the system without verdicts if drivers
 * are not tried. (element-type CapraDriver) (transfer full) */
GPtrArray *capra_device_dup_drivers (void);

G_END_DECLS
