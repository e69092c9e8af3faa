/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Npy-writer: writes arrays in the format of NumPy (.npy). */
#pragma once

#include "ui/pipeline/samples.h"
#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

/* Writes an array in row order and the machine's byte order, of 2 dimensions if there is one channel. FALSE with @error
 * set on failure. */
gboolean capra_npy_write (CapraOutputFile *file, const CapraSampleLayout *layout, CapraSampleRows rows, gpointer data,
                          GError **error);

G_END_DECLS
