/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of frames. The calling thread makes batches, which are arrays mapped for writing, and enqueues those that
 * are read; a pool of threads reads; one thread collects the results. At most @ring batches exist at a time. */
#include "ui/cli/integrate/frames-stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  guint first, n, left; /* @left: frames that are not read yet */
  gsize *sizes, *positions;
  gboolean *good;
  guint8 *host;
  CapraArray *chunks, *results, *damaged;
} Batch;

typedef struct {
  const FramesStream *stream;
  FramesReport *report;
  CapraBitshuffleLayout layout;
  CapraShape shape; /* of a decoded frame */
  GMutex lock;      /* of the fields below, of Batch.left, and of the report */
  GCond changed;
  guint in_flight; /* batches that are not collected */
  GError *error;
  GThreadPool *readers;
  GAsyncQueue *enqueued; /* of Batch, for the collector */
} Stream;

typedef struct {
  Batch *batch;
  guint i;
} ReadJob;

static void
batch_free (Batch *batch)
{
  g_clear_pointer (&batch->chunks, capra_array_unref);
  g_clear_pointer (&batch->results, capra_array_unref);
  g_clear_pointer (&batch->damaged, capra_array_unref);
  g_free (batch->sizes);
  g_free (batch->positions);
  g_free (batch->good);
  g_free (batch);
}

/* Takes @error, the first of which ends the stream. */
static void
stop (Stream *stream, GError *error)
{
  g_mutex_lock (&stream->lock);
  if (stream->error)
    g_error_free (error);
  else
    stream->error = error;
  g_cond_broadcast (&stream->changed);
  g_mutex_unlock (&stream->lock);
}

static gboolean
is_stopped (Stream *stream)
{
  gboolean stopped = FALSE;

  g_mutex_lock (&stream->lock);
  stopped = stream->error != NULL;
  g_mutex_unlock (&stream->lock);
  return stopped;
}

static void
report_bad (Stream *stream, guint frame, GError *error)
{
  if (!stream->stream->silent)
    fprintf (stderr, "capra integrate: frame %u is left out: %s\n", frame, error->message);
  if (stream->stream->stop_on_error)
    stop (stream, error);
  else
    g_error_free (error);
}

/* Runs in the readers: reads a chunk and finds its blocks. */
static void
read_frame (gpointer data, gpointer user_data)
{
  g_autofree ReadJob *job = data;
  Stream *stream = user_data;
  Batch *batch = job->batch;
  guint frame = batch->first + job->i;
  CapraBitshuffleCoding coding = frames_index_get_coding (stream->stream->index, frame);
  gint64 start = g_get_monotonic_time (), read = 0, end = 0;
  GError *error = NULL;
  gboolean good = frames_index_read (stream->stream->index, frame, batch->host + batch->positions[job->i], &error);

  read = g_get_monotonic_time ();
  if (!capra_bitshuffle_batch_add (&stream->layout, batch->host, batch->n, job->i, batch->positions[job->i],
                                   batch->sizes[job->i], good ? coding : CAPRA_BITSHUFFLE_MISSING,
                                   good ? &error : NULL))
    good = FALSE;
  end = g_get_monotonic_time ();
  if (!good)
    report_bad (stream, frame, error);
  batch->good[job->i] = good;
  g_mutex_lock (&stream->lock);
  stream->report->read_seconds += (double) (read - start) * 1e-6;
  stream->report->scan_seconds += (double) (end - read) * 1e-6;
  stream->report->bytes += good ? batch->sizes[job->i] : 0;
  batch->left--;
  g_cond_broadcast (&stream->changed);
  g_mutex_unlock (&stream->lock);
}

