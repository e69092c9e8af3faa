/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices view: lists the devices and lets the user choose one. */
#pragma once

#include <gtk/gtk.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraDevicesView:
 *
 * Properties:
 * "device" (string, never %NULL): the id of the device that this process uses, or "" for the automatic choice;
 * "missing" (boolean, read-only): the user's default device is missing, so that the best one is used.
 *
 * When the device or the user's default changes, operations whose property `device` is "" use the new one from their
 * next run on.
 */
#define CAPRA_TYPE_DEVICES_VIEW (capra_devices_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraDevicesView, capra_devices_view, CAPRA, DEVICES_VIEW, GtkWidget)

GtkWidget *capra_devices_view_new (void);

const char *capra_devices_view_get_device (CapraDevicesView *view);
/* @name: (nullable): any name that capra_device_select() accepts. */
void capra_devices_view_set_device (CapraDevicesView *view, const char *name);

/* Shows the user's default again, which another program may have changed. */
void capra_devices_view_update_default (CapraDevicesView *view);

/* Marks @device as failed. If @message is NULL, removes the mark. */
void capra_devices_view_set_failure (CapraDevicesView *view, CapraDevice *device, const char *message);

G_END_DECLS
