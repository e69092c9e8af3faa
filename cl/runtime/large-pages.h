/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large pages: memory of the host in the system's large pages, where it has them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a large page has, and what memory of them is aligned to. */
#define CAPRA_LARGE_PAGE ((gsize) 2 << 20)

/* Memory of zeros; NULL if there is none. Large pages are a wish: the system may give small ones. */
gpointer capra_large_pages_map (gsize bytes);
void capra_large_pages_unmap (gpointer begin, gsize bytes);

G_END_DECLS