/* A batch whose frames are being read; NULL with @error set. */
static Batch *
batch_new (Stream *stream, guint first, GError **error)
{
  const FramesStream *options = stream->stream;
  Batch *batch = g_new0 (Batch, 1);
  gsize bytes = 0;

  batch->first = first;
  batch->n = batch->left = MIN (options->batch, options->first + options->n - first);
  batch->sizes = g_new (gsize, batch->n);
  batch->positions = g_new (gsize, batch->n);
  batch->good = g_new0 (gboolean, batch->n);
  for (guint i = 0; i < batch->n; i++)
    batch->sizes[i] = options->index->chunks[first + i].length;
  bytes = capra_bitshuffle_batch_size (&stream->layout, batch->n, batch->sizes, batch->positions);
  batch->chunks = capra_array_new_for_upload (options->device, &CAPRA_SHAPE_2D (MAX (bytes, 1), 1, CAPRA_U8), error);
  batch->host = batch->chunks ? capra_array_map_write (batch->chunks, error) : NULL;
  if (!batch->host)
    {
      batch_free (batch);
      return NULL;
    }
  stream->report->host_bytes = MAX (stream->report->host_bytes, bytes * options->ring);
  for (guint i = 0; i < batch->n; i++)
    {
      ReadJob *job = g_new (ReadJob, 1);

      *job = (ReadJob){ batch, i };
      g_thread_pool_push (stream->readers, job, NULL);
    }
  return batch;
}

/* Waits until the frames of @batch are read. */
static void
wait_read (Stream *stream, const Batch *batch)
{
  gint64 start = g_get_monotonic_time ();

  g_mutex_lock (&stream->lock);
  while (batch->left > 0)
    g_cond_wait (&stream->changed, &stream->lock);
  stream->report->wait_read_seconds += (double) (g_get_monotonic_time () - start) * 1e-6;
  g_mutex_unlock (&stream->lock);
}

/* Enqueues the upload, the decoding and the integration of @batch. */
static gboolean
batch_enqueue (Stream *stream, Batch *batch, GError **error)
{
  const FramesStream *options = stream->stream;
  CapraShape shape = stream->shape;
  g_autoptr (CapraArray) frames = NULL;

  if (!capra_array_unmap (batch->chunks, error))
    return FALSE;
  shape.depth = batch->n;
  frames = capra_bitshuffle_decode (batch->chunks, &stream->layout, &shape, &batch->damaged, error);
  batch->results = frames ? capra_azimuthal_new_results (options->azimuthal, batch->n, error) : NULL;
  return batch->results
         && capra_azimuthal_integrate (options->azimuthal, frames, batch->n, NULL, batch->results, error);
}

/* Waits for the results of @batch, and hands them on. */
static gboolean
batch_collect (Stream *stream, Batch *batch, GError **error)
{
  const FramesStream *options = stream->stream;
  gsize each = options->n_bins * CAPRA_AZIMUTHAL_N_PLANES;
  g_autofree guint32 *damaged = g_new (guint32, batch->n);
  g_autofree float *values = g_new (float, each * batch->n);

  if (!capra_array_download (batch->results, values, error) || !capra_array_download (batch->damaged, damaged, error))
    return FALSE;
  for (guint i = 0; i < batch->n; i++)
    {
      if (batch->good[i] && damaged[i] != CAPRA_BITSHUFFLE_GOOD)
        {
          batch->good[i] = FALSE;
          report_bad (stream, batch->first + i,
                      g_error_new (CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "block %u of %u is damaged", damaged[i],
                                   stream->layout.n_blocks));
        }
      for (gsize k = 0; k < each && !batch->good[i]; k++)
        values[i * each + k] = NAN;
      stream->report->good += batch->good[i];
      stream->report->bad += !batch->good[i];
    }
  return options->results (batch->first, batch->n, values, batch->good, options->data, error);
}

/* Runs in a thread until it gets the stream itself instead of a batch. */
static gpointer
collect (gpointer data)
{
  Stream *stream = data;
  Batch *batch = NULL;

  while ((batch = g_async_queue_pop (stream->enqueued)) != (gpointer) stream)
    {
      GError *error = NULL;

      if (!is_stopped (stream) && !batch_collect (stream, batch, &error))
        stop (stream, error);
      batch_free (batch);
      g_mutex_lock (&stream->lock);
      stream->in_flight--;
      g_cond_broadcast (&stream->changed);
      g_mutex_unlock (&stream->lock);
    }
  return NULL;
}

/* Whether another batch may be made; waits until there is room if @wait. */
static gboolean
take_room (Stream *stream, gboolean wait)
{
  gboolean room = FALSE;

  g_mutex_lock (&stream->lock);
  while (wait && !stream->error && stream->in_flight >= stream->stream->ring)
    g_cond_wait (&stream->changed, &stream->lock);
  room = !stream->error && stream->in_flight < stream->stream->ring;
  stream->in_flight += room;
  g_mutex_unlock (&stream->lock);
  return room;
}

