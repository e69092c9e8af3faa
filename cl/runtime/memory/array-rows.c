/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Rows: an array's contents in pieces, so that the host works on one while another is on its way.
 *
 * Two pinned pieces take turns, so they are small, are made quickly, and stay in the host's caches. Where host and
 * device share memory nothing is on its way: all rows are one piece, the array itself. */
#include "runtime/memory/array-private.h"
#include "runtime/device/fork.h"
#include "runtime/launch/tuning.h"

#define TURNS 2
/* What a piece has at most, unless a row has more: enough for every thread of the host to have a large page of the
 * system's for itself, in KiB. */
#define PIECE_A_THREAD 2048
#define PIECE_LEAST 8192
#define PIECE_MOST 65536

typedef struct {
  CapraArray *array;
  CapraBlock *block;
  gsize rows, row_bytes;
  gsize most; /* rows a piece */
  const CapraRowsUnit *unit;
  CapraBlock *staging[TURNS];
} Stream;

static void
stream_clear (Stream *stream)
{
  for (guint i = 0; i < TURNS; i++)
    g_clear_pointer (&stream->staging[i], capra_block_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stream, stream_clear)

/* In bytes. */
static gsize
piece_size (CapraDevice *device)
{
  int own = CLAMP ((int) g_get_num_processors () * PIECE_A_THREAD, PIECE_LEAST, PIECE_MOST);

  return (gsize) MAX (1, capra_tuning_get_int (device, "transfer.piece", own)) * 1024;
}

/* How many rows a piece has, @most or less: all about as many, whole units if that may be. */
static gsize
rows_of_pieces (const Stream *stream, gsize most)
{
  gsize n = (stream->rows + most - 1) / most, each = (stream->rows + n - 1) / n;
  gsize unit = stream->unit ? stream->unit->rows : 1;

  return n > 1 ? MIN ((each + unit - 1) / unit * unit, most) : stream->rows;
}

static gboolean
stream_init (Stream *stream, CapraArray *array, const CapraRowsUnit *unit, GError **error)
{
  const CapraShape *shape = &array->shape;
  CapraContext *context = array->context;

  *stream = (Stream){ array, .rows = shape->height * shape->depth, .unit = unit };
  stream->row_bytes = capra_shape_bytes (shape) / stream->rows;
  stream->most = CLAMP (piece_size (context->device) / stream->row_bytes, 1, stream->rows);
  stream->most = rows_of_pieces (stream, stream->most);
  stream->block = capra_array_get_buffer (array, error);
  for (guint i = 0; stream->block && i < (stream->most < stream->rows ? TURNS : 1); i++)
    {
      stream->staging[i] = capra_block_new (context, stream->most * stream->row_bytes, CAPRA_MEMORY_STAGING, error);
      if (!stream->staging[i])
        return FALSE;
    }
  return stream->block != NULL;
}

/* Where the piece that begins with row @first ends: with a unit, if it has room for one. */
static gsize
piece_end (const Stream *stream, gsize first)
{
  gsize end = first + stream->most, over = 0;

  if (end >= stream->rows)
    return stream->rows;
  if (stream->unit && end > stream->unit->first)
    over = (end - stream->unit->first) % stream->unit->rows;
  return over < stream->most ? end - over : end;
}

/* Sends a piece on its way, through one of the two. */
static gboolean
move_piece (Stream *stream, guint turn, gboolean in, gsize first, gsize end, GError **error)
{
  CapraBlock *staging = stream->staging[turn];

  return capra_block_send (stream->block, staging, in, in ? "upload" : "download", first * stream->row_bytes,
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
  g_return_val_if_fail (capra_array_is_free (array, TRUE), FALSE);

  if (array->context->info->unified)
    return write_mapped (array, fill, data, error);
  if (!stream_init (&stream, array, unit, error))
    return FALSE;
  for (gsize first = 0, end = 0; first < stream.rows; first = end, turn = (turn + 1) % TURNS)
    {
      end = piece_end (&stream, first);
      /* The last transfer through it, or that of whoever had it before, may be under way. */
      if (!capra_block_finish (stream.staging[turn], error))
        return FALSE;
      fill (stream.staging[turn]->host, first, end - first, data);
      if (!move_piece (&stream, turn, TRUE, first, end, error))
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

/* One piece ahead of who drains them. */
static gboolean
read_pieces (Stream *stream, CapraRowsFunc drain, gpointer data, GError **error)
{
  gsize first = 0, end = piece_end (stream, 0);
  guint turn = 0;

  if (!capra_block_finish (stream->staging[0], error) || !move_piece (stream, 0, FALSE, 0, end, error))
    return FALSE;
  while (first < stream->rows)
    {
      guint other = (turn + 1) % TURNS;
      gsize next = end < stream->rows ? piece_end (stream, end) : end;

      if (next > end
          && !(capra_block_finish (stream->staging[other], error)
               && move_piece (stream, other, FALSE, end, next, error)))
        return FALSE;
      if (!capra_block_finish (stream->staging[turn], error))
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
  g_autoptr (CapraArray) held = capra_array_ref (array); /* not to be evicted meanwhile */
  g_auto (Stream) stream = { NULL };

  if (!capra_fork_check (error))
    return FALSE;
  g_return_val_if_fail (capra_array_is_free (array, FALSE), FALSE);

  if (array->context->info->unified || capra_array_is_evicted (array))
    return read_mapped (array, drain, data, error);
  return stream_init (&stream, array, unit, error) && read_pieces (&stream, drain, data, error);
}
