/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decode-ahead: decodes the first JPEG files of a batch while GEGL starts. */
#include "ui/cli/run/decode-ahead.h"

struct _RunDecodeAhead {
  GThread *thread; /* NULL if the system refused one */
  GMutex mutex;
  GCond decoded;
  char **paths;
  guint count, at; /* at: the image that is being decoded; count if no further one is */
  CapraJpegPixels **pixels;
  guint64 room; /* bytes */
  gboolean stopped;
};

/* FALSE at the end. */
static gboolean
store (RunDecodeAhead *ahead, CapraJpegPixels *pixels)
{
  guint64 size = pixels ? capra_jpeg_pixels_get_size (pixels) : 0;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&ahead->mutex);

  ahead->pixels[ahead->at] = pixels;
  ahead->room -= size;
  /* Images of a batch often have one size: the next one would not fit. */
  ahead->at = ahead->stopped || ahead->room < size ? ahead->count : ahead->at + 1;
  g_cond_broadcast (&ahead->decoded);
  return ahead->at < ahead->count;
}

static gpointer
decode (gpointer data)
{
  RunDecodeAhead *ahead = data;

  while (store (ahead, capra_jpeg_decode (ahead->paths[ahead->at], ahead->room)))
    ;
  return NULL;
}

RunDecodeAhead *
run_decode_ahead_start (char **paths, guint64 max_bytes)
{
  RunDecodeAhead *ahead = g_new0 (RunDecodeAhead, 1);

  g_mutex_init (&ahead->mutex);
  g_cond_init (&ahead->decoded);
  ahead->paths = g_strdupv (paths);
  ahead->count = g_strv_length (paths);
  ahead->pixels = g_new0 (CapraJpegPixels *, ahead->count);
  ahead->room = max_bytes;
  if (ahead->count > 0)
    ahead->thread = g_thread_try_new ("capra-decode", decode, ahead, NULL);
  if (!ahead->thread)
    ahead->at = ahead->count;
  return ahead;
}

void
run_decode_ahead_stop (RunDecodeAhead *ahead)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&ahead->mutex);

  ahead->stopped = TRUE;
}

CapraJpegPixels *
run_decode_ahead_take (RunDecodeAhead *ahead, guint index)
{
  g_autoptr (GMutexLocker) locker = ahead ? g_mutex_locker_new (&ahead->mutex) : NULL;

  if (!ahead || index >= ahead->count)
    return NULL;
  while (ahead->at == index)
    g_cond_wait (&ahead->decoded, &ahead->mutex);
  return g_steal_pointer (&ahead->pixels[index]);
}

void
run_decode_ahead_free (RunDecodeAhead *ahead)
{
  run_decode_ahead_stop (ahead);
  if (ahead->thread)
    g_thread_join (ahead->thread);
  for (guint i = 0; i < ahead->count; i++)
    g_clear_pointer (&ahead->pixels[i], capra_jpeg_pixels_free);
  g_free (ahead->pixels);
  g_strfreev (ahead->paths);
  g_cond_clear (&ahead->decoded);
  g_mutex_clear (&ahead->mutex);
  g_free (ahead);
}
