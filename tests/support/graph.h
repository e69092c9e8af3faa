/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of the GEGL module: small graphs over buffers with known values. */
#pragma once

#include <gegl.h>

#include "tests/support/support-filter.h"

G_BEGIN_DECLS

/* Initializes GEGL with Capra's module; to be called once, after g_test_init(). */
void graph_init (int *argc, char ***argv);

/* A buffer of @rect with @values in @format ("Y float"), row by row. */
GeglBuffer *graph_buffer (const char *format, const GeglRectangle *rect, gconstpointer values);

/* Add nodes to @graph: a source of @buffer; an operation with properties, ended by NULL, connected to @input. */
GeglNode *graph_source (GeglNode *graph, GeglBuffer *buffer);

/* A buffer of noise as the source of a graph. */
typedef struct {
  float *values; /* row by row */
  GeglBuffer *buffer;
  GeglNode *graph, *source;
} GraphScene;

/* Noise from @low to 1, one channel. */
void graph_scene_init (GraphScene *scene, const GeglRectangle *rect, double low);
void graph_scene_clear (GraphScene *scene);

/* Invalidates what was computed from the buffer. */
void graph_touch (GeglBuffer *buffer);
GeglNode *graph_node (GeglNode *graph, GeglNode *input, const char *operation, ...) G_GNUC_NULL_TERMINATED;

/* The nodes of @chain, as the program `gegl` reads it, after @input. Those with a property "device" use @device
 * (support_device_name()). Returns the last node. */
GeglNode *graph_chain (GeglNode *input, const char *chain, const char *device);

/* The pixels of @rect of @node (all of it if NULL) in @format, rendered at once. Free with g_free(). */
gpointer graph_render (GeglNode *node, const GeglRectangle *rect, const char *format);
/* The same as floats with @channels, rendered in chunks of @size x @size pixels. */
float *graph_render_parts (GeglNode *node, const char *format, guint channels, gint size);

/* The pixels of @source behind an operation of Capra that does not change them. */
GeglBuffer *graph_copy (GeglBuffer *source);

/* Transfers since the last call of graph_forget(): number and bytes. @name: "upload", "download" or "copy" */
void graph_forget (void);
guint64 graph_count (const char *name);
guint64 graph_bytes (const char *name);

/* Adds a test with the path @folder followed by @name, which calls @func with GUINT_TO_POINTER (@index). */
void graph_add_case (const char *folder, const char *name, guint index, GTestDataFunc func);

/* The property "error" of @node. Free with g_free(). */
char *graph_error (GeglNode *node);

/* The weights of a Gaussian as the module samples it. Free with g_free(). */
double *graph_gaussian (double sigma, double truncate, int *radius);

G_END_DECLS
