/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all images of a batch, several at once.
 *
 * Each thread has a copy of the graph; it reads an image, processes it and writes the result, and then takes the next
 * one. GEGL allows this for separate graphs. The main thread reports the images in their order. */
#include "ui/cli/run/batch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capra.h"
#include "ui/cli/run/batch-file.h"
#include "ui/pipeline/log-catcher.h"

#define INTERVAL 200000 /* microseconds between two updates of the progress */

typedef struct {
  const RunBatch *batch;
  BatchFile *files;
  guint count;
  RunMemoryRoom room;
  GMutex mutex;
  GCond changed;
  guint next;     /* the index of the image that the next free thread takes */
  gboolean *done; /* of each image */
} Work;

typedef struct {
  Work *work;
  RunGraph *graph;
  GThread *thread; /* NULL if the system refused one */
} Worker;

static gboolean
take_next (Work *work, guint *i)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&work->mutex);

  *i = work->next;
  if (work->next < work->count)
    work->next++;
  return *i < work->count;
}

static void
mark_done (Work *work, guint i)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&work->mutex);

  work->done[i] = TRUE;
  g_cond_signal (&work->changed);
}

static gpointer
process_images (gpointer data)
{
  /* What operations schedule for the main loop is not run. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Worker *worker = data;
  Work *work = worker->work;
  guint i;

  while (take_next (work, &i))
    {
      batch_file_run (&work->files[i], work->batch, work->count, worker->graph, &work->room);
      mark_done (work, i);
    }
  return NULL;
}

static void
show_progress (Work *work, guint i)
{
  BatchFile *file = &work->files[i];

  if (capra_counters_get_active_builds () > 0)
    fprintf (stderr, "\r\033[K[%u/%u] Preparing kernels for this device (first use)", file->number, work->count);
  else
    fprintf (stderr, "\r\033[K[%u/%u] %s %d %%", file->number, work->count, batch_file_get_name (work->batch, file),
             g_atomic_int_get (&file->progress.per_mille) / 10);
  fflush (stderr);
}

/* Waits until the image is finished. With @terminal, shows its progress on one line. */
static void
wait_for (Work *work, guint i, gboolean terminal)
{
  gint64 next = g_get_monotonic_time () + INTERVAL;
  gboolean shown = FALSE;

  g_mutex_lock (&work->mutex);
  while (!work->done[i])
    {
      if (!terminal)
        g_cond_wait (&work->changed, &work->mutex);
      else if (!g_cond_wait_until (&work->changed, &work->mutex, next))
        {
          show_progress (work, i);
          shown = TRUE;
          next += INTERVAL;
        }
    }
  g_mutex_unlock (&work->mutex);
  if (shown)
    fprintf (stderr, "\r\033[K");
}

/* Tables that only CAPRA_TABLES names go to one file, which keeps those of the last image. If CAPRA_FATAL is set, the
 * first failure ends the process: no other image must be half processed then. */
static guint
choose_jobs (const RunBatch *batch, guint count)
{
  const char *tables = g_getenv ("CAPRA_TABLES");

  if (capra_error_is_fatal () || (!batch->tables && tables && *tables && run_graph_has_table (batch->graph)))
    return 1;
  return MIN (batch->jobs ? batch->jobs : g_get_num_processors (), MIN (count, RUN_MAX_JOBS));
}

/* Returns the number of workers; at least one. */
static guint
start_workers (Work *work, Worker *workers, guint jobs)
{
  guint n = 0;

  if (jobs > 1) /* their warnings precede those of all images */
    run_graph_load_files (work->batch->graph);
  for (guint i = 0; i < jobs; i++)
    {
      RunGraph *graph = i == 0 ? work->batch->graph : run_graph_copy (work->batch->graph, NULL);

      if (!graph)
        break;
      workers[n] = (Worker){ .work = work, .graph = graph };
      n++;
    }
  for (guint i = 0; i < n; i++)
    workers[i].thread = g_thread_try_new ("capra-image", process_images, &workers[i], NULL);
  if (!workers[0].thread)
    process_images (&workers[0]);
  return n;
}

static void
stop_workers (Worker *workers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (workers[i].thread)
        g_thread_join (workers[i].thread);
      if (i > 0)
        run_graph_free (workers[i].graph);
    }
}

guint
run_batch (const RunBatch *batch)
{
  guint count = MAX (g_strv_length (batch->inputs), 1), jobs = choose_jobs (batch, count), failed = 0, n;
  g_autofree BatchFile *files = g_new0 (BatchFile, count);
  g_autofree gboolean *done = g_new0 (gboolean, count);
  g_autofree Worker *workers = g_new0 (Worker, jobs);
  Work work = { .batch = batch, .files = files, .done = done, .count = count };
  gboolean terminal = batch->progress && isatty (STDERR_FILENO);

  g_mutex_init (&work.mutex);
  g_cond_init (&work.changed);
  run_memory_room_init (&work.room);
  for (guint i = 0; i < count; i++)
    files[i].number = i + 1;
  if (!capra_error_is_fatal ())
    capra_log_catcher_defer ();
  n = start_workers (&work, workers, jobs);
  for (guint i = 0; i < count; i++)
    {
      wait_for (&work, i, terminal);
      failed += !batch_file_report (&files[i], batch, count);
      batch_file_clear (&files[i]);
      if (!capra_error_is_fatal ())
        capra_log_catcher_defer ();
    }
  stop_workers (workers, n);
  capra_log_catcher_flush (NULL);
  run_memory_room_clear (&work.room);
  g_mutex_clear (&work.mutex);
  g_cond_clear (&work.changed);
  return failed;
}
