/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph on all items of a batch, several at once.
 *
 * Each thread has a copy of the graph and a device; it reads an image, processes it and writes the result, and then
 * takes the next one. GEGL allows this for separate graphs. The main thread reports the items in their order. */
#include "ui/cli/run/batch.h"

#include <stdio.h>
#include <string.h>

#include "capra.h"
#include "ui/cli/run/batch-file.h"
#include "ui/cli/run/progress-bar.h"
#include "ui/cli/run/schedule.h"
#include "ui/pipeline/log-catcher.h"

#define INTERVAL 200000 /* microseconds between two updates of the progress */

typedef struct {
  const RunBatch *batch;
  BatchFile *files; /* of this rank */
  guint count;
  RunSchedule *schedule;
  RunResult result;
  gint64 start, drawn; /* when the progress was drawn */
  gboolean visible;    /* the progress */
} Work;

typedef struct {
  BatchThread thread;
  Work *work;
  GThread *handle; /* NULL if the system refused one */
} Worker;

static gpointer
process_items (gpointer data)
{
  /* What operations schedule for the main loop is not run. */
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMainContextPusher) pusher = g_main_context_pusher_new (context);
  Worker *worker = data;
  Work *work = worker->work;
  guint i;

  while (run_schedule_take (work->schedule, worker->thread.device, &i))
    {
      BatchFile *file = &work->files[i];

      batch_file_run (file, &worker->thread);
      if (file->error && work->batch->stop_on_error)
        run_schedule_stop (work->schedule);
      run_schedule_finish (work->schedule, i, worker->thread.device, file->time);
    }
  return NULL;
}

/* One image shows its own progress, a batch that of all items. */
static void
show_progress (Work *work, guint i)
{
  gint64 now = g_get_monotonic_time ();
  RunProgress progress = { .items = work->count,
                           .failed = work->result.failed,
                           .seconds = (double) (now - work->start) / G_USEC_PER_SEC };
  g_autofree char *line = NULL, *name = NULL;

  progress.done = run_schedule_count_done (work->schedule, &progress.before);
  if (progress.done == 0 && capra_counters_get_active_builds () > 0)
    line = g_strdup_printf ("[%u/%u] Preparing kernels for this device (first use)", progress.done, work->count);
  else if (work->count > 1)
    line = run_progress_format (&progress, run_progress_get_columns ());
  else
    {
      name = run_item_dup_name (&g_array_index (work->batch->items, RunItem, work->files[i].index));
      line = g_strdup_printf ("%d %% %s", g_atomic_int_get (&work->files[i].progress.per_mille) / 10, name);
    }
  run_progress_show (line);
  work->drawn = now;
  work->visible = TRUE;
}

/* Before something else is written to the terminal. */
static void
hide_progress (Work *work)
{
  if (work->visible)
    run_progress_show (NULL);
  work->visible = FALSE;
}

/* Waits until the item is finished, or will not be processed. Meanwhile shows the progress, also while items are
 * finished faster than it is drawn. */
static RunItemState
wait_for (Work *work, guint i)
{
  RunItemState state;

  if (!work->batch->bar)
    return run_schedule_wait (work->schedule, i, 0);
  do
    {
      state = run_schedule_wait (work->schedule, i, work->drawn + INTERVAL);
      if (g_get_monotonic_time () >= work->drawn + INTERVAL)
        show_progress (work, i);
    }
  while (state == RUN_ITEM_OPEN);
  return state;
}

/* Tables that only CAPRA_TABLES names go to one file, which keeps those of the last image. If CAPRA_FATAL is set, the
 * first failure ends the process: no other image must be half processed then. */
static guint
choose_jobs (const RunBatch *batch, guint count)
{
  const char *tables = g_getenv ("CAPRA_TABLES");
  guint devices = batch->devices ? batch->devices->len : 1;

  if (capra_error_is_fatal () || (!batch->tables && tables && *tables && run_graph_has_table (batch->graph)))
    return 1;
  return CLAMP (batch->jobs ? batch->jobs : MAX (g_get_num_processors (), devices), 1,
                MAX (MIN (count, RUN_MAX_JOBS), 1));
}

/* (nullable) */
static char *
name_device (const RunBatch *batch, guint device)
{
  return batch->devices ? g_strdup_printf ("%u", capra_device_get_info (batch->devices->pdata[device])->index) : NULL;
}

/* The graph of the next worker, on its device (nullable). %NULL if GEGL cannot copy it. */
static RunGraph *
prepare_graph (const RunBatch *batch, guint worker, const char *device)
{
  RunGraph *graph = worker == 0 ? batch->graph : run_graph_copy (batch->graph, NULL);

  if (graph && device)
    run_graph_set_device (graph, device);
  return graph;
}

