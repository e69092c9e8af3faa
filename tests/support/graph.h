/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the GEGL module share: small graphs over buffers of known values. */
#pragma once

#include <gegl.h>

#include "tests/support/support-filter.h"

G_BEGIN_DECLS

/* Starts GEGL with our module; to be called once, after g_test_init(). */
void graph_init (int *argc, char ***argv);

/* A buffer of @rect with @values in @format ("Y float"), row by row. */
GeglBuffer *graph_buffer (const char *format, const GeglRectangle *rect, gconstpointer values);

/* Nodes in @graph: a source of @buffer; an operation with properties up to a NULL, behind @input. */
GeglNode *graph_source (GeglNode *graph, GeglBuffer *buffer);
GeglNode *graph_node (GeglNode *graph, GeglNode *input, const char *operation, ...) G_GNUC_NULL_TERMINATED;

/* The pixels of @rect (NULL: all of it) of @node in @format, in one piece (g_free). */
gpointer graph_render (GeglNode *node, const GeglRectangle *rect, const char *format);
/* The same in pieces of @size x @size pixels, each rendered on its own; floats of @channels. */
float *graph_render_parts (GeglNode *node, const char *format, guint channels, gint size);

/* Counts transfers since the last call of graph_forget(). */
void graph_forget (void);
guint64 graph_count (const char *name); /* "upload", "download", "copy" */
guint64 graph_bytes (const char *name);

/* What is in the property `error` (g_free). */
char *graph_error (GeglNode *node);

/* The window of a Gaussian, as the module samples it (g_free). */
double *graph_gaussian (double sigma, double truncate, int *radius);

G_END_DECLS
