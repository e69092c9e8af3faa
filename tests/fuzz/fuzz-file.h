/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz file: inputs of fuzz targets as files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Defined by each target. Always returns 0. */
int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* The path of a file in memory with these contents, which is replaced by the next call. Free with g_free(). */
char *fuzz_write_file (const guint8 *data, gsize size);

G_END_DECLS
