/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Choice: on which devices an operation may work, in the order in which they are tried. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/* (element-type CapraDevice): just one where the user named it; with the choice left to us, or with all of
 * them named, the best one and then all others. */
GPtrArray *capra_fallback_list_devices (const char *name, GError **error);

/* Whether another device may do better than the one that gave @error. */
gboolean capra_fallback_is_allowed (const GError *error);

G_END_DECLS
