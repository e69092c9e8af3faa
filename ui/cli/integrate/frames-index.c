/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that the device can decode, or that are not compressed, are read at their offsets in the file. The HDF5
 * library reads all others. */
#include "ui/cli/integrate/frames-index.h"

#include <errno.h>
#include <gio/gio.h>
#include <unistd.h>

/* Parameters of the bitshuffle filter; see CapraHdf5Chunk. */
#define PARAMETER_ELEMENT 2
#define PARAMETER_BLOCK 3
#define PARAMETER_COMPRESSION 4
#define COMPRESSION_NONE 0
#define COMPRESSION_LZ4 2

/* What is read for a chunk; returns FALSE if the HDF5 library must decode it. */
static gboolean
is_direct (const FramesIndex *index, const CapraHdf5Chunk *chunk, CapraBitshuffleCoding *coding, guint *block)
{
  const guint *parameters = chunk->parameters;

  *coding = CAPRA_BITSHUFFLE_RAW;
  if (chunk->compression == CAPRA_HDF5_PLAIN)
    return TRUE;
  /* Values of 64 bits are decoded to another type. */
  if (chunk->compression != CAPRA_HDF5_BITSHUFFLE || parameters[PARAMETER_ELEMENT] != index->element)
    return FALSE;
  if (chunk->filter_mask == 0)
    *coding = parameters[PARAMETER_COMPRESSION] == COMPRESSION_LZ4 ? CAPRA_BITSHUFFLE_LZ4 : CAPRA_BITSHUFFLE_PLANES;
  *block = *coding == CAPRA_BITSHUFFLE_PLANES ? parameters[PARAMETER_BLOCK] : 0;
  return parameters[PARAMETER_COMPRESSION] == COMPRESSION_LZ4 || parameters[PARAMETER_COMPRESSION] == COMPRESSION_NONE;
}

static gboolean
read_chunks (FramesIndex *index, GError **error)
{
  gsize decoded = (gsize) index->width * index->height * index->element;

  index->chunks = g_new0 (FramesChunk, index->n);
  for (guint i = 0; i < index->n; i++)
    {
      FramesChunk *to = &index->chunks[i];
      CapraHdf5Chunk chunk = { 0 };
      gboolean direct = FALSE;

      if (!capra_hdf5_frames_get_chunk (index->frames, i, &chunk, &direct, error))
        return FALSE;
      *to = (FramesChunk){ chunk.descriptor, chunk.offset, chunk.length, CAPRA_BITSHUFFLE_RAW };
      if (direct && chunk.length == 0)
        to->descriptor = -1;
      else if (!direct || !is_direct (index, &chunk, &to->coding, &index->block))
        *to = (FramesChunk){ -1, 0, decoded, CAPRA_BITSHUFFLE_RAW };
    }
  return TRUE;
}

FramesIndex *
frames_index_open (const char *path, const char *data_set, GError **error)
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
  index->type = shape->type;
  index->element = (guint) capra_type_size (shape->type);
  index->kind = shape->type == CAPRA_F32 ? CAPRA_BITSHUFFLE_FLOAT
                : shape->type == CAPRA_I8 || shape->type == CAPRA_I16 || shape->type == CAPRA_I32
                  ? CAPRA_BITSHUFFLE_SIGNED
                  : CAPRA_BITSHUFFLE_UNSIGNED;
  return read_chunks (index, error) ? g_steal_pointer (&index) : NULL;
}

void
frames_index_free (FramesIndex *index)
{
  g_clear_pointer (&index->frames, capra_hdf5_frames_close);
  g_free (index->chunks);
  g_free (index->path);
  g_free (index);
}

gboolean
frames_index_read (const FramesIndex *index, guint i, gpointer to, GError **error)
{
  const FramesChunk *chunk = &index->chunks[i];
  gsize done = 0;

  if (chunk->bytes == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "it was never written");
      return FALSE;
    }
  if (chunk->descriptor < 0)
    return capra_hdf5_frames_read (index->frames, i, to, error);
  while (done < chunk->bytes)
    {
      ssize_t got = pread (chunk->descriptor, (char *) to + done, chunk->bytes - done, (off_t) (chunk->offset + done));

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "cannot read %s: %s", index->path,
                       got < 0 ? g_strerror (errno) : "the file has become shorter");
          return FALSE;
        }
      done += (gsize) got;
    }
  return TRUE;
}
