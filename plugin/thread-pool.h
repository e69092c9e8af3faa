/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Helpers: threads for work that goes on beside what GEGL's own threads do. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* As gegl_parallel_distribute_range(), which does all in the calling thread while GEGL's threads are busy: @func gets
 * 0 … @n - 1 in ranges, by half as many threads as GEGL has. */
void capra_thread_pool_distribute_range (gsize n, GeglParallelDistributeRangeFunc func, gpointer data);

G_END_DECLS
