/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Shipped tuning: the defaults. */
#pragma once

#include "runtime/device/tuning-shipped.h"

G_BEGIN_DECLS

/* The value of @key that is shipped for @device (g_free); NULL if there is none. */
char *capra_tuning_get_shipped (CapraDevice *device, const char *key);

G_END_DECLS
