/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: frames of a data set in an HDF5 file, and where their chunks are. */
#pragma once

#include "formats/format-error.h"
#include "runtime/memory/array-types.h"

G_BEGIN_DECLS

/**
 * CapraHdf5Compression:
 * @CAPRA_HDF5_PLAIN: the values as they are, the lowest byte first
 * @CAPRA_HDF5_BITSHUFFLE: filter 32008
 * @CAPRA_HDF5_DEFLATE: zlib, and nothing else
 * @CAPRA_HDF5_OTHER: any other filters, or values that must be converted
 *
 * How a chunk is encoded.
 */
typedef enum {
  CAPRA_HDF5_PLAIN,
  CAPRA_HDF5_BITSHUFFLE,
  CAPRA_HDF5_DEFLATE,
  CAPRA_HDF5_OTHER,
} CapraHdf5Compression;

#define CAPRA_HDF5_MAX_PARAMETERS 8

/**
 * CapraHdf5Shape:
 * @width: pixels of a row
 * @height: rows of a frame
 * @frames: the number of frames: the product of all axes before the last two
 * @type: the type of the values that capra_hdf5_read_frame() returns: the stored type, or f32 if that has 64 bits or is
 *   a float of another size
 */
typedef struct {
  gsize width, height;
  guint64 frames;
  CapraType type;
} CapraHdf5Shape;

/**
 * CapraHdf5Chunk:
 * @path: the file that contains the chunk; valid while the frames are open
 * @descriptor: the same file, open for reading
 * @offset: where the chunk begins in the file
 * @length: its bytes; 0 for a frame that was never written and has the fill value
 * @filter_mask: not 0 if filters were skipped: bit i for filter i
 * @compression: how it is encoded
 * @parameters: of the bitshuffle filter: its version (two numbers), bytes of a value, values of a block or 0 for the
 *   default, and 0 (not compressed), 2 (LZ4) or 3 (zstd)
 * @n_parameters: how many parameters the file has; others are 0
 *
 * The encoded frame. @offset + @length is not beyond the end of the file at the time of the call. Only pread() may be
 * used with @descriptor, in any thread.
 */
typedef struct {
  const char *path;
  int descriptor;
  guint64 offset, length;
  guint32 filter_mask;
  CapraHdf5Compression compression;
  guint parameters[CAPRA_HDF5_MAX_PARAMETERS];
  guint n_parameters;
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
 * @chunk: (out): where the values of the frame are
 * @direct: (out): whether they are in one piece, so that @chunk was set; if not, for example if a chunk has several
 *   frames, capra_hdf5_frames_read() reads them
 *
 * Finds the encoded values of a frame without reading them, in about 2 us.
 *
 * Returns: %FALSE with @error set if the file is damaged
 */
CAPRA_API
gboolean capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, gboolean *direct,
                                      GError **error);

/**
 * capra_hdf5_frames_read:
 * @data: (out caller-allocates): room for width x height values of the type
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
 * As capra_hdf5_frames_read(), with the values as floats; integers above 2^24 are rounded to the nearest float.
 */
CAPRA_API
gboolean capra_hdf5_frames_read_floats (CapraHdf5Frames *frames, guint64 frame, float *pixels, GError **error);

G_END_DECLS
