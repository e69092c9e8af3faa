/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Frame load: reads the encoded values of a frame, and decodes them on the device. */
#include "plugin/compute/frame-load.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "algorithms/bitshuffle/bitshuffle.h"
#include "formats/format-error.h"
#include "runtime/memory/array-map.h"
#include "runtime/memory/array-transfer.h"

/* How a frame is put into a batch of one chunk. */
typedef struct {
  CapraHdf5Chunk chunk;
  gboolean floats; /* whether libhdf5 reads the values as floats, for a device that does not know their type */
  CapraBitshuffleLayout layout;
  CapraBitshuffleCoding coding;
  gsize bytes;
} Plan;

static gboolean
init_layout (Plan *plan, const CapraHdf5Shape *shape, GError **error)
{
  guint64 values = (guint64) shape->width * shape->height;
  guint element = plan->floats ? 4 : shape->element;
  CapraBitshuffleKind kind = shape->is_float || plan->floats ? CAPRA_BITSHUFFLE_FLOAT
                             : shape->is_signed              ? CAPRA_BITSHUFFLE_SIGNED
                                                             : CAPRA_BITSHUFFLE_UNSIGNED;
  guint8 header[CAPRA_BITSHUFFLE_HEADER] = { 0 };
  gsize length = (gsize) MIN (plan->chunk.length, sizeof header);

  if (plan->coding != CAPRA_BITSHUFFLE_LZ4)
    return capra_bitshuffle_layout_init (&plan->layout, kind, element, values, plan->chunk.block, error);
  return capra_hdf5_chunk_read (&plan->chunk, header, length, error)
         && capra_bitshuffle_layout_init_from_chunk (&plan->layout, kind, element, values, header, length, error);
}

static gboolean
make_plan (CapraHdf5Frames *frames, guint64 frame, CapraDevice *device, Plan *plan, GError **error)
{
  const CapraHdf5Shape *shape = capra_hdf5_frames_get_shape (frames);

  if (!capra_hdf5_frames_get_chunk (frames, frame, &plan->chunk, error))
    return FALSE;
  plan->floats = shape->is_float && shape->element == 8 && !capra_device_get_info (device)->doubles;
  if (plan->floats || plan->chunk.encoding == CAPRA_HDF5_MISSING)
    plan->chunk.encoding = CAPRA_HDF5_OTHER;
  plan->coding = plan->chunk.encoding == CAPRA_HDF5_BITSHUFFLE_LZ4      ? CAPRA_BITSHUFFLE_LZ4
                 : plan->chunk.encoding == CAPRA_HDF5_BITSHUFFLE_PLANES ? CAPRA_BITSHUFFLE_PLANES
                                                                        : CAPRA_BITSHUFFLE_RAW;
  if (!init_layout (plan, shape, error))
    return FALSE;
  plan->bytes = plan->chunk.encoding == CAPRA_HDF5_OTHER ? plan->layout.values * plan->layout.element
                                                         : plan->chunk.length;
  return TRUE;
}

/* Copies or reads the encoded values to @batch, and describes them. */
static gboolean
fill_batch (CapraHdf5Frames *frames, guint64 frame, const Plan *plan, guint8 *batch, gsize position, GError **error)
{
  guint8 *data = batch + position;
  gboolean read = plan->floats ? capra_hdf5_frames_read_floats (frames, frame, (float *) data, error)
                  : plan->chunk.encoding == CAPRA_HDF5_OTHER
                    ? capra_hdf5_frames_read (frames, frame, data, error)
                    : capra_hdf5_chunk_read (&plan->chunk, data, plan->bytes, error);

  return read && capra_bitshuffle_batch_add (&plan->layout, batch, 1, 0, position, plan->bytes, plan->coding, error);
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
  g_autoptr (CapraArray) batch = make_plan (frames, frame, device, &plan, error)
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
                   _ ("frame %" PRIu64 " of %s is damaged in block %u"), frame, plan.chunk.path, block);
      return NULL;
    }
  return g_steal_pointer (&array);
}
