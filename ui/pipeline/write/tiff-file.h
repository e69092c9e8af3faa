/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiff-file: TIFF through libtiff. */
#pragma once

#include <tiffio.h>

#include "ui/pipeline/samples.h"
#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

/* A CapraSampleReader: the samples of the first page as they are stored: 1 to 16, 32 and 64 bits, signed or not, and
 * floats; any layout and compression that libtiff reads. A palette gives its indices; a profile, "white is zero" and
 * the orientation change nothing. */
gboolean capra_tiff_read (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

/**
 * CapraTiffLayout:
 * @bits: of a sample; @format: SAMPLEFORMAT_…
 * @alpha: EXTRASAMPLE_… of the last channel; 0 without
 * @profile: (nullable): an ICC profile, of @profile_length bytes
 */
typedef struct {
  int width, height;
  guint16 channels, bits, format, photometric, alpha;
  const char *profile;
  int profile_length;
} CapraTiffLayout;

/* Writes a file, not compressed, so that any program can read it; FALSE with @error set. */
gboolean capra_tiff_write (CapraOutputFile *file, const CapraTiffLayout *layout, CapraSampleRows rows, gpointer data,
                           GError **error);

G_END_DECLS
