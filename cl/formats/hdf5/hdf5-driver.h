/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5 driver: how libhdf5 reads files here. Not installed.
 *
 * The driver opens regular files only, for reading and without locks. While a recorder is set in the transfer
 * properties of a call, the driver reads no values, but records where they are: H5Dread_chunk() then finds a chunk in
 * 2 us, while H5Dget_chunk_info() walks through the whole index each time. */
#pragma once

#include <hdf5.h>

#include "formats/format-error.h"

G_BEGIN_DECLS

/**
 * CapraHdf5Recorder:
 * @path: of the file from which values would have been read; NULL if none were read
 * @descriptor: of the same file
 * @offset: of the values
 * @length: in bytes
 * @file_size: of the file
 * @count: how many times values would have been read
 */
typedef struct {
  const char *path;
  int descriptor;
  guint64 offset, length, file_size;
  guint count;
} CapraHdf5Recorder;

/* New access properties for files that use the driver; negative on failure. Close with H5Pclose(). */
hid_t capra_hdf5_driver_new_access (void);

/* New transfer properties with @recorder, which must exist as long. Close with H5Pclose(). */
hid_t capra_hdf5_driver_new_recording (CapraHdf5Recorder *recorder);

G_END_DECLS