/* Enqueues the oldest batch, or drops it after an error. */
static void
pass_on (Stream *stream, GQueue *reading)
{
  Batch *batch = g_queue_pop_head (reading);
  GError *error = NULL;

  wait_read (stream, batch);
  if (is_stopped (stream))
    capra_array_unmap (batch->chunks, NULL);
  else if (!batch_enqueue (stream, batch, &error))
    stop (stream, error);
  g_async_queue_push (stream->enqueued, batch);
}

static void
run_batches (Stream *stream)
{
  const FramesStream *options = stream->stream;
  g_autoptr (GQueue) reading = g_queue_new ();
  guint next = options->first, end = options->first + options->n;

  while (next < end && !is_stopped (stream))
    {
      /* As many batches are read as there is room for, then the oldest one is enqueued. */
      while (next < end && take_room (stream, g_queue_is_empty (reading)))
        {
          GError *error = NULL;
          Batch *batch = batch_new (stream, next, &error);

          if (batch)
            g_queue_push_tail (reading, batch);
          else
            {
              stop (stream, error);
              break;
            }
          next += batch->n;
        }
      if (!g_queue_is_empty (reading))
        pass_on (stream, reading);
    }
  while (!g_queue_is_empty (reading))
    pass_on (stream, reading);
}

/* The layout of chunks is that of the first one with a header. */
static gboolean
find_layout (Stream *stream, GError **error)
{
  const FramesIndex *index = stream->stream->index;
  guint64 values = (guint64) index->width * index->height;

  for (guint i = 0; i < index->n; i++)
    if (index->chunks[i].encoding == CAPRA_HDF5_BITSHUFFLE_LZ4)
      {
        guint8 header[CAPRA_BITSHUFFLE_HEADER] = { 0 };
        gsize bytes = (gsize) MIN (index->chunks[i].length, sizeof header);

        if (capra_hdf5_chunk_read (&index->chunks[i], header, bytes, NULL)
            && capra_bitshuffle_layout_init_from_chunk (&stream->layout, index->kind, index->element, values, header,
                                                        bytes, NULL))
          return TRUE;
      }
  return capra_bitshuffle_layout_init (&stream->layout, index->kind, index->element, values, index->block, error);
}

/* The type of decoded frames: their own where the integration reads it, otherwise f32. */
static CapraType
type_of (const FramesIndex *index)
{
  return index->type == CAPRA_I8 || index->type == CAPRA_I16 ? CAPRA_F32 : index->type;
}

gboolean
frames_stream_run (const FramesStream *options, FramesReport *report, GError **error)
{
  Stream stream = { .stream = options, .report = report };
  gint64 start = g_get_monotonic_time ();
  GThread *collector = NULL;

  *report = (FramesReport){ 0 };
  if (!find_layout (&stream, error))
    return FALSE;
  stream.shape = CAPRA_SHAPE_3D (options->index->width, options->index->height, 1, type_of (options->index));
  g_mutex_init (&stream.lock);
  g_cond_init (&stream.changed);
  stream.enqueued = g_async_queue_new ();
  stream.readers = g_thread_pool_new (read_frame, &stream, (int) options->readers, FALSE, NULL);
  collector = g_thread_new ("capra-collect", collect, &stream);
  run_batches (&stream);
  g_async_queue_push (stream.enqueued, &stream);
  g_thread_join (collector);
  g_thread_pool_free (stream.readers, FALSE, TRUE);
  g_async_queue_unref (stream.enqueued);
  g_cond_clear (&stream.changed);
  g_mutex_clear (&stream.lock);
  report->seconds = (double) (g_get_monotonic_time () - start) * 1e-6;
  report->device_bytes = report->host_bytes + options->batch * capra_shape_bytes (&stream.shape)
                         + options->ring * options->batch * options->n_bins * CAPRA_AZIMUTHAL_N_PLANES * sizeof (float);
  if (stream.error)
    g_propagate_error (error, stream.error);
  return !stream.error;
}
