/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra devices: what is not used of a device, and why. */
#pragma once

#include <json-glib/json-glib.h>

#include "capra.h"

void device_limits_print (CapraDevice *device);

/* Adds members to the device's object. */
void device_limits_add_json (JsonBuilder *json, CapraDevice *device);

/* Allows again what is set aside on @devices. */
gboolean device_limits_lift (const GPtrArray *devices, GError **error);
