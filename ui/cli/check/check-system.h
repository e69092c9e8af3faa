/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of the system, the OpenCL loader and the device. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* Pairs of names and values, as "name", "value", …, for a device. */
GPtrArray *check_system_describe (CapraDevice *device);

G_END_DECLS
