/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiff-writer: writes TIFF with libtiff. */
#pragma once

#include <tiffio.h>

#include "ui/pipeline/samples.h"
#include "ui/pipeline/write/output-file.h"

G_BEGIN_DECLS

/**
 * CapraTiffLayout:
 * @bits: per sample
 * @format: SAMPLEFORMAT_…
 * @alpha: EXTRASAMPLE_… of the last channel; 0 without alpha
 * @profile: (nullable): an ICC profile of @profile_length bytes
 */
typedef struct {
  int width, height;
  guint16 channels, bits, format, photometric, alpha;
  const char *profile;
  int profile_length;
} CapraTiffLayout;

/* Writes an uncompressed file, for compatibility. FALSE with @error set on failure. */
gboolean capra_tiff_write (CapraOutputFile *file, const CapraTiffLayout *layout, CapraSampleRows rows, gpointer data,
                           GError **error);

G_END_DECLS
