/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-reader: reads the samples of PNG files. */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* A CapraSampleReader: samples as stored, of 1 to 16 bits. A palette image gives its indices. Gamma, profiles and the
 * transparent color are ignored. */
gboolean capra_png_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

G_END_DECLS
