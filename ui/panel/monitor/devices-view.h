/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices view: the list of devices, and the choice of one. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraDevicesView:
 *
 * Property "device" (string, never %NULL): the id of the device that this process uses, "" for the automatic
 * choice. Signal "default-changed": this choice, or the user's default in libcapra's settings, is another one
 * now; operations whose `device` is "" follow at their next run.
 * Property "missing" (boolean, read-only): the user's default is not among the devices, and the best one is used.
 */
#define CAPRA_TYPE_DEVICES_VIEW (capra_devices_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraDevicesView, capra_devices_view, CAPRA, DEVICES_VIEW, GtkWidget)

GtkWidget *capra_devices_view_new (void);

const char *capra_devices_view_get_device (CapraDevicesView *view);
/* @name: (nullable): any name that capra_device_select() takes. */
void capra_devices_view_set_device (CapraDevicesView *view, const char *name);

/* Shows that work on @device failed, until @message is NULL: it works again. */
void capra_devices_view_set_failure (CapraDevicesView *view, CapraDevice *device, const char *message);

G_END_DECLS
