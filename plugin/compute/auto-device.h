/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Auto device: what a job costs on a device, for device=auto. */
#pragma once

#include "plugin/compute/job.h"
#include "runtime/trace/device-choice.h"

G_BEGIN_DECLS

/* What @job reads, and where that is, and what it computes. */
void capra_auto_device_get_work (CapraJob *job, CapraDeviceWork *work);

G_END_DECLS
