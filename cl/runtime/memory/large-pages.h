/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Large pages: host memory in the large pages of the system. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CAPRA_LARGE_PAGE:
 *
 * The size of a large page in bytes, to which capra_large_pages_map() aligns memory.
 */
#define CAPRA_LARGE_PAGE ((gsize) 2 << 20)

/**
 * capra_large_pages_map:
 * @bytes: any number
 *
 * Maps host memory in large pages if the system has some, otherwise in small ones. Images of many megabytes are filled
 * and transferred faster in large pages.
 *
 * Returns: (transfer full) (nullable): @bytes zeros, to be freed with capra_large_pages_unmap(); %NULL if memory is
 *   short
 */
CAPRA_API
gpointer capra_large_pages_map (gsize bytes);

/**
 * capra_large_pages_unmap:
 * @begin: the result of capra_large_pages_map(), or a page within it
 * @bytes: the number of bytes to return to the system
 */
CAPRA_API
void capra_large_pages_unmap (gpointer begin, gsize bytes);

G_END_DECLS
