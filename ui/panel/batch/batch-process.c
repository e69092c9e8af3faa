/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-process: applies steps to many files in the background, by the program `capra run`. */
#include "ui/panel/batch/batch-process.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "runtime/base/write-text.h"
#include "ui/batch/journal.h"
#include "ui/panel/batch/batch-outputs.h"
#include "ui/panel/batch/batch-report.h"
#include "ui/panel/widgets/program.h"
#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/text/pipeline-xml.h"

struct _CapraBatchProcess {
  GObject parent_instance;
  GSubprocess *process;
  GDataInputStream *lines;
  CapraBatchReport *report;
  GCancellable *cancellable;
  gulong handler; /* of @cancellable */
  char *graph;    /* the file with the steps */
  char *journal;  /* of the program */
};

G_DEFINE_FINAL_TYPE (CapraBatchProcess, capra_batch_process, G_TYPE_OBJECT)

enum { PROGRESS, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

guint
capra_batch_process_count (CapraBatchProcess *process)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_PROCESS (process), 0);
  return capra_batch_report_count (process->report);
}

/* (nullable): a new file with the steps. */
static char *
write_graph (GPtrArray *steps, GError **error)
{
  g_autofree char *xml = capra_steps_to_xml (steps), *path = NULL;
  int descriptor = g_file_open_tmp ("capra-steps-XXXXXX.xml", &path, error);

  if (descriptor < 0)
    return NULL;
  g_close (descriptor, NULL);
  if (capra_write_text (path, xml, error))
    return g_steal_pointer (&path);
  g_remove (path);
  return NULL;
}

/* The journal is for a batch that is resumed, which the panel does not offer. */
static void
remove_files (CapraBatchProcess *self)
{
  if (self->graph)
    g_remove (self->graph);
  if (self->journal)
    g_remove (self->journal);
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraBatchProcess) self = data;
  g_autoptr (GError) error = NULL;
  gboolean good = g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  gboolean canceled = g_cancellable_is_cancelled (self->cancellable);
  const char *said = capra_batch_report_get_error (self->report);
  guint left = 0;

  remove_files (self);
  left = capra_batch_report_end (self->report);
  g_signal_emit (self, signals[PROGRESS], 0);
  g_signal_emit (self, signals[ENDED], 0, good || canceled || left == 0 ? NULL : said ? said : error->message);
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraBatchProcess) self = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (!line) /* the end */
    {
      g_subprocess_wait_check_async (self->process, NULL, on_ended, g_object_ref (self));
      return;
    }
  capra_batch_report_add_line (self->report, line);
  g_signal_emit (self, signals[PROGRESS], 0);
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
}

static void
on_canceled (GCancellable *cancellable, gpointer data)
{
  CapraBatchProcess *self = data;

  g_subprocess_send_signal (self->process, SIGTERM);
  g_remove (self->graph); /* if this program ends, too, nothing else removes it */
}

/* (element-type filename): NULL-terminated. The panel's job may be one of several of a cluster; the program is not. */
static GPtrArray *
list_arguments (const char *program, const char *graph, const char *dataset, const char *output, const char *tables,
                GListModel *items)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  const char *const first[] = { program,   "run", "--progress", "--rank=0", "--ranks=1",
                                "--graph", graph, "--output",   output };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_ptr_array_add (list, g_strdup (first[i]));
  if (dataset)
    g_ptr_array_add (list, g_strconcat ("--dataset=", dataset, NULL));
  if (tables)
    g_ptr_array_add (list, g_strconcat ("--tables=", tables, NULL));
  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      capra_batch_item_set_state (item, CAPRA_BATCH_WAITING, NULL);
      g_ptr_array_add (list, g_strdup (capra_batch_item_get_path (item)));
    }
  g_ptr_array_add (list, NULL);
  return list;
}

CapraBatchProcess *
capra_batch_process_start (GListModel *items, GPtrArray *steps, const char *dataset, const char *output,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (CapraBatchProcess) self = g_object_new (CAPRA_TYPE_BATCH_PROCESS, NULL);
  g_autofree char *program = capra_program_find (error);
  g_autofree char *tables = capra_steps_have_table (steps) ? capra_batch_outputs_name_table (output) : NULL;
  g_autoptr (GPtrArray) arguments = NULL;

  if (!program)
    return NULL;
  self->graph = write_graph (steps, error);
  if (!self->graph)
    return NULL;
  arguments = list_arguments (program, self->graph, dataset, output, tables, items);
  self->process = g_subprocess_newv ((const char *const *) arguments->pdata,
                                     G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (!self->process)
    {
      remove_files (self);
      return NULL;
    }
  self->journal = capra_journal_name (output);
  self->report = capra_batch_report_new (items);
  self->lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  self->cancellable = g_object_ref (cancellable);
  self->handler = g_cancellable_connect (cancellable, G_CALLBACK (on_canceled), self, NULL);
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
  return g_steal_pointer (&self);
}

static void
capra_batch_process_finalize (GObject *object)
{
  CapraBatchProcess *self = CAPRA_BATCH_PROCESS (object);

  if (self->handler)
    g_cancellable_disconnect (self->cancellable, self->handler);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->lines);
  g_clear_object (&self->process);
  g_clear_pointer (&self->report, capra_batch_report_free);
  g_free (self->graph);
  g_free (self->journal);
  G_OBJECT_CLASS (capra_batch_process_parent_class)->finalize (object);
}

static void
capra_batch_process_class_init (CapraBatchProcessClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_batch_process_finalize;
  signals[PROGRESS] = g_signal_new ("progress", CAPRA_TYPE_BATCH_PROCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", CAPRA_TYPE_BATCH_PROCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
}

static void
capra_batch_process_init (CapraBatchProcess *self)
{
}
