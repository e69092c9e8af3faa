/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of `capra run`: the input or the result of a graph with a color bar, axes and marked sources. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* The options of figures, for the command line; they are kept here. */
const GOptionEntry *run_figure_get_entries (void);

/* (nullable): the file name, or a pattern for several; %NULL if no figure is wanted. */
const char *run_figure_get_path (void);

/* FALSE with @error set if the options are invalid, or do not belong together. @several: whether there are several
 * images; @tables: (nullable): the file for tables */
gboolean run_figure_check_options (gboolean several, const char *tables, GError **error);

/* All options of figures as one text, to compare them with those of another process. */
char *run_figure_dup_options (void);

/* Whether the figure marks the sources of the graph's own table. */
gboolean run_figure_needs_table (void);
/* Whether the figure shows the result of the graph, and not its input. */
gboolean run_figure_shows_result (void);

/**
 * run_figure_draw:
 * @path: of the figure
 * @image: what it shows
 * @source: (nullable): the file from which the image was read; if it is a FITS file, it gives the unit and the world
 *   coordinates
 * @source_image: (nullable): the name of the image in that file, as capra:fits-load takes it
 * @table: (nullable): the text of the graph's tables, if they are needed
 * @table_path: (nullable): or else the file that they were written to
 *
 * Returns: FALSE with @error set if the image or the sources cannot be drawn, or the file cannot be written
 */
gboolean run_figure_draw (const char *path, GeglBuffer *image, const char *source, const char *source_image,
                          const char *table, const char *table_path, GError **error);

G_END_DECLS
