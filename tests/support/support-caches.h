/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver's cache of kernels, for tests with cache folders of their own. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keeps PoCL's cache where it is, for this process and its children, when XDG_CACHE_HOME or HOME change: kernels that
 * other tests use, too, are compiled once. */
void support_keep_pocl_cache (void);

G_END_DECLS
