/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Frame load: a frame of an HDF5 file as an array on a device. */
#pragma once

#include "formats/hdf5/hdf5-frames.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* Frame @frame as f32. What is stored plain or with bitshuffle and LZ4 is uploaded as it is in the file, and decoded on
 * the device; libhdf5 decodes everything else. Integers above 2^24 are rounded to the nearest float. */
CapraArray *capra_frame_load (CapraHdf5Frames *frames, guint64 frame, CapraDevice *device, GError **error);

G_END_DECLS
