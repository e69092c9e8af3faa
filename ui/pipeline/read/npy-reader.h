/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Npy-reader: reads arrays in the format of NumPy (.npy, versions 1 to 3). */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* A CapraSampleReader for arrays of 2 dimensions, or of 3 of which the last is 1 to 4; in row or column order, in any
 * byte order; of integers, floats or booleans (0 and 1). */
gboolean capra_npy_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

G_END_DECLS