/* Returns the number of workers; at least one. */
static guint
prepare_workers (Work *work, Worker *workers, guint jobs, guint devices, const BatchThread *common)
{
  guint n = 0;

  if (jobs > 1) /* their warnings precede those of all images */
    run_graph_load_files (work->batch->graph);
  /* The first worker has the original, which is changed last: copies have its steps. */
  for (guint i = jobs; i-- > 0;)
    {
      g_autofree char *name = name_device (work->batch, i % devices);
      RunGraph *graph = prepare_graph (work->batch, i, name);

      if (!graph)
        continue;
      workers[n] = (Worker){ .thread = *common, .work = work };
      workers[n].thread.graph = graph;
      workers[n].thread.device = i % devices;
      workers[n].thread.device_name = g_steal_pointer (&name);
      n++;
    }
  return n;
}

/* Those of the first device, the fastest one, are the last of @workers, and begin. */
static void
run_workers (Worker *workers, guint n)
{
  gboolean started = FALSE;

  for (guint i = n; i-- > 0;)
    {
      workers[i].handle = g_thread_try_new ("capra-image", process_items, &workers[i], NULL);
      started |= workers[i].handle != NULL;
    }
  if (!started)
    process_items (&workers[0]);
}

static void
stop_workers (Worker *workers, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (workers[i].handle)
        g_thread_join (workers[i].handle);
      if (workers[i].thread.graph != workers[i].thread.batch->graph)
        run_graph_free (workers[i].thread.graph);
      g_free (workers[i].thread.device_name);
    }
}

static void
report_item (Work *work, BatchFile *file)
{
  RunResult *result = &work->result;
  gboolean shown = work->visible && batch_file_has_report (file, work->batch);

  if (shown)
    hide_progress (work);
  result->failed += !batch_file_report (file, work->batch);
  if (file->journal_error && !result->journal_failed)
    {
      fprintf (stderr, "capra run: %s; the batch cannot be resumed\n", file->journal_error->message);
      result->journal_failed = TRUE;
    }
  if (shown)
    show_progress (work, file->index - work->batch->first);
}

/* Reports the items in their order. */
static void
report_items (Work *work)
{
  for (guint i = 0; i < work->count; i++)
    {
      RunItemState state = wait_for (work, i);

      work->result.left += state == RUN_ITEM_LEFT;
      if (state != RUN_ITEM_DONE)
        continue;
      report_item (work, &work->files[i]);
      batch_file_clear (&work->files[i]);
      if (!capra_error_is_fatal ())
        capra_log_catcher_defer ();
    }
  if (!work->visible)
    return;
  if (work->count > 1) /* the last line stays */
    {
      show_progress (work, 0);
      fputc ('\n', stderr);
    }
  else
    hide_progress (work);
}

static void
set_items (Work *work, RunSources *sources)
{
  const RunBatch *batch = work->batch;

  for (guint i = 0; i < work->count; i++)
    {
      guint index = batch->first + i;

      work->files[i].index = index;
      if (batch->finished && batch->finished[index])
        run_schedule_skip (work->schedule, i);
      else if (sources)
        run_sources_expect (sources, g_array_index (batch->items, RunItem, index).source);
    }
}

RunResult
run_batch (const RunBatch *batch)
{
  guint count = batch->end - batch->first, jobs = choose_jobs (batch, count), n;
  guint devices = batch->devices ? batch->devices->len : 1;
  g_autofree BatchFile *files = g_new0 (BatchFile, count);
  g_autofree Worker *workers = g_new0 (Worker, jobs);
  g_autofree guint *threads = g_new0 (guint, devices);
  g_autoptr (RunSources) sources = batch->values ? run_sources_new (devices) : NULL;
  g_autoptr (RunSchedule) schedule = NULL;
  const gint64 start = g_get_monotonic_time ();
  Work work = { .batch = batch, .files = files, .count = count, .start = start, .drawn = start };
  RunMemoryRoom room;
  BatchThread common = { .batch = batch, .room = &room, .sources = sources };

  run_memory_room_init (&room);
  if (!capra_error_is_fatal ())
    capra_log_catcher_defer ();
  n = prepare_workers (&work, workers, jobs, devices, &common);
  for (guint i = 0; i < n; i++)
    threads[workers[i].thread.device]++;
  work.schedule = schedule = run_schedule_new (count, threads, devices);
  set_items (&work, sources);
  run_workers (workers, n);
  report_items (&work);
  stop_workers (workers, n);
  capra_log_catcher_flush (NULL);
  run_memory_room_clear (&room);
  return work.result;
}
