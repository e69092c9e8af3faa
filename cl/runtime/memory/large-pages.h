/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Large pages: memory of the host in the system's large pages, where it has them. */
#pragma once

#include <glib.h>

#include "runtime/device/api.h"

G_BEGIN_DECLS

/**
 * CAPRA_LARGE_PAGE:
 *
 * The size of a large page in bytes, to which capra_large_pages_map() aligns memory.
 */
#define CAPRA_LARGE_PAGE ((gsize) 2 << 20)

/**
 * capra_large_pages_map:
 * @bytes: how many; any number
 *
 * Maps memory of the host, and asks the system for large pages, which it may not have. Images of many megabytes are
 * filled and transferred faster from large pages.
 *
 * Returns: (transfer full) (nullable): @bytes zeros, for capra_large_pages_unmap(), or %NULL without memory
 */
CAPRA_API
gpointer capra_large_pages_map (gsize bytes);

/**
 * capra_large_pages_unmap:
 * @begin: what capra_large_pages_map() returned, or a page within it
 * @bytes: how many to give back to the system from there on
 */
CAPRA_API
void capra_large_pages_unmap (gpointer begin, gsize bytes);

G_END_DECLS
