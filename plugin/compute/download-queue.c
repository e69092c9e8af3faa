/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Landing: results of parts on their way to the host, while the next part is computed. */
#include "plugin/compute/download-queue.h"

struct _CapraDownloadQueue {
  CapraTileGrid grid;
  GeglTile *const *tiles;
  GThread *thread;
  GMutex lock; /* guards what follows */
  GCond changed;
  GQueue parts; /* of CapraPixels; the first one is being pulled */
  gboolean over;
  GError *error; /* the first one */
};

/* The next part, or NULL if there will be none; lock held. */
static CapraPixels *
next_part (CapraDownloadQueue *landing)
{
  while (g_queue_is_empty (&landing->parts) && !landing->over)
    g_cond_wait (&landing->changed, &landing->lock);
  return g_queue_peek_head (&landing->parts);
}

static gpointer
land (gpointer data)
{
  CapraDownloadQueue *landing = data;
  CapraPixels *part = NULL;

  g_mutex_lock (&landing->lock);
  while ((part = next_part (landing)))
    {
      g_autoptr (GError) error = NULL;

      g_mutex_unlock (&landing->lock);
      capra_scatter (&landing->grid, landing->tiles, part, TRUE, &error);
      capra_pixels_clear (part);
      g_free (part);
      g_mutex_lock (&landing->lock);
      if (error && !landing->error)
        landing->error = g_steal_pointer (&error);
      g_queue_pop_head (&landing->parts);
      g_cond_broadcast (&landing->changed);
    }
  g_mutex_unlock (&landing->lock);
  return NULL;
}

CapraDownloadQueue *
capra_download_queue_new (const CapraTileGrid *grid, GeglTile *const *tiles, GError **error)
{
  CapraDownloadQueue *landing = g_new0 (CapraDownloadQueue, 1);

  g_mutex_init (&landing->lock);
  g_cond_init (&landing->changed);
  g_queue_init (&landing->parts);
  landing->grid = *grid;
  landing->tiles = tiles;
  landing->thread = g_thread_try_new ("capra-landing", land, landing, error);
  if (!landing->thread)
    g_clear_pointer (&landing, capra_download_queue_free);
  return landing;
}

void
capra_download_queue_free (CapraDownloadQueue *landing)
{
  g_mutex_lock (&landing->lock);
  landing->over = TRUE;
  g_cond_broadcast (&landing->changed);
  g_mutex_unlock (&landing->lock);
  if (landing->thread)
    g_thread_join (landing->thread);
  g_clear_error (&landing->error);
  g_cond_clear (&landing->changed);
  g_mutex_clear (&landing->lock);
  g_free (landing);
}

void
capra_download_queue_push (CapraDownloadQueue *landing, CapraPixels *pixels)
{
  CapraPixels *part = g_new (CapraPixels, 1);

  *part = (CapraPixels){ g_steal_pointer (&pixels->array), pixels->rect };
  part->rect.y -= landing->grid.extent.y;
  g_mutex_lock (&landing->lock);
  g_queue_push_tail (&landing->parts, part);
  g_cond_broadcast (&landing->changed);
  g_mutex_unlock (&landing->lock);
}

gboolean
capra_download_queue_wait (CapraDownloadQueue *landing)
{
  gboolean any = FALSE;

  g_mutex_lock (&landing->lock);
  for (; !g_queue_is_empty (&landing->parts); any = TRUE)
    g_cond_wait (&landing->changed, &landing->lock);
  g_mutex_unlock (&landing->lock);
  return any;
}

gboolean
capra_download_queue_check (CapraDownloadQueue *landing, GError **error)
{
  GError *failure = g_steal_pointer (&landing->error);

  if (failure)
    g_propagate_error (error, failure);
  return failure == NULL;
}
