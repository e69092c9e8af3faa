/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Frame load: reads the encoded values of a frame, and decodes them on the device. */
#include "plugin/compute/frame-load.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "algorithms/bitshuffle/bitshuffle.h"
#include "formats/format-error.h"
#include "runtime/memory/array-map.h"
#include "runtime/memory/array-transfer.h"

/* The bytes at the start of a chunk that say how it is divided into blocks. */
#define HEADER_BYTES 12

/* The compressions of the bitshuffle filter, parameter 4 */
enum { BITSHUFFLE_NONE = 0, BITSHUFFLE_LZ4 = 2 };

/* How a frame is put into a batch of one chunk. */
typedef struct {
  CapraHdf5Chunk chunk;
  gboolean direct; /* whether the chunk is copied; if not, libhdf5 reads the values */
  CapraBitshuffleLayout layout;
  CapraBitshuffleCoding coding;
  gsize bytes;
} Plan;

static gboolean
read_bytes (const CapraHdf5Chunk *chunk, guint8 *data, gsize bytes, GError **error)
{
  guint64 offset = chunk->offset;

  while (bytes > 0)
    {
      gssize n = pread (chunk->descriptor, data, bytes, (off_t) offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          g_set_error (error, CAPRA_FORMAT_ERROR, n < 0 ? CAPRA_FORMAT_ERROR_READ : CAPRA_FORMAT_ERROR_CHANGED,
                       _ ("cannot read %s: %s"), chunk->path,
                       n < 0 ? g_strerror (errno) : _ ("it was cut off while it was read"));
          return FALSE;
        }
      data += n;
      offset += (guint64) n;
      bytes -= (gsize) n;
    }
  return TRUE;
}

static CapraBitshuffleKind
get_kind (CapraType type)
{
  switch (type)
    {
    case CAPRA_F32: return CAPRA_BITSHUFFLE_FLOAT;
    case CAPRA_I8:
    case CAPRA_I16:
    case CAPRA_I32: return CAPRA_BITSHUFFLE_SIGNED;
    default: return CAPRA_BITSHUFFLE_UNSIGNED;
    }
}

/* Whether the device can decode the chunk; sets its coding. */
static gboolean
choose_coding (Plan *plan, const CapraHdf5Shape *shape)
{
  const CapraHdf5Chunk *chunk = &plan->chunk;
  gsize frame_bytes = shape->width * shape->height * capra_type_size (shape->type);

  plan->coding = CAPRA_BITSHUFFLE_RAW;
  if (chunk->compression == CAPRA_HDF5_PLAIN
      || (chunk->compression == CAPRA_HDF5_BITSHUFFLE && chunk->filter_mask != 0))
    return chunk->length == frame_bytes;
  if (chunk->compression != CAPRA_HDF5_BITSHUFFLE || chunk->parameters[2] != capra_type_size (shape->type))
    return FALSE;
  if (chunk->parameters[4] == BITSHUFFLE_NONE)
    {
      plan->coding = CAPRA_BITSHUFFLE_PLANES;
      return chunk->length == frame_bytes;
    }
  plan->coding = CAPRA_BITSHUFFLE_LZ4;
  return chunk->parameters[4] == BITSHUFFLE_LZ4 && chunk->length >= HEADER_BYTES;
}

static gboolean
make_plan (CapraHdf5Frames *frames, guint64 frame, Plan *plan, GError **error)
{
  const CapraHdf5Shape *shape = capra_hdf5_frames_get_shape (frames);
  guint element = (guint) capra_type_size (shape->type);
  guint64 values = (guint64) shape->width * shape->height;
  guint8 header[HEADER_BYTES];

  if (!capra_hdf5_frames_get_chunk (frames, frame, &plan->chunk, &plan->direct, error))
    return FALSE;
  plan->direct = plan->direct && plan->chunk.length > 0 && choose_coding (plan, shape);
  if (!plan->direct)
    plan->coding = CAPRA_BITSHUFFLE_RAW;
  plan->bytes = plan->direct ? plan->chunk.length : values * element;
  if (plan->coding != CAPRA_BITSHUFFLE_LZ4)
    return capra_bitshuffle_layout_init (&plan->layout, get_kind (shape->type), element, values,
                                         plan->direct ? plan->chunk.parameters[3] : 0, error);
  return read_bytes (&plan->chunk, header, sizeof header, error)
         && capra_bitshuffle_layout_init_from_chunk (&plan->layout, get_kind (shape->type), element, values, header,
                                                     sizeof header, error);
}

/* Copies or reads the encoded values to @batch, and describes them. */
static gboolean
fill_batch (CapraHdf5Frames *frames, guint64 frame, const Plan *plan, guint8 *batch, gsize position, GError **error)
{
  guint8 *data = batch + position;

  if (!(plan->direct ? read_bytes (&plan->chunk, data, plan->bytes, error)
                     : capra_hdf5_frames_read (frames, frame, data, error)))
    return FALSE;
  return capra_bitshuffle_batch_add (&plan->layout, batch, 1, 0, position, plan->bytes, plan->coding, error);
}

static CapraArray *
upload_batch (CapraHdf5Frames *frames, guint64 frame, const Plan *plan, CapraDevice *device, GError **error)
{
  gsize position = 0, total = capra_bitshuffle_batch_size (&plan->layout, 1, &plan->bytes, &position);
  g_autoptr (CapraArray) batch = NULL;
  guint8 *data = NULL;
  gboolean filled = FALSE;

  if (total == 0)
    {
      g_set_error_literal (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE, _ ("the frame is too large"));
      return NULL;
    }
  batch = capra_array_new_for_upload (device, &CAPRA_SHAPE_2D (total, 1, CAPRA_U8), error);
  data = batch ? capra_array_map_write (batch, error) : NULL;
  if (!data)
    return NULL;
  filled = fill_batch (frames, frame, plan, data, position, error);
  return capra_array_unmap (batch, filled ? error : NULL) && filled ? g_steal_pointer (&batch) : NULL;
}

CapraArray *
capra_frame_load (CapraHdf5Frames *frames, guint64 frame, CapraDevice *device, GError **error)
{
  const CapraHdf5Shape *shape = capra_hdf5_frames_get_shape (frames);
  CapraShape result = CAPRA_SHAPE_2D (shape->width, shape->height, CAPRA_F32);
  Plan plan = { 0 };
  g_autoptr (CapraArray) batch = make_plan (frames, frame, &plan, error)
                                   ? upload_batch (frames, frame, &plan, device, error)
                                   : NULL;
  g_autoptr (CapraArray) damaged = NULL;
  g_autoptr (CapraArray) array = batch ? capra_bitshuffle_decode (batch, &plan.layout, &result, &damaged, error) : NULL;
  guint32 block = CAPRA_BITSHUFFLE_GOOD;

  if (!array || (damaged && !capra_array_download (damaged, &block, error)))
    return NULL;
  if (block != CAPRA_BITSHUFFLE_GOOD)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
                   _ ("frame %" G_GUINT64_FORMAT " of %s is damaged in block %u"), frame, plan.chunk.path, block);
      return NULL;
    }
  return g_steal_pointer (&array);
}
