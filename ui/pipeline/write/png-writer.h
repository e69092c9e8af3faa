/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-writer: writes PNG with libpng, with the pipeline, the devices and the timings as text. */
#pragma once

#include <gegl.h>
#include <gio/gio.h>

#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

/* Keywords of text chunks; see also CAPRA_PNG_GRAPH. */
#define CAPRA_PNG_DEVICE "capra:device"
#define CAPRA_PNG_TIMINGS "capra:timings"

/* Provides rows of the image. Returns FALSE with @error set to stop writing. */
typedef gboolean (*CapraPngRows) (int y, int rows, gpointer pixels, gpointer data, GError **error);

/* Returns: (transfer full) (element-type utf8 utf8): keywords and texts for the end of the file, after all rows */
typedef GHashTable *(*CapraPngEnd) (gpointer data);

/**
 * capra_png_write:
 * @channels: 1: gray, 2: gray and alpha, 3: RGB, 4: RGBA
 * @bits: 8 or 16; rows are in the machine's byte order
 * @srgb: whether to mark the colors as sRGB; raw values are not marked
 * @text: (element-type utf8 utf8): keywords and texts, written before the rows
 */
gboolean capra_png_write (CapraOutputFile *file, int width, int height, int channels, int bits, gboolean srgb,
                          GHashTable *text, CapraPngRows rows, CapraPngEnd end, gpointer data, GError **error);

G_END_DECLS
