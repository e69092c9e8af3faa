/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Files with the sparse matrix of an azimuthal integration. Private.
 *
 * In the byte order of the machine: a header, the rows' starts, the pixels, the coefficients if not all are 1, and the
 * SHA-256 of all these. */
#pragma once

#include "algorithms/azimuthal/azimuthal-sparse.h"

G_BEGIN_DECLS

/* The SHA-256 of all that a matrix depends on, as 64 characters. @pixels: as for capra_sparse_build(). */
char *capra_sparse_make_key (const CapraAzimuthalSettings *settings, const guint8 *pixels);

/* Replaces the file atomically. Fails if it contains anything but a matrix, also a damaged one. */
gboolean capra_sparse_save (const CapraSparse *matrix, const char *key, const char *path, GError **error);

/* Reads a matrix for @settings from memory. FALSE if it has another key, or is damaged: then @matrix is empty. */
gboolean capra_sparse_parse (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const char *key,
                             gconstpointer data, gsize length);

/* The same from a file. */
gboolean capra_sparse_load (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const char *key,
                            const char *path);

G_END_DECLS
