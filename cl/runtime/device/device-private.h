/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* OpenCL's handles of a device, for context.c. */
#pragma once

#include <CL/cl.h>

#include "runtime/device/device.h"

G_BEGIN_DECLS

cl_device_id capra_device_get_cl (CapraDevice *device);
cl_platform_id capra_device_get_cl_platform (CapraDevice *device);

G_END_DECLS
