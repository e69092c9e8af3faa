/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-file: reads, processes and writes one item of a batch. */
#include "ui/cli/run/batch-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "capra.h"
#include "ui/cli/run/run-figure.h"
#include "ui/cli/run/run-header.h"
#include "ui/cli/run/run-stack.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/read/original.h"
#include "ui/pipeline/read/raw-values.h"

/* What loading an item needs, and the memory that it has taken. */
typedef struct {
  const BatchThread *thread;
  const RunItem *item;
  guint64 bytes;
} Loading;

static void
take_memory (guint64 bytes, gpointer data)
{
  Loading *loading = data;

  run_memory_room_take (loading->thread->room, bytes);
  loading->bytes += bytes;
}

static const RunItem *
get_item (const RunBatch *batch, guint index)
{
  return &g_array_index (batch->items, RunItem, index);
}

static CapraImage *
read_image (Loading *loading, GFile *file, GError **error)
{
  const RunBatch *batch = loading->thread->batch;
  const RunItem *item = loading->item;
  CapraFrame frame = { item->input, batch->dataset, loading->thread->device_name, item->frame };
  gboolean raw = run_graph_is_data (batch->graph);

  if (capra_frames_is_chosen (&frame))
    return capra_frames_load (&frame, raw, take_memory, loading, error);
  if (raw)
    return capra_raw_values_load_sized (file, take_memory, loading, error);
  return capra_image_load_sized (file, run_decode_ahead_take (batch->ahead, item->file), take_memory, loading, error);
}

/* PNG files of the result name the image's file, so that the panel can offer it; not if it has changed since the batch
 * began, since some files are decoded then. */
