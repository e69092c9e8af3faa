/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all images of a batch, one after the other. The next image is read while one is computed. */
#include "ui/cli/run/batch.h"

#include <stdio.h>
#include <unistd.h>

#include "capra.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/cli/run/output-names.h"

#define INTERVAL 200000 /* microseconds between two updates of the progress */

/* Reads an image in a thread. */
typedef struct {
  GThread *thread;
  const char *path;
  gboolean data; /* raw values */
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
start_reading (Reader *reader, const RunBatch *batch, const char *path)
{
  *reader = (Reader){ .path = path, .data = run_graph_is_data (batch->graph) };
  if (path)
    reader->thread = g_thread_new ("capra-read", read_image, reader);
}

/* Shows the progress on one line of a terminal, from a thread. */
typedef struct {
  GThread *thread;
  GMutex mutex;
  GCond cond;
  gboolean done;
  CapraSaveProgress progress;
  const char *name;
  guint number, count;
} ProgressDisplay;

static gpointer
show_progress (gpointer data)
{
  ProgressDisplay *display = data;
  gint64 next = g_get_monotonic_time () + INTERVAL;

  g_mutex_lock (&display->mutex);
  while (!display->done)
    {
      if (g_cond_wait_until (&display->cond, &display->mutex, next))
        continue;
      if (capra_counters_get_active_builds () > 0)
        fprintf (stderr, "\r\033[K[%u/%u] Preparing kernels for this device (first use)", display->number,
                 display->count);
      else
        fprintf (stderr, "\r\033[K[%u/%u] %s %d %%", display->number, display->count, display->name,
                 g_atomic_int_get (&display->progress.per_mille) / 10);
      fflush (stderr);
      next += INTERVAL;
    }
  g_mutex_unlock (&display->mutex);
  return NULL;
}

static void
start_display (ProgressDisplay *display, const RunBatch *batch, const char *name, guint number, guint count)
{
  *display = (ProgressDisplay){ .name = name, .number = number, .count = count };
  g_mutex_init (&display->mutex);
  g_cond_init (&display->cond);
  if (batch->progress && isatty (STDERR_FILENO))
    display->thread = g_thread_new ("capra-progress", show_progress, display);
}

static void
stop_display (ProgressDisplay *display)
{
  g_mutex_lock (&display->mutex);
  display->done = TRUE;
  g_cond_signal (&display->cond);
  g_mutex_unlock (&display->mutex);
  if (display->thread)
    {
      g_thread_join (display->thread);
      fprintf (stderr, "\r\033[K");
    }
  g_mutex_clear (&display->mutex);
  g_cond_clear (&display->cond);
}

/* 8 or 16, as the image has; for raw values 0, so that the writer chooses what holds them. */
static int
choose_bits (const RunBatch *batch, GeglBuffer *image)
{
  const Babl *type = image ? babl_format_get_type (gegl_buffer_get_format (image), 0) : NULL;

  if (batch->bits || run_graph_is_data (batch->graph))
    return batch->bits;
  return type && type != babl_type ("u8") ? 16 : 8;
}

static gboolean
run_image (const RunBatch *batch, guint i, guint count, CapraImage *image, CapraSaveProgress *progress, GError **error)
{
  g_autoptr (GFile) output = batch->outputs ? g_file_new_for_path (batch->outputs[i]) : NULL;
  GeglBuffer *buffer = image ? image->buffer : NULL;

  if (batch->tables)
    {
      g_autofree char *table = run_name_expand (batch->tables, batch->inputs[i], i + 1, count);

      g_setenv ("CAPRA_TABLES", table, TRUE); /* no thread reads it now: it was set before any was started */
    }
  return run_graph_process (batch->graph, buffer, output, choose_bits (batch, buffer), progress, error);
}

guint
run_batch (const RunBatch *batch)
{
  guint count = MAX (g_strv_length (batch->inputs), 1), failed = 0;
  Reader reader;

  start_reading (&reader, batch, batch->inputs[0]);
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraImage) image = NULL;
      g_autoptr (GError) error = NULL;
      const char *name = batch->inputs[i] ? batch->inputs[i] : "graph";
      gint64 start = g_get_monotonic_time ();
      gboolean good;
      ProgressDisplay display;

      g_clear_pointer (&reader.thread, g_thread_join);
      image = reader.image;
      error = reader.error;
      start_reading (&reader, batch, batch->inputs[i] ? batch->inputs[i + 1] : NULL);
      if (image && image->warning)
        fprintf (stderr, "capra run: %s: %s\n", name, image->warning);
      start_display (&display, batch, name, i + 1, count);
      if (!capra_error_is_fatal ()) /* else a failing operation ends the process */
        capra_log_catcher_defer ();
      good = !error && run_image (batch, i, count, image, &display.progress, &error);
      stop_display (&display);
      capra_log_catcher_flush (good ? NULL : error->message);
      if (!good)
        {
          fprintf (stderr, "capra run: %s: %s\n", name, error->message);
          failed++;
        }
      else if (batch->progress)
        fprintf (stderr, "[%u/%u] %s%s%s, %.0f ms\n", i + 1, count, name, batch->outputs ? " -> " : "",
                 batch->outputs ? batch->outputs[i] : "", (double) (g_get_monotonic_time () - start) / 1000.0);
    }
  return failed;
}
