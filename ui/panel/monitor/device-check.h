/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-check: the verdict of `capra check` on a device, and the check that runs on it. */
#pragma once

#include <gio/gio.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraDeviceCheck:
 *
 * All windows share that of a device. A check that runs ends when nothing refers to it any more.
 *
 * Signal "changed": what the functions below return has changed.
 */
#define CAPRA_TYPE_DEVICE_CHECK (capra_device_check_get_type ())
G_DECLARE_FINAL_TYPE (CapraDeviceCheck, capra_device_check, CAPRA, DEVICE_CHECK, GObject)

/* (transfer full): the one of @device. */
CapraDeviceCheck *capra_device_check_get (CapraDevice *device);

/* Reads the verdict again, which another program may have changed. */
void capra_device_check_load (CapraDeviceCheck *check);

/* Runs `capra check`, unless it runs already. */
void capra_device_check_start (CapraDeviceCheck *check);
void capra_device_check_cancel (CapraDeviceCheck *check);

gboolean capra_device_check_is_running (CapraDeviceCheck *check);

/* (nullable): the verdict; NULL if the device was not checked with this driver and these kernels. */
const CapraCheckRecord *capra_device_check_get_record (CapraDeviceCheck *check);

/* Whether results were wrong, or the check failed. */
gboolean capra_device_check_is_bad (CapraDeviceCheck *check);

/* (transfer full): the progress, the verdict or the error for people. */
char *capra_device_check_describe (CapraDeviceCheck *check);

G_END_DECLS
