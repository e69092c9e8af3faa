/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-frames: all images of a batch, one after the other; the next one is read while one is computed. */
#include "ui/cli/run/batch.h"

#include <stdio.h>
#include <unistd.h>

#include "capra.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/cli/run/output-names.h"

#define INTERVAL 200000 /* microseconds between two words on the progress */

/* Reads an image in a thread. */
typedef struct {
  GThread *thread;
  const char *path;
  gboolean data; /* its numbers as they are */
  CapraImage *image;
  GError *error;
} Reader;

static gpointer
read_image (gpointer data)
{
  Reader *reader = data;
  g_autoptr (GFile) file = g_file_new_for_path (reader->path);

  reader->image = reader->data ? capra_raw_values_load (file, &reader->error) : capra_image_load (file, &reader->error);
  return NULL;
}

static void
start_reading (Reader *reader, const RunFrames *frames, const char *path)
{
  *reader = (Reader){ .path = path, .data = run_graph_is_data (frames->graph) };
  if (path)
    reader->thread = g_thread_new ("capra-read", read_image, reader);
}

/* Tells how far it is, in a thread, on a line that is written again and again. */
typedef struct {
  GThread *thread;
  GMutex mutex;
  GCond cond;
  gboolean done;
  CapraSaveProgress progress;
  const char *name;
  guint number, count;
} Teller;

static gpointer
tell (gpointer data)
{
  Teller *teller = data;
  gint64 next = g_get_monotonic_time () + INTERVAL;

  g_mutex_lock (&teller->mutex);
  while (!teller->done)
    {
      if (g_cond_wait_until (&teller->cond, &teller->mutex, next))
        continue;
      if (capra_effort_get_building () > 0)
        fprintf (stderr, "\r\033[K[%u/%u] Preparing kernels for this device (first use)", teller->number,
                 teller->count);
      else
        fprintf (stderr, "\r\033[K[%u/%u] %s %d %%", teller->number, teller->count, teller->name,
                 g_atomic_int_get (&teller->progress.per_mille) / 10);
      fflush (stderr);
      next += INTERVAL;
    }
  g_mutex_unlock (&teller->mutex);
  return NULL;
}

static void
start_telling (Teller *teller, const RunFrames *frames, const char *name, guint number, guint count)
{
  *teller = (Teller){ .name = name, .number = number, .count = count };
  g_mutex_init (&teller->mutex);
  g_cond_init (&teller->cond);
  if (frames->progress && isatty (STDERR_FILENO))
    teller->thread = g_thread_new ("capra-progress", tell, teller);
}

static void
stop_telling (Teller *teller)
{
  g_mutex_lock (&teller->mutex);
  teller->done = TRUE;
  g_cond_signal (&teller->cond);
  g_mutex_unlock (&teller->mutex);
  if (teller->thread)
    {
      g_thread_join (teller->thread);
      fprintf (stderr, "\r\033[K");
    }
  g_mutex_clear (&teller->mutex);
  g_cond_clear (&teller->cond);
}

/* As many bits as the image has, 8 or 16; as the numbers need, where they are taken as they are. */
static int
choose_bits (const RunFrames *frames, GeglBuffer *image)
{
  const Babl *type = image ? babl_format_get_type (gegl_buffer_get_format (image), 0) : NULL;

  if (frames->bits || run_graph_is_data (frames->graph))
    return frames->bits;
  return type && type != babl_type ("u8") ? 16 : 8;
}

static gboolean
run_frame (const RunFrames *frames, guint i, guint count, CapraImage *image, CapraSaveProgress *progress,
           GError **error)
{
  g_autoptr (GFile) output = frames->outputs ? g_file_new_for_path (frames->outputs[i]) : NULL;
  GeglBuffer *buffer = image ? image->buffer : NULL;

  if (frames->tables)
    {
      g_autofree char *table = run_name_expand (frames->tables, frames->inputs[i], i + 1, count);

      g_setenv ("CAPRA_TABLES", table, TRUE); /* it was set before any thread began */
    }
  return run_graph_process (frames->graph, buffer, output, choose_bits (frames, buffer), progress, error);
}

guint
run_frames (const RunFrames *frames)
{
  guint count = MAX (g_strv_length (frames->inputs), 1), failed = 0;
  Reader reader;

  start_reading (&reader, frames, frames->inputs[0]);
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraImage) image = NULL;
      g_autoptr (GError) error = NULL;
      const char *name = frames->inputs[i] ? frames->inputs[i] : "graph";
      gint64 start = g_get_monotonic_time ();
      gboolean good;
      Teller teller;

      g_clear_pointer (&reader.thread, g_thread_join);
      image = reader.image;
      error = reader.error;
      start_reading (&reader, frames, frames->inputs[i] ? frames->inputs[i + 1] : NULL);
      if (image && image->warning)
        fprintf (stderr, "capra run: %s: %s\n", name, image->warning);
      start_telling (&teller, frames, name, i + 1, count);
      if (!capra_error_is_fatal ()) /* which ends the process where an operation fails */
        capra_log_catcher_hold ();
      good = !error && run_frame (frames, i, count, image, &teller.progress, &error);
      stop_telling (&teller);
      capra_log_catcher_release (good ? NULL : error->message);
      if (!good)
        {
          fprintf (stderr, "capra run: %s: %s\n", name, error->message);
          failed++;
        }
      else if (frames->progress)
        fprintf (stderr, "[%u/%u] %s%s%s, %.0f ms\n", i + 1, count, name, frames->outputs ? " -> " : "",
                 frames->outputs ? frames->outputs[i] : "", (double) (g_get_monotonic_time () - start) / 1000.0);
    }
  return failed;
}
