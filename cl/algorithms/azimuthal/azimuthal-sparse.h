/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix of an azimuthal integration on the host: its construction. Private. */
#pragma once

#include "algorithms/azimuthal/azimuthal-geometry.h"

G_BEGIN_DECLS

/* Compressed rows: row r has the entries from starts[r] to starts[r + 1] - 1, by ascending pixel. Row
 * azimuthal · radial bins + radial. */
typedef struct {
  AzimuthalAxis radial, azimuthal;
  guint32 n_rows, n_entries;
  guint32 *starts, *pixels;
  float *coefficients; /* NULL if all are 1 */
} CapraSparse;

/* @range: (nullable): the coordinates of all pixels of the frame; NULL for those of the part. @pixels: for each pixel
 * of the part, whether it is left out (PIXEL_MASKED, PIXEL_REJECTED). */
gboolean capra_sparse_build (CapraSparse *matrix, const CapraAzimuthalSettings *settings,
                             const CapraAzimuthalPart *part, const CapraAzimuthalRange *range, const guint8 *pixels,
                             GError **error);

/* Adds the coordinates of the part's pixels to @range. */
void capra_sparse_extend_range (CapraAzimuthalRange *range, const CapraAzimuthalSettings *settings,
                                const CapraAzimuthalPart *part, const guint8 *pixels);

void capra_sparse_clear (CapraSparse *matrix);

/* Whether a matrix can have that many entries; FALSE with @error set if not. */
gboolean capra_sparse_check_size (guint64 n_entries, GError **error);

/* Calls @run for each of the strips of @n rows, from @first to @end - 1, on all processors; returns when all are done.
 */
typedef void (*CapraStripFunc) (guint strip, guint first, guint end, gpointer data);
guint capra_strips_count (guint n);
void capra_strips_run (guint n, CapraStripFunc run, gpointer data);

G_END_DECLS
