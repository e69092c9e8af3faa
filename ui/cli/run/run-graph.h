/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of `capra run`, which processes images one after the other. A copy does so in another thread. */
#pragma once

#include "ui/pipeline/graph/forecast.h"
#include "ui/pipeline/write/save.h"

G_BEGIN_DECLS

typedef struct _RunGraph RunGraph;

/* @path: a file in GEGL's XML, or a PNG file with a graph in its text. @data: read images as raw values. */
RunGraph *run_graph_new_from_file (const char *path, gboolean data, GError **error);
/* @words: a chain of operations, as `gegl` takes it after "--". */
RunGraph *run_graph_new_from_words (char **words, gboolean data, GError **error);
/* A graph with the same operations, for another thread. Images that the graph has loaded are shared. */
RunGraph *run_graph_copy (RunGraph *graph, GError **error);
void run_graph_free (RunGraph *graph);

/* What the graph computes, as text. */
char *run_graph_to_text (RunGraph *graph);

/* @name: "PROPERTY", or "NUMBER.PROPERTY" with the number of the step from 1. Sets @step to the index of the only step
 * that has it. %NULL with @error set if there is none, or several. */
GParamSpec *run_graph_find_property (RunGraph *graph, const char *name, guint *step, GError **error);

/* Sets a property of this copy of the graph. */
void run_graph_set_value (RunGraph *graph, guint step, GParamSpec *property, const GValue *value);

/* Lets Capra's operations of this copy run on @device, except those for which the graph names one. */
void run_graph_set_device (RunGraph *graph, const char *device);

/* Whether the graph loads all of its images itself. */
gboolean run_graph_has_source (RunGraph *graph);

/* Appends the names of the files that the graph reads. @files owns them. */
void run_graph_add_files (RunGraph *graph, GPtrArray *files);

/* (nullable): the image in a FITS file that the graph loads, as the property "image" of capra:fits-load. */
char *run_graph_dup_fits_image (RunGraph *graph);

/* Whether one of its operations writes a table. */
gboolean run_graph_has_table (RunGraph *graph);

/* Whether the graph reads images as raw values: its text says so, or it was created with @data. */
gboolean run_graph_is_data (RunGraph *graph);

/**
 * RunTables:
 * @path: (nullable): the file for the tables of the operations; without it, CAPRA_TABLES names the file
 * @text: (nullable): receives the tables instead
 */
typedef struct {
  const char *path;
  GString *text;
} RunTables;

/**
 * run_graph_process:
 * @image: (nullable): the input
 * @output: (nullable): the file for the result, which is computed even without one
 * @bits: as capra_save() takes it
 * @tables: (nullable)
 * @result: (out) (optional): the result
 *
 * Returns: FALSE with @error set if an operation failed or the file cannot be written
 */
gboolean run_graph_process (RunGraph *graph, GeglBuffer *image, GFile *output, int bits, const RunTables *tables,
                            CapraSaveProgress *progress, GeglBuffer **result, GError **error);

/* What the graph needs for @image (nullable), as capra_forecast_find() says. */
gboolean run_graph_forecast (RunGraph *graph, GeglBuffer *image, CapraForecast *forecast, GError **error);

/* Drops the references to the image that was processed. */
void run_graph_release (RunGraph *graph);

/* Loads the files of second inputs, for the graph and its copies. Errors are those of run_graph_process(). */
void run_graph_load_files (RunGraph *graph);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunGraph, run_graph_free)

G_END_DECLS
