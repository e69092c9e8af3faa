/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiff-reader: reads the samples of TIFF files. */
#pragma once

#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/* A CapraSampleReader for one page: samples as stored, of 1 to 16, 32 or 64 bits, signed, unsigned or float, in
 * any layout and compression that libtiff reads. A palette image gives its indices. Profiles, "white is zero" and the
 * orientation are ignored. */
gboolean capra_tiff_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

/* 0 with @error set if the file cannot be read. */
guint capra_tiff_count_pages (const char *path, GError **error);

/* The number of pixels of a page per meter along x and y, also in the unit that ImageJ writes. @page: from 1. FALSE if
 * the file does not say. */
gboolean capra_tiff_read_resolution (const char *path, guint page, double per_meter[2]);

G_END_DECLS
