/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: the pages of TIFF files, the frames of HDF5 data sets and of animations, and the planes of FITS files. */
#pragma once

#include "ui/pipeline/read/image-file.h"

G_BEGIN_DECLS

/**
 * CapraFrame:
 * @path: the file
 * @dataset: (nullable): of an HDF5 file; without it, the one that capra:hdf5-load selects
 * @device: (nullable): that decodes it, as for capra_device_select()
 * @index: from 0; negative for the first one of a file without others
 */
typedef struct {
  const char *path, *dataset, *device;
  gint64 index;
} CapraFrame;

/* The number of frames: 1 for a file of another format. 0 with @error set if the file cannot be read. */
guint64 capra_frames_count (const char *path, const char *dataset, GError **error);

/* Whether files with these first bytes contain frames. */
gboolean capra_frames_has (const char *path);

/* Whether capra_frames_load() must load it: it is one of several frames, or in a data set of an HDF5 file. */
gboolean capra_frames_is_chosen (const CapraFrame *frame);

/**
 * capra_frames_load:
 * @raw: whether raw values are loaded, see capra_raw_values_load()
 * @on_size: (nullable): see capra_image_load_sized()
 *
 * Returns: (transfer full) (nullable): the frame, or %NULL with @error set
 */
CapraImage *capra_frames_load (const CapraFrame *frame, gboolean raw, CapraImageSizeFunc on_size, gpointer data,
                               GError **error);

/**
 * capra_frames_load_async:
 * @frame: from 0
 *
 * As capra_frames_load() in a thread; finish with capra_frames_load_finish(). Sets the number of frames of the image.
 * Where a data set must be chosen and @dataset is %NULL, it is the first of the image's data sets.
 */
void capra_frames_load_async (GFile *file, const char *dataset, gint64 frame, gboolean raw, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data);
CapraImage *capra_frames_load_finish (GAsyncResult *result, GError **error);
/* The file that is or was loaded. */
GFile *capra_frames_load_get_file (GAsyncResult *result);

G_END_DECLS
