/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that are lost: replaces clEnqueueNDRangeKernel() of the OpenCL loader by a function that can fail. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The number of devices whose kernels fail from now on, starting with the first one in OpenCL's list. */
void lost_devices_set (int count);

/* The number of kernels that failed. */
int lost_devices_count_hits (void);

G_END_DECLS
