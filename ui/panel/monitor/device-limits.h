/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-limits: what is not used on a device because its driver fails, for people. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): markup: the quirks of the device's driver: what is avoided, why, and how to lift that. */
char *capra_device_limits_describe_quirks (CapraDevice *device);
/* (transfer full) (nullable): markup: what is set aside on the device, why, and for how long. */
char *capra_device_limits_describe_set_aside (CapraDevice *device);

G_END_DECLS
