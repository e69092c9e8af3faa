/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Save-private: what the writers of formats share.
 *
 * A writer is one function in a file write-FORMAT.c and one row of the table in save.c. It
 * - asks capra_saving_render() or capra_saving_render_labels() for rows, from the top, a band at a time,
 * - writes them with capra_output_file_write() (through its library's callback, or the descriptor), and
 * - returns FALSE with the error set as soon as either fails, with its library's memory freed.
 * It does not open, name, sync or remove files, show progress or look at the cancellable: save.c,
 * capra_output_file_commit() and the two functions do that. A library that can only write to a path by itself
 * goes through write-gegl.c's copy in memory. */
#pragma once

#include "ui/pipeline/write/output-file.h"
#include "ui/pipeline/write/save.h"

G_BEGIN_DECLS

/**
 * CapraSaving:
 * @bounds: of the result; @bounds.x and @bounds.y may be negative
 * @operation: (nullable): GEGL's saver, for capra_write_by_gegl()
 */
typedef struct {
  CapraGraph *graph;
  GPtrArray *steps;
  int bits;
  GeglRectangle bounds;
  const char *operation;
  CapraSaveProgress *progress;
  GCancellable *cancellable;
} CapraSaving;

typedef gboolean (*CapraWriter) (CapraSaving *saving, CapraOutputFile *file, GError **error);

/* @fraction: 0 to 1; for writers that do not use capra_saving_render(). */
void capra_saving_set_progress (CapraSaving *saving, double fraction);

/* How many rows of @row_bytes make a good band: what lies around a band is computed, too. */
int capra_saving_choose_rows (CapraSaving *saving, gsize row_bytes);

/**
 * capra_saving_render:
 * @y: the first row, counted from the top of the bounds
 * @stride: bytes from row to row, or GEGL_AUTO_ROWSTRIDE
 *
 * Computes rows of the result and moves the progress on.
 *
 * Returns: FALSE with @error set if an operation failed, or the saving was cancelled
 */
gboolean capra_saving_render (CapraSaving *saving, int y, int rows, const Babl *format, gpointer pixels, int stride,
                              GError **error);

/* As capra_saving_render(), the numbers of a result of capra_format_is_labels() in 16 bits. FALSE also if one of
 * them does not fit. */
gboolean capra_saving_render_labels (CapraSaving *saving, int y, int rows, guint16 *numbers, GError **error);

/* Sets @error for a format that cannot hold the result; returns FALSE. */
gboolean capra_saving_refuse (GError **error, const char *message);

gboolean capra_write_png (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_jpeg (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_ppm (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_pgm (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_hdr (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_buffer (CapraSaving *saving, CapraOutputFile *file, GError **error);
/* Of graphs that work on numbers. */
gboolean capra_write_raw_png (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_raw_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_raw_npy (CapraSaving *saving, CapraOutputFile *file, GError **error);
gboolean capra_write_by_gegl (CapraSaving *saving, CapraOutputFile *file, GError **error);

G_END_DECLS
