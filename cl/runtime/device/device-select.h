/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Selects a device by a name that a user gives. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * capra_device_select:
 * @name: (nullable): %NULL or "" for the default; "auto" for the best device, whatever the default is,
 *   with which the GEGL operations choose for each run the one that finishes first; an index (`1`);
 *   platform:device (`0:1`); an id; its name or a part of it, in any case (`h200`); or, if no device has such a name, a
 *   part of the name of its platform or vendor (`rusticl`, `nvidia`). "all", or a list of such names (`h200,pthread`),
 *   makes the GEGL operations split an image between these devices; here it selects the best of them
 *
 * The default is the first of these that is set: the device selected in this process, `CAPRA_DEVICE`, `device` in the
 * user's settings (see capra_settings_get()); each can be any of these names. Otherwise it is the best device: GPUs
 * before accelerators before CPUs, then the larger compute rate (compute units times clock).
 *
 * A name that matches none or several different devices is an error, whose message lists the devices; of equal devices
 * (same platform, name and driver) the first one is selected. If the name in the settings matches none, the best device
 * is selected, with a warning (see capra_device_dup_missing_default()).
 *
 * Returns: (transfer none): the device, or %NULL with @error set
 */
CAPRA_API
CapraDevice *capra_device_select (const char *name, GError **error);

/**
 * capra_device_compare:
 *
 * Returns: negative if @a is expected to be faster than @b, positive if slower, by the order of capra_device_select()
 */
CAPRA_API
int capra_device_compare (CapraDevice *a, CapraDevice *b);

/**
 * capra_device_estimate_rate:
 *
 * Returns: the compute units of the device times their clock in MHz, which is assumed where the driver reports none
 */
CAPRA_API
guint64 capra_device_estimate_rate (CapraDevice *device);

/**
 * capra_device_get_best:
 *
 * Returns: (transfer none): the device that capra_device_select() selects if no default is set
 */
CAPRA_API
CapraDevice *capra_device_get_best (GError **error);

/**
 * capra_device_dup_missing_default:
 * @where: (out) (optional) (nullable) (transfer full): the file and the line with the name
 *
 * Returns: (transfer full) (nullable): the name of the default device in the user's settings if no device has that
 *   name, such as that of a card that was removed, and nothing overrides it; capra_device_select() then selects the
 *   best device by default. Otherwise %NULL. The settings are read each time.
 */
CAPRA_API
char *capra_device_dup_missing_default (char **where);

/**
 * capra_device_is_default:
 * @name: (nullable): as for capra_device_select()
 *
 * Returns: whether Capra selects the device: @name is "auto", or it is empty and no default is set, or the default in
 *   the settings is missing. Another device may then replace one that fails.
 */
CAPRA_API
gboolean capra_device_is_default (const char *name);

/**
 * capra_device_select_several:
 * @name: (nullable): as for capra_device_select()
 *
 * A name in a list that matches no device, or several different ones, is an error. "auto" and "all" cannot be in a
 * list.
 *
 * Returns: (transfer container) (element-type CapraDevice): all devices for "all", those of a list in its order and
 *   each of them once, otherwise the device of capra_device_select(); or %NULL with @error set
 */
CAPRA_API
GPtrArray *capra_device_select_several (const char *name, GError **error);

/**
 * capra_device_is_auto:
 * @name: (nullable): as for capra_device_select()
 *
 * Returns: whether @name is "auto", so that GEGL operations choose the device that finishes first
 */
CAPRA_API
gboolean capra_device_is_auto (const char *name);

/**
 * capra_device_is_several:
 * @name: (nullable): as for capra_device_select()
 *
 * Returns: whether @name is "all" or a list, so that GEGL operations split images between devices
 */
CAPRA_API
gboolean capra_device_is_several (const char *name);

G_END_DECLS
