/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Png-read: the numbers in PNG files. */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* A CapraSampleReader: samples as they are stored, 1 to 16 bits. A palette gives its indices; gamma, profiles and a
 * transparent color change nothing. */
gboolean capra_png_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

G_END_DECLS
