/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: frames of a data set in an HDF5 file, and where their chunks are. */
#pragma once

#include "formats/format-error.h"
#include "runtime/memory/array-types.h"

G_BEGIN_DECLS

/**
 * CapraHdf5Encoding:
 * @CAPRA_HDF5_PLAIN: the values as they are, the lowest byte first
 * @CAPRA_HDF5_BITSHUFFLE_LZ4: the filter 32008 with LZ4; the chunk has a header
 * @CAPRA_HDF5_BITSHUFFLE_PLANES: the filter 32008 without compression
 * @CAPRA_HDF5_MISSING: the frame was never written, and has the fill value
 * @CAPRA_HDF5_OTHER: any other filters, values that must be converted, or a frame that is not in one piece
 *
 * How a frame is stored. capra_hdf5_frames_read() reads them all.
 */
typedef enum {
  CAPRA_HDF5_PLAIN,
  CAPRA_HDF5_BITSHUFFLE_LZ4,
  CAPRA_HDF5_BITSHUFFLE_PLANES,
  CAPRA_HDF5_MISSING,
  CAPRA_HDF5_OTHER,
} CapraHdf5Encoding;

/**
 * CapraHdf5Shape:
 * @width: pixels of a row
 * @height: rows of a frame
 * @frames: the number of frames: the product of all axes before the last two
 * @type: the type of arrays for the values: the stored type, or f32 if values have 64 bits
 * @element: the bytes of a value, as capra_hdf5_frames_read() returns it: 1, 2, 4 or 8
 * @is_signed: whether it is a signed integer
 * @is_float: whether it is a floating-point number
 */
typedef struct {
  gsize width, height;
  guint64 frames;
  CapraType type;
  guint element;
  gboolean is_signed, is_float;
} CapraHdf5Shape;

/**
 * CapraHdf5Chunk:
 * @path: the file that contains the chunk; valid while the frames are open
 * @descriptor: the same file, open for reading
 * @offset: where the chunk begins in the file
 * @length: its bytes
 * @encoding: how it is encoded; without a position for #CAPRA_HDF5_MISSING and #CAPRA_HDF5_OTHER
 * @block: values of a block for #CAPRA_HDF5_BITSHUFFLE_PLANES; 0 for the default
 *
 * The encoded frame. @offset + @length is not beyond the end of the file at the time of the call. Only pread() may be
 * used with @descriptor, in any thread.
 */
typedef struct {
  const char *path;
  int descriptor;
  guint64 offset, length;
  CapraHdf5Encoding encoding;
  guint block;
} CapraHdf5Chunk;

/**
 * CapraHdf5Frames:
 *
 * The frames of one data set, or of several that belong together: the files of an Eiger detector, or the sources of a
 * virtual data set. All functions may be called from any thread; they wait for each other, since libhdf5 does.
 */
typedef struct _CapraHdf5Frames CapraHdf5Frames;

/**
 * capra_hdf5_is_supported:
 *
 * Returns: whether this build can read HDF5 files; capra_hdf5_frames_open() fails otherwise
 */
CAPRA_API
gboolean capra_hdf5_is_supported (void);

/**
 * capra_hdf5_lock:
 *
 * Programs that call libhdf5 themselves do so between this and capra_hdf5_unlock(): most builds of libhdf5 may be
 * called from one thread at a time.
 */
CAPRA_API
void capra_hdf5_lock (void);
CAPRA_API
void capra_hdf5_unlock (void);

/**
 * capra_hdf5_list_datasets:
 * @path: a regular file
 *
 * Returns: (transfer full): the data sets with images, if there are several, otherwise none: first the one that
 *   capra_hdf5_frames_open() finds itself, or the group of those that it finds, if it does; then those with frames,
 *   and those of a single image
 */
CAPRA_API
char **capra_hdf5_list_datasets (const char *path);

/**
 * capra_hdf5_frames_open:
 * @path: a regular file
 * @dataset: a data set or a group in it; "" to find the images by the attributes of NeXus (default, NX_class, signal),
 *   or else the only data set with images
 *
 * The last two axes of a data set are the rows and columns of a frame. If a group contains data_000001, data_000002 and
 * so on, as the master files of Eiger detectors do, the frames of all of them follow each other. Links to other files
 * and virtual data sets are followed.
 *
 * Returns: (transfer full): frames, or %NULL with @error set
 */
CAPRA_API
CapraHdf5Frames *capra_hdf5_frames_open (const char *path, const char *dataset, GError **error);
CAPRA_API
void capra_hdf5_frames_close (CapraHdf5Frames *frames);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraHdf5Frames, capra_hdf5_frames_close)

CAPRA_API
const CapraHdf5Shape *capra_hdf5_frames_get_shape (CapraHdf5Frames *frames);

/**
 * capra_hdf5_frames_get_dataset:
 *
 * Returns: the path of the data set in the file, such as "/entry/data/data"
 */
CAPRA_API
const char *capra_hdf5_frames_get_dataset (CapraHdf5Frames *frames);

/**
 * capra_hdf5_frames_check:
 * @frame: the number of a frame from 0; -1 for the only frame
 *
 * Returns: the number of the frame; -1 with @error set if it is not below the number of frames, or if @frame is
 *   -1 and the data set has several
 */
CAPRA_API
gint64 capra_hdf5_frames_check (CapraHdf5Frames *frames, gint64 frame, GError **error);

/**
 * capra_hdf5_frames_get_chunk:
 * @chunk: (out): where and how the values of the frame are stored
 *
 * Finds the encoded values of a frame without reading them, in about 2 us.
 *
 * Returns: %FALSE with @error set if the file is damaged
 */
CAPRA_API
gboolean capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, GError **error);

/**
 * capra_hdf5_chunk_read:
 * @data: (out caller-allocates): room for @bytes
 * @bytes: how many, up to the length of the chunk
 *
 * Reads the encoded values past libhdf5, so that several threads can read at the same time.
 */
CAPRA_API
gboolean capra_hdf5_chunk_read (const CapraHdf5Chunk *chunk, gpointer data, gsize bytes, GError **error);

/**
 * capra_hdf5_frames_read:
 * @data: (out caller-allocates): room for width x height values, of element bytes each
 *
 * Reads a frame through libhdf5, which decodes it on the CPU. It loads filters other than its own from its folder of
 * plug-ins (HDF5_PLUGIN_PATH).
 */
CAPRA_API
gboolean capra_hdf5_frames_read (CapraHdf5Frames *frames, guint64 frame, gpointer data, GError **error);

/**
 * capra_hdf5_frames_read_floats:
 * @pixels: (out caller-allocates): room for width x height values
 *
 * As capra_hdf5_frames_read(), with the values as floats: integers above 2^24 and numbers of 64 bits are rounded to the
 * nearest float; what is above 3.4e38 becomes infinite.
 */
CAPRA_API
gboolean capra_hdf5_frames_read_floats (CapraHdf5Frames *frames, guint64 frame, float *pixels, GError **error);

G_END_DECLS
