/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Npy-file: arrays as NumPy saves them (.npy, versions 1 to 3 of the format). */
#pragma once

#include "ui/pipeline/samples.h"
#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

/* A CapraSampleReader: arrays of 2 dimensions, or 3 of which the last is 1 to 4; rows first or columns first,
 * any byte order; integers, floats, truth values (0 and 1). */
gboolean capra_npy_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

/* Writes rows first, in the machine's byte order; 2 dimensions for one channel. FALSE with @error set. */
gboolean capra_npy_write (CapraOutputFile *file, const CapraSampleLayout *layout, CapraSampleRows rows, gpointer data,
                          GError **error);

G_END_DECLS
