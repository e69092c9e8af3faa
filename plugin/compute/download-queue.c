/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Download queue: downloads the bands of a result into tiles while the next band is computed. */
#include "plugin/compute/download-queue.h"

#include "plugin/thread-pool.h"

struct _CapraDownloadQueue {
  CapraTileGrid grid;
  GeglTile *const *tiles;
  CapraTask *task; /* (nullable): runs until the queue is empty; used by the thread that owns the queue */
  GMutex lock;     /* guards the rest */
  GQueue bands;    /* of CapraPixels */
  gboolean running;
  GError *error; /* the first one */
};

/* The next band; NULL, and the task ends, if there is none. */
static CapraPixels *
pop_band (CapraDownloadQueue *queue)
{
  CapraPixels *band = NULL;

  g_mutex_lock (&queue->lock);
  band = g_queue_pop_head (&queue->bands);
  queue->running = band != NULL;
  g_mutex_unlock (&queue->lock);
  return band;
}

static void
set_error (CapraDownloadQueue *queue, GError *error)
{
  g_mutex_lock (&queue->lock);
  if (queue->error)
    g_error_free (error);
  else
    queue->error = error;
  g_mutex_unlock (&queue->lock);
}

static void
download_bands (gpointer data)
{
  CapraDownloadQueue *queue = data;
  CapraPixels *band = NULL;

  while ((band = pop_band (queue)))
    {
      GError *error = NULL;

      if (!capra_scatter (&queue->grid, queue->tiles, band, TRUE, &error))
        set_error (queue, error);
      capra_pixels_clear (band);
      g_free (band);
    }
}

CapraDownloadQueue *
capra_download_queue_new (const CapraTileGrid *grid, GeglTile *const *tiles)
{
  CapraDownloadQueue *queue = g_new0 (CapraDownloadQueue, 1);

  g_mutex_init (&queue->lock);
  g_queue_init (&queue->bands);
  queue->grid = *grid;
  queue->tiles = tiles;
  return queue;
}

void
capra_download_queue_free (CapraDownloadQueue *queue)
{
  capra_download_queue_wait (queue);
  g_clear_error (&queue->error);
  g_mutex_clear (&queue->lock);
  g_free (queue);
}

void
capra_download_queue_push (CapraDownloadQueue *queue, CapraPixels *band)
{
  CapraPixels *queued = g_new (CapraPixels, 1);
  gboolean running = FALSE;

  *queued = (CapraPixels){ g_steal_pointer (&band->array), band->rect };
  queued->rect.x -= queue->grid.extent.x;
  queued->rect.y -= queue->grid.extent.y;
  g_mutex_lock (&queue->lock);
  g_queue_push_tail (&queue->bands, queued);
  running = queue->running;
  queue->running = TRUE;
  g_mutex_unlock (&queue->lock);
  if (running)
    return;
  g_clear_pointer (&queue->task, capra_task_finish);
  queue->task = capra_task_start (download_bands, queue);
}

gboolean
capra_download_queue_wait (CapraDownloadQueue *queue)
{
  gboolean running = FALSE;

  g_mutex_lock (&queue->lock);
  running = queue->running;
  g_mutex_unlock (&queue->lock);
  g_clear_pointer (&queue->task, capra_task_finish);
  return running;
}

gboolean
capra_download_queue_finish (CapraDownloadQueue *queue, GError **error)
{
  GError *failure = NULL;

  capra_download_queue_wait (queue);
  failure = g_steal_pointer (&queue->error);
  if (failure)
    g_propagate_error (error, failure);
  return failure == NULL;
}
