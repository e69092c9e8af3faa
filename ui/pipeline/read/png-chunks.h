/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-chunks: checks the chunks of a PNG without decoding it, and finds the pipeline that Capra stored in it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keyword of the text chunk that holds the pipeline as XML. */
#define CAPRA_PNG_GRAPH "capra:graph"

/* Whether the file at @path is a regular file with the signature of PNG. */
gboolean capra_png_is (const char *path);

/**
 * capra_png_check:
 * @graph: (out) (nullable): the text of the chunk CAPRA_PNG_GRAPH
 *
 * Returns: FALSE with @error set if the file is not a PNG, damaged or incomplete
 */
gboolean capra_png_check (const char *path, char **graph, GError **error);

/* The number of pixels per meter along x and y. FALSE if the file does not say. */
gboolean capra_png_read_resolution (const char *path, double per_meter[2]);

/* (nullable): the text of the first chunk iTXt with @keyword, without compression (g_free). */
char *capra_png_find_text (const char *path, const char *keyword);

G_END_DECLS
