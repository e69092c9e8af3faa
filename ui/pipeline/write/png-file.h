/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-file: PNG through libpng, with the pipeline, the device and the timings in its text. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

#define CAPRA_PNG_GRAPH "capra:graph"
#define CAPRA_PNG_DEVICE "capra:device"
#define CAPRA_PNG_TIMINGS "capra:timings"

/* Whether the file at @path is a regular one that starts as a PNG does. */
gboolean capra_png_is (const char *path);

/**
 * capra_png_check:
 * @graph: (out) (nullable): the text that CAPRA_PNG_GRAPH names, %NULL if there is none
 *
 * Walks through the chunks without decoding.
 *
 * Returns: FALSE with @error set if the file is no PNG, is damaged, or ends too early
 */
gboolean capra_png_check (const char *path, char **graph, GError **error);

/* Gets rows of the image; FALSE with @error set ends the writing. */
typedef gboolean (*CapraPngRows) (int y, int rows, gpointer pixels, gpointer data, GError **error);

/* Tells what stands at the file's end, when all rows are there: keywords and texts (utf8, utf8). */
typedef GHashTable *(*CapraPngEnd) (gpointer data);

/**
 * capra_png_write:
 * @channels: 1 grey, 2 grey and alpha, 3 or 4 with colors
 * @bits: 8 or 16; rows are in the machine's byte order
 * @srgb: whether values are colors under sRGB's curve; else they are plain numbers
 * @text: (element-type utf8 utf8): keywords and texts that stand before the rows
 */
gboolean capra_png_write (CapraOutputFile *file, int width, int height, int channels, int bits, gboolean srgb,
                          GHashTable *text, CapraPngRows rows, CapraPngEnd end, gpointer data, GError **error);

G_END_DECLS
