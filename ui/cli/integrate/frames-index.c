/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that the device can decode, or that are not compressed, are read at their offsets in the file. The HDF5
 * library reads all others. */
#include "ui/cli/integrate/frames-index.h"

#include <gio/gio.h>

/* A frame that is not in the file is an error when its turn comes. */
static void
read_chunks (FramesIndex *index)
{
  gsize decoded = (gsize) index->width * index->height * index->element;

  index->chunks = g_new0 (CapraHdf5Chunk, index->n);
  for (guint i = 0; i < index->n; i++)
    {
      CapraHdf5Chunk *chunk = &index->chunks[i];

      if (!capra_hdf5_frames_get_chunk (index->frames, i, chunk, NULL))
        *chunk = (CapraHdf5Chunk){ .encoding = CAPRA_HDF5_MISSING };
      if (index->floats && chunk->encoding != CAPRA_HDF5_MISSING)
        chunk->encoding = CAPRA_HDF5_OTHER;
      if (chunk->encoding == CAPRA_HDF5_OTHER)
        chunk->length = decoded;
      if (chunk->encoding == CAPRA_HDF5_BITSHUFFLE_PLANES)
        index->block = chunk->block;
    }
}

/* The numbers that the device gets. */
static void
set_numbers (FramesIndex *index, const CapraHdf5Shape *shape, CapraDevice *device)
{
  index->floats = shape->is_float && shape->element == 8 && !capra_device_get_info (device)->doubles;
  index->type = shape->type;
  index->element = index->floats ? sizeof (float) : shape->element;
  index->kind = shape->is_float    ? CAPRA_BITSHUFFLE_FLOAT
                : shape->is_signed ? CAPRA_BITSHUFFLE_SIGNED
                                   : CAPRA_BITSHUFFLE_UNSIGNED;
}

FramesIndex *
frames_index_open (const char *path, const char *data_set, CapraDevice *device, GError **error)
{
  g_autoptr (FramesIndex) index = g_new0 (FramesIndex, 1);
  const CapraHdf5Shape *shape = NULL;

  index->path = g_strdup (path);
  index->frames = capra_hdf5_frames_open (path, data_set, error);
  if (!index->frames)
    return NULL;
  shape = capra_hdf5_frames_get_shape (index->frames);
  index->data_set = capra_hdf5_frames_get_dataset (index->frames);
  if (shape->frames < 1 || shape->frames > G_MAXINT32 || shape->width > G_MAXINT32 || shape->height > G_MAXINT32)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   "%s, %s: %" G_GUINT64_FORMAT " frames of %zu x %zu pixels are not supported", path, index->data_set,
                   shape->frames, shape->width, shape->height);
      return NULL;
    }
  index->n = (guint) shape->frames;
  index->width = (guint) shape->width;
  index->height = (guint) shape->height;
  set_numbers (index, shape, device);
  read_chunks (index);
  return g_steal_pointer (&index);
}

void
frames_index_free (FramesIndex *index)
{
  g_clear_pointer (&index->frames, capra_hdf5_frames_close);
  g_free (index->chunks);
  g_free (index->path);
  g_free (index);
}

CapraBitshuffleCoding
frames_index_get_coding (const FramesIndex *index, guint i)
{
  switch (index->chunks[i].encoding)
    {
    case CAPRA_HDF5_BITSHUFFLE_LZ4: return CAPRA_BITSHUFFLE_LZ4;
    case CAPRA_HDF5_BITSHUFFLE_PLANES: return CAPRA_BITSHUFFLE_PLANES;
    case CAPRA_HDF5_MISSING: return CAPRA_BITSHUFFLE_MISSING;
    default: return CAPRA_BITSHUFFLE_RAW;
    }
}

/* Sets the reason why a frame has no values. */
static void
set_missing (const FramesIndex *index, guint i, GError **error)
{
  CapraHdf5Chunk chunk;

  if (capra_hdf5_frames_get_chunk (index->frames, i, &chunk, error))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "it was never written");
}

gboolean
frames_index_read (const FramesIndex *index, guint i, gpointer to, GError **error)
{
  const CapraHdf5Chunk *chunk = &index->chunks[i];

  switch (chunk->encoding)
    {
    case CAPRA_HDF5_MISSING: set_missing (index, i, error); return FALSE;
    case CAPRA_HDF5_OTHER:
      return index->floats ? capra_hdf5_frames_read_floats (index->frames, i, to, error)
                           : capra_hdf5_frames_read (index->frames, i, to, error);
    default: return capra_hdf5_chunk_read (chunk, to, chunk->length, error);
    }
}
