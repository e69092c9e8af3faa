/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Rows: transfers an array in pieces, so that the host works on one piece during the transfer of another.
 *
 * Two pinned staging buffers alternate: they are small, allocated quickly, and stay in the host's caches. Where host
 * and device share memory there is no transfer, and all rows are one piece: the mapped array itself. */
#include "runtime/memory/array-rows.h"

#include "runtime/base/fork.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-buffer.h"
#include "runtime/memory/array-map-private.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/buffer-transfer.h"

#define N_STAGING 2
/* The default size of a piece in KiB, unless a row is larger: each thread of the host gets a large page of its own. */
#define PIECE_PER_THREAD 2048
#define MIN_PIECE 8192
#define MAX_PIECE 65536

typedef struct {
  CapraArray *array;
  CapraBuffer *buffer;
  gsize rows, row_bytes;
  gsize piece_rows; /* maximum */
  const CapraRowsUnit *unit;
  CapraBuffer *staging[N_STAGING];
} Stream;

static void
stream_clear (Stream *stream)
{
  for (guint i = 0; i < N_STAGING; i++)
    g_clear_pointer (&stream->staging[i], capra_pool_release);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_clear)

/* In bytes. */
static gsize
piece_size (CapraDevice *device)
{
  int own = CLAMP ((int) g_get_num_processors () * PIECE_PER_THREAD, MIN_PIECE, MAX_PIECE);

  return (gsize) MAX (1, capra_tuning_get_int (device, "transfer.piece", own)) * 1024;
}

/* The rows of a piece, at most @max: about the same for all pieces, whole units if possible. */
static gsize
rows_of_pieces (const Stream *stream, gsize max)
{
  gsize n = (stream->rows + max - 1) / max, each = (stream->rows + n - 1) / n;
  gsize unit = stream->unit ? stream->unit->rows : 1;

  return n > 1 ? MIN ((each + unit - 1) / unit * unit, max) : stream->rows;
}

static gboolean
stream_init (Stream *stream, CapraArray *array, const CapraRowsUnit *unit, GError **error)
{
  const CapraShape *shape = &array->shape;
  CapraContext *context = array->context;

  *stream = (Stream){ array, .rows = shape->height * shape->depth, .unit = unit };
  stream->row_bytes = capra_shape_bytes (shape) / stream->rows;
  stream->piece_rows = CLAMP (piece_size (context->device) / stream->row_bytes, 1, stream->rows);
  stream->piece_rows = rows_of_pieces (stream, stream->piece_rows);
  stream->buffer = capra_array_get_buffer (array, error);
  for (guint i = 0; stream->buffer && i < (stream->piece_rows < stream->rows ? N_STAGING : 1); i++)
    {
      stream->staging[i] = capra_pool_allocate (context, stream->piece_rows * stream->row_bytes, CAPRA_MEMORY_STAGING,
                                                error);
      if (!stream->staging[i])
        return FALSE;
    }
  return stream->buffer != NULL;
}

/* The end of the piece that begins with row @first: the end of a unit, if the piece has room for one. */
static gsize
piece_end (const Stream *stream, gsize first)
{
  gsize end = first + stream->piece_rows, over = 0;

  if (end >= stream->rows)
    return stream->rows;
  if (stream->unit && end > stream->unit->first)
    over = (end - stream->unit->first) % stream->unit->rows;
  return over < stream->piece_rows ? end - over : end;
}

/* Enqueues the transfer of a piece through one of the staging buffers. */
static gboolean
move_piece (Stream *stream, guint turn, CapraDirection direction, gsize first, gsize end, GError **error)
{
  CapraBuffer *staging = stream->staging[turn];

  return capra_buffer_enqueue_transfer (stream->buffer, staging, direction,
                                        direction == CAPRA_UPLOAD ? "upload" : "download", first * stream->row_bytes,
                                        (end - first) * stream->row_bytes, staging->host, NULL, error);
}

static gboolean
write_mapped (CapraArray *array, CapraRowsFunc fill, gpointer data, GError **error)
{
  gpointer host = capra_array_map_write (array, error);

  if (!host)
    return FALSE;
  fill (host, 0, array->shape.height * array->shape.depth, data);
  return capra_array_unmap (array, error);
}

gboolean
capra_array_write_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc fill, gpointer data, GError **error)
{
  g_auto (Stream) stream = { NULL };
  guint turn = 0;

  if (!capra_fork_check (error))
    return FALSE;
  g_return_val_if_fail (capra_array_can_map (array, TRUE), FALSE);

  if (array->context->info->unified)
    return write_mapped (array, fill, data, error);
  if (!stream_init (&stream, array, unit, error))
    return FALSE;
  for (gsize first = 0, end = 0; first < stream.rows; first = end, turn = (turn + 1) % N_STAGING)
    {
      end = piece_end (&stream, first);
      /* The last transfer through this staging buffer may still be running. */
      if (!capra_buffer_wait (stream.staging[turn], error))
        return FALSE;
      fill (stream.staging[turn]->host, first, end - first, data);
      if (!move_piece (&stream, turn, CAPRA_UPLOAD, first, end, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_mapped (CapraArray *array, CapraRowsFunc drain, gpointer data, GError **error)
{
  gconstpointer host = capra_array_map_read (array, error);

  if (!host)
    return FALSE;
  drain ((gpointer) host, 0, array->shape.height * array->shape.depth, data);
  return capra_array_unmap (array, error);
}

/* The download is one piece ahead of @drain. */
static gboolean
read_pieces (Stream *stream, CapraRowsFunc drain, gpointer data, GError **error)
{
  gsize first = 0, end = piece_end (stream, 0);
  guint turn = 0;

  if (!capra_buffer_wait (stream->staging[0], error) || !move_piece (stream, 0, CAPRA_DOWNLOAD, 0, end, error))
    return FALSE;
  while (first < stream->rows)
    {
      guint other = (turn + 1) % N_STAGING;
      gsize next = end < stream->rows ? piece_end (stream, end) : end;

      if (next > end
          && !(capra_buffer_wait (stream->staging[other], error)
               && move_piece (stream, other, CAPRA_DOWNLOAD, end, next, error)))
        return FALSE;
      if (!capra_buffer_wait (stream->staging[turn], error))
        return FALSE;
      drain (stream->staging[turn]->host, first, end - first, data);
      first = end;
      end = next;
      turn = other;
    }
  return TRUE;
}

gboolean
capra_array_read_rows (CapraArray *array, const CapraRowsUnit *unit, CapraRowsFunc drain, gpointer data, GError **error)
{
  g_autoptr (CapraArray) held = capra_array_ref (array); /* prevents eviction */
  g_auto (Stream) stream = { NULL };

  if (!capra_fork_check (error))
    return FALSE;
  g_return_val_if_fail (capra_array_can_map (array, FALSE), FALSE);

  if (array->context->info->unified || capra_array_is_evicted (array))
    return read_mapped (array, drain, data, error);
  return stream_init (&stream, array, unit, error) && read_pieces (&stream, drain, data, error);
}
