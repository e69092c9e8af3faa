/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drivers' caches of kernels, for tests with cache folders of their own. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keeps the caches of PoCL and Mesa where they are, for this process and its children, when XDG_CACHE_HOME or HOME
 * change: kernels that other tests use, too, are compiled once, and nothing is written to the new folder. */
void support_keep_driver_caches (void);

G_END_DECLS
