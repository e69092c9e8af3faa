/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quirks: what they change for devices and kernels. Not installed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* The options that the kernel file @name.cl is built with besides its own (g_free); NULL if there are none. */
char *capra_quirks_dup_options (CapraDevice *device, const char *name);

/* FALSE with @error set if the kernel file @name.cl is refused. */
gboolean capra_quirks_check_kernels (CapraDevice *device, const char *name, GError **error);

/* FALSE with @error (nullable) set if the device is refused. */
gboolean capra_quirks_check_device (CapraDevice *device, GError **error);

/* Whether a forked child must not call the driver's functions at exit. */
gboolean capra_quirks_end_children (CapraDevice *device);

G_END_DECLS
