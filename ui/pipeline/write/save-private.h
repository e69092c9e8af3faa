/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save-private: shared by the writers of file formats.
 *
 * A writer is a function in write-FORMAT.c and a row of the table in save.c. It
 * - gets rows from capra_saving_render() or capra_saving_render_labels(), from top to bottom, a band at a time,
 * - writes them with capra_output_file_write(), from the callback of its library or through the descriptor, and
 * - frees the memory of its library and returns FALSE with the error set if either fails.
 * It does not open, name, sync or remove files, report progress or check the cancellable: save.c,
 * capra_output_file_commit() and the two functions do that. A library that can only write to a path is used through
 * write-gegl.c, which copies its output from memory. */
#pragma once

#include "capra.h"
#include "ui/pipeline/write/output-file.h"
#include "ui/pipeline/write/save.h"

G_BEGIN_DECLS

/**
 * CapraSaving:
 * @bounds: of the result; its position can be negative
 * @operation: (nullable): the saver for capra_write_by_gegl()
 * @colors: labels are written as they are displayed
 * @scope: what devices do to render the file
 * @started: when that began, in monotonic time
 */
typedef struct {
  CapraGraph *graph;
  GPtrArray *steps;
  int bits;
  GeglRectangle bounds;
  const char *operation;
  gboolean colors;
  CapraTimelineScope *scope;
  gint64 started;
  CapraSaveProgress *progress;
  GCancellable *cancellable;
} CapraSaving;

typedef gboolean (*CapraWriter) (CapraSaving *saving, CapraOutputFile *file, GError **error);

/* @fraction: 0 to 1. For writers that do not use capra_saving_render(). */
void capra_saving_set_progress (CapraSaving *saving, double fraction);

/* The number of rows per band. Small bands recompute more of their surroundings. */
int capra_saving_choose_rows (CapraSaving *saving, gsize row_bytes);

/* Announces that the writer renders all rows in @format, so that the device converts them, not the host. The values may
 * differ from the host's in the last place. Before the first row is rendered. Ends with the file. */
void capra_saving_set_format (CapraSaving *saving, const Babl *format);

/**
 * capra_saving_render:
 * @y: the first row, counted from the top of the bounds
 * @stride: bytes per row, or GEGL_AUTO_ROWSTRIDE
 *
 * Renders rows of the result and updates the progress. Labels become colors in formats other than theirs.
 *
 * Returns: FALSE with @error set if an operation failed, or the saving was canceled
 */
gboolean capra_saving_render (CapraSaving *saving, int y, int rows, const Babl *format, gpointer pixels, int stride,
                              GError **error);

/* Renders labels (see capra_format_is_labels()) in 16 bits. FALSE with @error set also if a label is above 65535. */
gboolean capra_saving_render_labels (CapraSaving *saving, int y, int rows, guint16 *labels, GError **error);

/* Sets @error and returns FALSE. */
gboolean capra_saving_refuse (GError **error, const char *message);

gboolean capra_write_png (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_jpeg (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_ppm (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_pgm (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_hdr (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_buffer (CapraSaving *saving, CapraOutputFile *file, GError **error);
/* For raw values. */
gboolean capra_write_raw_png (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_raw_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_raw_npy (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_by_gegl (CapraSaving *saving, CapraOutputFile *file, GError **error);

G_END_DECLS
