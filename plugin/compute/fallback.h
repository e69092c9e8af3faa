/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fallback: the devices that an operation tries, one after the other. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* The devices (element-type CapraDevice) to try for the property `device` with the value @name. If @name, or the user's
 * default where @name is empty, names a device or several: these alone, the best of them first. Otherwise ("auto",
 * "all", or no default): the best device, then all others. %NULL with @error set if no device has this name. */
GPtrArray *capra_fallback_list_devices (const char *name, GError **error);

/* Whether the next device is tried after @error. */
gboolean capra_fallback_is_allowed (const GError *error);

G_END_DECLS
