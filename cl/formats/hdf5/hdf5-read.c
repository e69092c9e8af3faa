/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: finds the chunks of frames, and reads frames. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "formats/hdf5/hdf5-private.h"
#include "formats/source-file.h"

/* The segment with @frame, which exists. */
static const CapraHdf5Segment *
find_segment (CapraHdf5Frames *frames, guint64 frame)
{
  guint low = 0, high = frames->segments->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (frames->segments, CapraHdf5Segment, middle).first <= frame)
        low = middle;
      else
        high = middle;
    }
  return &g_array_index (frames->segments, CapraHdf5Segment, low);
}

static guint64
get_frame_bytes (const CapraHdf5Shape *shape)
{
  return (guint64) shape->width * shape->height * shape->element;
}

static gboolean
fail_damaged (CapraHdf5Frames *frames, guint64 frame, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
               _ ("%s: the values of frame %" PRIu64 " are not in the file"), frames->path, frame);
  return FALSE;
}

/* Whether a chunk was never written. */
static gboolean
is_missing (const CapraHdf5Segment *segment, const hsize_t *offset)
{
  unsigned mask = 0;
  haddr_t address = 0;
  hsize_t bytes = 0;

  return H5Dget_chunk_info_by_coord (segment->dataset, offset, &mask, &address, &bytes) >= 0 && address == HADDR_UNDEF;
}

/* Describes the chunk of a frame. */
static gboolean
find_chunk (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, CapraHdf5Chunk *chunk,
            GError **error)
{
  CapraHdf5Recorder *recorder = &frames->recorder;
  hsize_t offset[H5S_MAX_RANK];
  guint8 unused = 0;
  guint32 skipped = 0;

  *recorder = (CapraHdf5Recorder){ 0 };
  capra_hdf5_segment_locate (segment, frame - segment->first + segment->source, offset);
  if (H5Dread_chunk (segment->dataset, frames->recording, offset, &skipped, &unused) < 0)
    {
      if (recorder->count > 0 || !is_missing (segment, offset))
        return fail_damaged (frames, frame, error);
      chunk->encoding = CAPRA_HDF5_MISSING;
      return TRUE;
    }
  if (recorder->count != 1 || recorder->length > recorder->file_size
      || recorder->offset > recorder->file_size - recorder->length)
    return fail_damaged (frames, frame, error);
  *chunk = (CapraHdf5Chunk){ .path = recorder->path,
                             .descriptor = recorder->descriptor,
                             .offset = recorder->offset,
                             .length = recorder->length,
                             .encoding = skipped ? segment->skipped : segment->encoding,
                             .block = segment->block };
  return TRUE;
}

/* Sets the place of a frame in a data set without chunks, from that of its first value. */
static gboolean
find_contiguous (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, CapraHdf5Chunk *chunk,
                 GError **error)
{
  guint64 bytes = get_frame_bytes (&frames->shape), index = frame - segment->first + segment->source;
  CapraHdf5Recorder *recorder = &frames->recorder;
  hsize_t offset[H5S_MAX_RANK], one[H5S_MAX_RANK];
  hid_t file_space = H5Dget_space (segment->dataset), memory = H5Screate_simple (1, (hsize_t[]){ 1 }, NULL);
  hid_t type = H5Dget_type (segment->dataset);
  guint64 value = 0;
  gboolean found = FALSE;

  *recorder = (CapraHdf5Recorder){ 0 };
  capra_hdf5_segment_locate (segment, index, offset);
  for (int i = 0; i < segment->rank; i++)
    one[i] = 1;
  H5Sselect_hyperslab (file_space, H5S_SELECT_SET, offset, NULL, one, NULL);
  found = H5Dread (segment->dataset, type, memory, file_space, frames->recording, &value) >= 0 && recorder->count == 1;
  H5Tclose (type);
  H5Sclose (memory);
  H5Sclose (file_space);
  *chunk = (CapraHdf5Chunk){ .path = recorder->path,
                             .descriptor = recorder->descriptor,
                             .offset = recorder->offset,
                             .length = bytes,
                             .encoding = CAPRA_HDF5_PLAIN };
  if (!found || bytes > recorder->file_size || recorder->offset > recorder->file_size - bytes)
    return fail_damaged (frames, frame, error);
  return TRUE;
}

