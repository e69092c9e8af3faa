/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-journal: the journal of a batch, and the items that it lists. */
#include "ui/cli/run/run-journal.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ui/cli/run/run-figure.h"

/* Collects the items whose results exist. */
typedef struct {
  const RunBatch *batch;
  gboolean *finished;
} Found;

/* The name, size and time of a file. */
static void
add_file (GString *text, const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) == 0)
    g_string_append_printf (text, "%s\n%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld\n", path,
                            (gint64) status.st_size, (gint64) status.st_mtim.tv_sec, (long) status.st_mtim.tv_nsec);
  else
    g_string_append_printf (text, "%s\n-\n", path);
}

static void
describe_graph (const RunBatch *batch, CapraJournalHeader *header)
{
  g_autofree char *graph = run_graph_to_text (batch->graph);
  g_autoptr (GString) text = g_string_new (graph);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  run_graph_add_files (batch->graph, files);
  for (guint i = 0; i < files->len; i++)
    add_file (text, files->pdata[i]);
  if (batch->values)
    {
      g_autofree char *values = g_strjoinv ("\n", batch->values->texts);

      g_string_append_printf (text, "%u %s\n%s\n", batch->values->step, batch->values->property->name, values);
    }
  capra_journal_hash (header->graph, text->str);
}

static void
describe_inputs (const RunBatch *batch, CapraJournalHeader *header)
{
  g_autoptr (GString) text = g_string_new (batch->dataset);
  const char *last = NULL;

  for (guint i = 0; i < batch->items->len; i++)
    {
      const RunItem *item = &g_array_index (batch->items, RunItem, i);

      if (item->input && item->input != last)
        add_file (text, item->input);
      last = item->input;
      g_string_append_printf (text, "%" G_GINT64_FORMAT " %d\n", item->frame, item->value);
    }
  capra_journal_hash (header->inputs, text->str);
}

static void
describe_options (const RunBatch *batch, const RunJournalOptions *options, CapraJournalHeader *header)
{
  g_autofree char *figures = run_figure_dup_options ();
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%s\n%d %d\n%s\n", options->output ? options->output : "",
                                           batch->tables ? batch->tables : "", figures, batch->bits,
                                           run_graph_is_data (batch->graph), options->device ? options->device : "");

  capra_journal_hash (header->options, text);
}

/* Whether the item's file exists. @pattern: (nullable): of the tables or figures */
static gboolean
has_file (const RunBatch *batch, const char *pattern, guint64 index)
{
  const RunItem *item = &g_array_index (batch->items, RunItem, (guint) index);
  guint values = batch->values ? batch->values->count : 0;
  g_autofree char *path = pattern ? run_item_expand (pattern, item, (guint) index, batch->items->len, values) : NULL;

  return !path || strcmp (path, "-") == 0 || g_file_test (path, G_FILE_TEST_EXISTS);
}

/* An item whose result was removed or replaced, or whose table or figure was removed, is processed again. */
static void
on_item (guint64 index, guint64 size, gpointer data)
{
  Found *found = data;
  const RunItem *item = &g_array_index (found->batch->items, RunItem, (guint) index);
  GStatBuf status;

  if (found->batch->stack)
    found->finished[index] = capra_result_stack_has (found->batch->stack, index);
  else
    found->finished[index] = !item->output || (g_stat (item->output, &status) == 0 && (guint64) status.st_size == size);
  found->finished[index] = found->finished[index] && has_file (found->batch, found->batch->tables, index)
                           && has_file (found->batch, found->batch->figures, index);
}

gboolean
run_journal_open (RunBatch *batch, const RunJournalOptions *options, gboolean **finished, GError **error)
{
  const char *files = batch->tables ? batch->tables : batch->figures;
  const char *pattern = options->output ? options->output : files;
  CapraJournalHeader header = { .items = batch->items->len };
  g_autofree gboolean *done = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) local = NULL;
  Found found = { batch, NULL };

  *finished = NULL;
  if (batch->items->len < 2 || strcmp (pattern, "-") == 0)
    {
      if (!options->resume || batch->items->len < 2)
        return TRUE;
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                           "--resume needs files as results; tables on standard output cannot be resumed");
      return FALSE;
    }
  path = capra_journal_name (pattern);
  describe_graph (batch, &header);
  describe_inputs (batch, &header);
  describe_options (batch, options, &header);
  if (options->resume)
    found.finished = done = g_new0 (gboolean, batch->items->len);
  batch->journal = capra_journal_open (path, &options->ranks, &header, done ? on_item : NULL, &found, &local);
  /* Several processes may write different images to one folder; the first one has the journal. */
  if (!options->resume && !batch->stack && g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_AGAIN))
    return TRUE;
  if (!batch->journal)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *finished = g_steal_pointer (&done);
  batch->finished = *finished;
  return TRUE;
}