static CapraImage *
load_image (guint source, gpointer data, GError **error)
{
  Loading *loading = data;
  g_autoptr (GFile) file = g_file_new_for_path (loading->item->input);
  CapraImage *image = read_image (loading, file, error);

  if (image)
    capra_original_mark (image->buffer, file, loading->thread->batch->dataset, (guint64) MAX (loading->item->frame, 0),
                         loading->thread->batch->begin);
  return image;
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

/* (nullable): the name that @pattern (nullable) gives the item. */
static char *
expand (const char *pattern, const RunBatch *batch, guint index)
{
  guint values = batch->values ? batch->values->count : 0;

  return pattern ? run_item_expand (pattern, get_item (batch, index), index, batch->items->len, values) : NULL;
}

/* @table: (nullable): the text of the graph's tables, or else @table_path is their file */
static void
draw_figure (BatchFile *file, const BatchThread *thread, GeglBuffer *shown, const GString *table,
             const char *table_path)
{
  g_autofree char *path = expand (thread->batch->figures, thread->batch, file->index);
  const RunItem *item = get_item (thread->batch, file->index);
  g_autofree char *source = run_header_find_file (item->input, thread->graph);
  g_autofree char *image = item->input ? NULL : run_graph_dup_fits_image (thread->graph);

  run_figure_draw (path, shown, source, image, table ? table->str : NULL, table_path, &file->error);
}

/* Tables of several items for standard output are kept until they are reported, after the keywords of a FITS file.
 * Figures need the table, too. */
static void
process (BatchFile *file, const BatchThread *thread, const RunItem *item, GeglBuffer *image)
{
  const RunBatch *batch = thread->batch;
  g_autoptr (GFile) output = item->output ? g_file_new_for_path (item->output) : NULL;
  g_autofree char *path = expand (batch->tables, batch, file->index);
  g_autoptr (GeglBuffer) result = NULL;
  gboolean shows_result = run_figure_shows_result (), printed = g_strcmp0 (path, "-") == 0;
  gboolean marks_table = run_figure_needs_table () && (!path || printed);
  g_autofree char *keywords = printed ? run_header_read (item->input, thread->graph) : NULL;
  g_autoptr (GString) text = marks_table || keywords || (printed && batch->items->len > 1) ? g_string_new (NULL) : NULL;
  RunTables tables = { .path = path, .text = text };

  if (item->value >= 0)
    run_values_apply (batch->values, (guint) item->value, thread->graph);
  if (run_graph_process (thread->graph, image, output, choose_bits (batch, image), &tables, &file->progress,
                         shows_result || batch->stack ? &result : NULL, &file->error)
      && (!batch->stack || run_stack_write (batch->stack, file->index, result, &file->error)) && batch->figures)
    draw_figure (file, thread, shows_result ? result : image, text, path);
  if (keywords && !file->error)
    g_string_prepend (text, keywords);
  if (printed)
    file->table = g_steal_pointer (&text);
}

/* The size of the result is part of the journal, so that a result that was removed is computed again. */
static void
add_to_journal (BatchFile *file, const RunBatch *batch, const RunItem *item)
{
  GStatBuf status = { .st_size = 0 };

  if (!batch->journal || file->error)
    return;
  if (item->output && g_stat (item->output, &status) != 0)
    return;
  capra_journal_add (batch->journal, file->index, (guint64) status.st_size, &file->journal_error);
}

void
batch_file_run (BatchFile *file, const BatchThread *thread)
{
  const RunBatch *batch = thread->batch;
  const RunItem *item = get_item (batch, file->index);
  gint64 start = g_get_monotonic_time ();
  Loading loading = { thread, item, 0 };
  gboolean shared = thread->sources && item->input;
  CapraImage *image = NULL;

  if (!capra_error_is_fatal ()) /* else a failing operation ends the process */
    capra_log_catcher_collect ();
  if (shared)
    image = run_sources_get (thread->sources, item->source, thread->device, load_image, &loading, &file->error);
  else if (item->input)
    image = load_image (item->source, &loading, &file->error);
  if (shared && loading.bytes > 0)
    run_sources_set_bytes (thread->sources, item->source, loading.bytes);
  if (image)
    file->warning = shared && item->value > 0 ? NULL : g_strdup (image->warning);
  if (!file->error)
    process (file, thread, item, image ? image->buffer : NULL);
  add_to_journal (file, batch, item);
  file->log = capra_log_catcher_collected ();
  run_graph_release (thread->graph);
  if (shared)
    loading.bytes = run_sources_release (thread->sources, item->source, thread->device);
  else
    g_clear_pointer (&image, capra_image_free);
  run_memory_room_give_back (thread->room, loading.bytes);
  file->time = g_get_monotonic_time () - start;
}

static void
print_table (BatchFile *file)
{
  if (!file->table || !file->table->len || (fputs (file->table->str, stdout) >= 0 && fflush (stdout) == 0))
    return;
  if (!file->error)
    g_set_error (&file->error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                 "cannot write the table to standard output: %s", g_strerror (errno));
}

gboolean
batch_file_has_report (const BatchFile *file, const RunBatch *batch)
{
  return batch->progress || file->error || file->journal_error || file->warning || (file->table && file->table->len)
         || (file->log && file->log->len) || capra_log_catcher_has_deferred ();
}

gboolean
batch_file_report (BatchFile *file, const RunBatch *batch)
{
  const RunItem *item = get_item (batch, file->index);
  g_autofree char *name = run_item_dup_name (item);
  const char *reason = NULL;

  print_table (file);
  reason = file->error ? file->error->message : NULL;
  if (file->warning)
    fprintf (stderr, "capra run: %s: %s\n", name, file->warning);
  if (file->log)
    capra_log_catcher_log (file->log, reason);
  capra_log_catcher_flush (reason);
  if (reason)
    fprintf (stderr, "capra run: %s: %s\n", name, reason);
  else if (batch->progress)
    fprintf (stderr, "[%u/%u] %s%s%s, %.0f ms\n", file->index + 1, batch->items->len, name, item->output ? " -> " : "",
             item->output ? item->output : "", (double) file->time / 1000.0);
  return !reason;
}

void
batch_file_clear (BatchFile *file)
{
  g_clear_pointer (&file->log, g_ptr_array_unref);
  g_clear_pointer (&file->warning, g_free);
  g_clear_error (&file->error);
  g_clear_error (&file->journal_error);
  if (file->table)
    g_string_free (g_steal_pointer (&file->table), TRUE);
}