gboolean
capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, GError **error)
{
  const CapraHdf5Segment *segment = find_segment (frames, frame);
  gboolean good = TRUE;
  CapraHdf5Saved saved;

  g_return_val_if_fail (frame < frames->shape.frames, FALSE);

  *chunk = (CapraHdf5Chunk){ .descriptor = -1, .encoding = CAPRA_HDF5_OTHER };
  if (!segment->one_frame && !segment->contiguous)
    return TRUE;
  capra_hdf5_enter (&saved);
  good = segment->one_frame ? find_chunk (frames, segment, frame, chunk, error)
                            : find_contiguous (frames, segment, frame, chunk, error);
  capra_hdf5_leave (&saved);
  if (good && (chunk->encoding == CAPRA_HDF5_PLAIN || chunk->encoding == CAPRA_HDF5_BITSHUFFLE_PLANES)
      && chunk->length != get_frame_bytes (&frames->shape))
    return fail_damaged (frames, frame, error);
  return good;
}

gboolean
capra_hdf5_chunk_read (const CapraHdf5Chunk *chunk, gpointer data, gsize bytes, GError **error)
{
  g_return_val_if_fail (bytes <= chunk->length, FALSE);

  return capra_source_file_read_descriptor (chunk->descriptor, chunk->path, chunk->offset, data, bytes, error);
}

/* The type of the values that capra_hdf5_frames_read() returns. The library's lock is held. */
static hid_t
get_memory_type (const CapraHdf5Shape *shape)
{
  switch (shape->element)
    {
    case 1: return shape->is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2: return shape->is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4: return shape->is_float ? H5T_NATIVE_FLOAT : shape->is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    default: return shape->is_float ? H5T_NATIVE_DOUBLE : shape->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    }
}

static void
set_read_error (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, GError **error)
{
  int filter = capra_hdf5_segment_get_missing_filter (segment);
  g_autofree char *doing = g_strdup_printf (_ ("cannot read frame %" PRIu64), frame);

  if (filter == 0)
    capra_hdf5_set_error (frames->path, doing, error);
  else
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                 _ ("%s: %s: libhdf5 lacks the filter %d; install its plug-in (such as the package hdf5-plugin-lzf or "
                    "bitshuffle of Debian), or set HDF5_PLUGIN_PATH"),
                 frames->path, doing, filter);
}

/* @floats: whether @data are floats, and not of the frames' own type */
static gboolean
read_as (CapraHdf5Frames *frames, guint64 frame, gboolean floats, gpointer data, GError **error)
{
  const CapraHdf5Segment *segment = find_segment (frames, frame);
  hsize_t offset[H5S_MAX_RANK], count[H5S_MAX_RANK];
  hid_t file_space, memory;
  herr_t status = -1;
  CapraHdf5Saved saved;

  capra_hdf5_enter (&saved);
  capra_hdf5_segment_locate (segment, frame - segment->first + segment->source, offset);
  for (int i = 0; i < segment->rank; i++)
    count[i] = i < segment->rank - 2 ? 1 : segment->dims[i];
  file_space = H5Dget_space (segment->dataset);
  memory = H5Screate_simple (2, count + segment->rank - 2, NULL);
  if (H5Sselect_hyperslab (file_space, H5S_SELECT_SET, offset, NULL, count, NULL) >= 0)
    status = H5Dread (segment->dataset, floats ? H5T_NATIVE_FLOAT : get_memory_type (&frames->shape), memory,
                      file_space, H5P_DEFAULT, data);
  if (status < 0)
    set_read_error (frames, segment, frame, error);
  H5Sclose (memory);
  H5Sclose (file_space);
  capra_hdf5_leave (&saved);
  return status >= 0;
}

gboolean
capra_hdf5_frames_read (CapraHdf5Frames *frames, guint64 frame, gpointer data, GError **error)
{
  g_return_val_if_fail (frame < frames->shape.frames, FALSE);

  return read_as (frames, frame, FALSE, data, error);
}

gboolean
capra_hdf5_frames_read_floats (CapraHdf5Frames *frames, guint64 frame, float *pixels, GError **error)
{
  g_return_val_if_fail (frame < frames->shape.frames, FALSE);

  return read_as (frames, frame, TRUE, pixels, error);
}
