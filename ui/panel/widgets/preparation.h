/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preparation: a message while kernels are being built. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (nullable): a message to show instead of the progress while kernels are built for a device, else %NULL. */
const char *capra_preparation_get_message (void);

G_END_DECLS
