/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-file: reads, processes and writes one image of a batch. */
#include "ui/cli/run/batch-file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capra.h"
#include "ui/cli/run/output-names.h"
#include "ui/cli/run/run-figure.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/log-catcher.h"
#include "ui/pipeline/read/raw-values.h"

/* The memory that a thread has taken for its image. */
typedef struct {
  RunMemoryRoom *room;
  guint64 bytes;
} Taken;

static void
take_memory (guint64 bytes, gpointer data)
{
  Taken *taken = data;

  run_memory_room_take (taken->room, bytes);
  taken->bytes += bytes;
}

static CapraImage *
read_image (const RunBatch *batch, guint i, Taken *taken, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (batch->inputs[i]);

  if (run_graph_is_data (batch->graph))
    return capra_raw_values_load_sized (file, take_memory, taken, error);
  return capra_image_load_sized (file, run_decode_ahead_take (batch->ahead, i), take_memory, taken, error);
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

/* The file that the graph or the image is read from, for its header. */
static char *
find_source (const RunBatch *batch, RunGraph *graph, guint i)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  if (batch->inputs[0])
    return g_strdup (batch->inputs[i]);
  run_graph_add_files (graph, files);
  return files->len ? g_strdup (files->pdata[0]) : NULL;
}

/* @table: (nullable): the text of the graph's tables, or else @table_path is their file */
static void
draw_figure (BatchFile *file, const RunBatch *batch, guint count, RunGraph *graph, GeglBuffer *shown,
             const GString *table, const char *table_path)
{
  guint i = file->number - 1;
  g_autofree char *path = run_name_expand (batch->figures, batch->inputs[i], file->number, count);
  g_autofree char *source = find_source (batch, graph, i);

  run_figure_draw (path, shown, source, table ? table->str : NULL, table_path, &file->error);
}

/* Tables of several images for standard output are kept until they are reported. Figures need the table, too. */
static void
process (BatchFile *file, const RunBatch *batch, guint count, RunGraph *graph, GeglBuffer *image)
{
  guint i = file->number - 1;
  g_autoptr (GFile) output = batch->outputs ? g_file_new_for_path (batch->outputs[i]) : NULL;
  g_autofree char *path = batch->tables ? run_name_expand (batch->tables, batch->inputs[i], file->number, count) : NULL;
  g_autoptr (GeglBuffer) result = NULL;
  gboolean shows_result = run_figure_shows_result (), printed = g_strcmp0 (path, "-") == 0;
  gboolean marks_table = run_figure_needs_table () && (!path || printed);
  g_autoptr (GString) text = marks_table || (printed && count > 1) ? g_string_new (NULL) : NULL;
  RunTables tables = { .path = path, .text = text };
  if (run_graph_process (graph, image, output, choose_bits (batch, image), &tables, &file->progress,
                         shows_result ? &result : NULL, &file->error)
      && batch->figures)
    draw_figure (file, batch, count, graph, shows_result ? result : image, text, path);
  if (printed)
    file->table = g_steal_pointer (&text);
}

const char *
batch_file_get_name (const RunBatch *batch, const BatchFile *file)
{
  return batch->inputs[0] ? batch->inputs[file->number - 1] : "graph";
}

void
batch_file_run (BatchFile *file, const RunBatch *batch, guint count, RunGraph *graph, RunMemoryRoom *room)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (CapraImage) image = NULL;
  Taken taken = { .room = room };

  if (!capra_error_is_fatal ()) /* else a failing operation ends the process */
    capra_log_catcher_collect ();
  if (batch->inputs[0])
    image = read_image (batch, file->number - 1, &taken, &file->error);
  if (image)
    file->warning = g_steal_pointer (&image->warning);
  if (!file->error)
    process (file, batch, count, graph, image ? image->buffer : NULL);
  file->log = capra_log_catcher_collected ();
  run_graph_release (graph);
  g_clear_pointer (&image, capra_image_free);
  run_memory_room_give_back (room, taken.bytes);
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
batch_file_report (BatchFile *file, const RunBatch *batch, guint count)
{
  const char *name = batch_file_get_name (batch, file);
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
    fprintf (stderr, "[%u/%u] %s%s%s, %.0f ms\n", file->number, count, name, batch->outputs ? " -> " : "",
             batch->outputs ? batch->outputs[file->number - 1] : "", (double) file->time / 1000.0);
  return !reason;
}

void
batch_file_clear (BatchFile *file)
{
  g_clear_pointer (&file->log, g_ptr_array_unref);
  g_clear_pointer (&file->warning, g_free);
  g_clear_error (&file->error);
  if (file->table)
    g_string_free (g_steal_pointer (&file->table), TRUE);
}
