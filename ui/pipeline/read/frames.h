/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: the pages of TIFF files, the frames of HDF5 data sets and the planes of FITS files, one by one. */
#pragma once

#include "ui/pipeline/read/image-file.h"

G_BEGIN_DECLS

/**
 * CapraFrame:
 * @path: the file
 * @dataset: (nullable): of an HDF5 file; without it, the one that capra:hdf5-load selects
 * @index: from 0
 */
typedef struct {
  const char *path, *dataset;
  gint64 index;
} CapraFrame;

/* The number of frames: 1 for a file of another format. 0 with @error set if the file cannot be read. */
guint64 capra_frames_count (const char *path, const char *dataset, GError **error);

/* Whether files with these first bytes contain frames. */
gboolean capra_frames_has (const char *path);

/**
 * capra_frames_load:
 * @raw: whether raw values are loaded, see capra_raw_values_load()
 * @on_size: (nullable): see capra_image_load_sized()
 *
 * Returns: (transfer full) (nullable): the frame, or %NULL with @error set
 */
CapraImage *capra_frames_load (const CapraFrame *frame, gboolean raw, CapraImageSizeFunc on_size, gpointer data,
                               GError **error);

G_END_DECLS
