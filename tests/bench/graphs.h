/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the benchmarks of operations in GEGL: images, graphs and times. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* Initializes GEGL, which keeps all tiles in memory; FALSE, with a message, if it does not find Capra's module. */
gboolean bench_init (void);

/* A buffer of noise, the same in each run. */
GeglBuffer *bench_new_image (int width, int height, const Babl *format);

/* A new graph of the chain @filter on @source; NULL, with a message, if it cannot be created. Its result is
 * bench_get_last(). */
GeglNode *bench_new_graph (GeglBuffer *source, const char *filter);
GeglNode *bench_get_last (GeglNode *graph);

/* Sorts @times and returns the median. */
double bench_median (double *times, guint n);

G_END_DECLS
