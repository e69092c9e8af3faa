/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-graph: a graph that images go through one after the other. */
#pragma once

#include "ui/pipeline/write/save.h"

G_BEGIN_DECLS

typedef struct _RunGraph RunGraph;

/* @path: GEGL's XML, or a PNG that carries a graph in its text. */
RunGraph *run_graph_new_from_file (const char *path, gboolean data, GError **error);
/* @words: a chain, as `gegl` takes it after "--". */
RunGraph *run_graph_new_from_words (char **words, gboolean data, GError **error);
void run_graph_free (RunGraph *graph);

/* Whether it loads all of its images itself. */
gboolean run_graph_has_source (RunGraph *graph);

/* Appends the files that the graph reads (owned names; @files frees them). */
void run_graph_add_files (RunGraph *graph, GPtrArray *files);

/* Whether one of its operations makes a table. */
gboolean run_graph_has_table (RunGraph *graph);

/* Whether the graph takes the numbers of files as they are: its text says so, or it was read with @data. */
gboolean run_graph_is_data (RunGraph *graph);

/**
 * run_graph_process:
 * @image: (nullable): the input
 * @output: (nullable): where the result goes; all of it is computed in any case
 * @bits: as capra_save() takes it
 *
 * Returns: FALSE with @error set if an operation failed, or the file cannot be written
 */
gboolean run_graph_process (RunGraph *graph, GeglBuffer *image, GFile *output, int bits, CapraSaveProgress *progress,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunGraph, run_graph_free)

G_END_DECLS
