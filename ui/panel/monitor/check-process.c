/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check-process: the standard error of `capra check` reports the progress, the standard output the verdict as JSON. */
#include "ui/panel/monitor/check-process.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "ui/panel/widgets/program.h"

struct _CapraCheckProcess {
  GObject parent_instance;
  GSubprocess *process;
  GDataInputStream *lines; /* of its standard error */
  GOutputStream *output;   /* its standard output */
  guint open;              /* how many of them have not ended */
  char *message;           /* the last line that is not progress */
  char *family;            /* that runs */
  GCancellable *cancellable;
  gulong handler; /* of @cancellable */
};

G_DEFINE_FINAL_TYPE (CapraCheckProcess, capra_check_process, G_TYPE_OBJECT)

enum { PROGRESS, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* Adds the name of @result to those with its verdict. Returns FALSE if it is not a result. */
static gboolean
add_result (JsonNode *node, guint *passed, GPtrArray *differ, GPtrArray *failed)
{
  JsonObject *result = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *family = result ? json_object_get_string_member_with_default (result, "family", NULL) : NULL;
  const char *verdict = result ? json_object_get_string_member_with_default (result, "verdict", NULL) : NULL;

  if (!family || !verdict)
    return FALSE;
  if (g_str_equal (verdict, "passed"))
    (*passed)++;
  else if (g_str_equal (verdict, "differs"))
    g_ptr_array_add (differ, g_strdup (family));
  else if (g_str_equal (verdict, "failed"))
    g_ptr_array_add (failed, g_strdup (family));
  return TRUE;
}

/* The report of the program; NULL if it is not one. */
static CapraCheckRecord *
parse_report (const char *text, gssize length)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GPtrArray) differ = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) failed = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE);
  JsonNode *root = NULL, *results = NULL;

  if (!json_parser_load_from_data (parser, text, length, NULL))
    return NULL;
  root = json_parser_get_root (parser);
  if (root && JSON_NODE_HOLDS_OBJECT (root))
    results = json_object_get_member (json_node_get_object (root), "results");
  if (!results || !JSON_NODE_HOLDS_ARRAY (results))
    return NULL;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (results)); i++)
    if (!add_result (json_array_get_element (json_node_get_array (results), i), &record->passed, differ, failed))
      return NULL;
  g_ptr_array_add (differ, NULL);
  g_ptr_array_add (failed, NULL);
  g_strfreev (record->differ);
  g_strfreev (record->failed);
  record->differ = (char **) g_ptr_array_steal (differ, NULL);
  record->failed = (char **) g_ptr_array_steal (failed, NULL);
  record->ended = TRUE;
  record->unreliable = json_object_get_boolean_member_with_default (json_node_get_object (root), "unreliable", FALSE);
  return g_steal_pointer (&record);
}

/* (transfer full): why the process has not found a verdict. */
static char *
explain (CapraCheckProcess *self)
{
  if (g_subprocess_get_if_signaled (self->process))
    return g_strdup_printf (
      _ ("The check was ended by signal %d (%s) in: %s"), g_subprocess_get_term_sig (self->process),
      g_strsignal (g_subprocess_get_term_sig (self->process)), self->family ? self->family : _ ("start"));
  if (self->message)
    return g_strdup (self->message);
  return g_strdup_printf (_ ("The check ended with status %d and without a report"),
                          g_subprocess_get_exit_status (self->process));
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraCheckProcess) self = data;
  GMemoryOutputStream *memory = G_MEMORY_OUTPUT_STREAM (self->output);
  g_autoptr (CapraCheckRecord) record = NULL;
  g_autofree char *error = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  if (!g_cancellable_is_cancelled (self->cancellable))
    {
      if (g_subprocess_get_if_exited (self->process) && g_memory_output_stream_get_data_size (memory) > 0)
        record = parse_report (g_memory_output_stream_get_data (memory),
                               (gssize) g_memory_output_stream_get_data_size (memory));
      error = record ? NULL : explain (self);
    }
  g_signal_emit (self, signals[ENDED], 0, record, error);
}

/* One of the two streams has ended. */
static void
end_stream (CapraCheckProcess *self)
{
  if (--self->open == 0)
    g_subprocess_wait_async (self->process, NULL, on_ended, g_object_ref (self));
}

static void
on_output (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraCheckProcess) self = data;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, NULL);
  end_stream (self);
}

/* A line "[3/27] label", or a message. */
static void
read_line (CapraCheckProcess *self, const char *line)
{
  guint number = 0, count = 0;
  int start = 0;

  if (sscanf (line, "[%u/%u] %n", &number, &count, &start) == 2 && start > 0 && number <= count)
    {
      g_free (self->family);
      self->family = g_utf8_make_valid (line + start, -1);
      g_signal_emit (self, signals[PROGRESS], 0, number, count, self->family);
    }
  else if (*line)
    {
      g_free (self->message);
      self->message = g_utf8_make_valid (line, -1);
    }
}

static void
on_line (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraCheckProcess) self = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (!line) /* the end */
    {
      end_stream (self);
      return;
    }
  read_line (self, line);
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
}

/* A driver may ignore other signals. */
static void
on_canceled (GCancellable *cancellable, gpointer data)
{
  g_subprocess_force_exit (CAPRA_CHECK_PROCESS (data)->process);
}

static GSubprocess *
spawn (CapraDevice *device, GError **error)
{
  g_autofree char *program = capra_program_find (error);

  if (!program)
    return NULL;
  return g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, program, "check",
                           "--device", capra_device_get_info (device)->id, "--json", "--progress", NULL);
}

CapraCheckProcess *
capra_check_process_start (CapraDevice *device, GCancellable *cancellable, GError **error)
{
  g_autoptr (CapraCheckProcess) self = g_object_new (CAPRA_TYPE_CHECK_PROCESS, NULL);

  self->process = spawn (device, error);
  if (!self->process)
    return NULL;
  self->lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (self->process));
  self->output = g_memory_output_stream_new_resizable ();
  self->cancellable = g_object_ref (cancellable);
  self->handler = g_cancellable_connect (cancellable, G_CALLBACK (on_canceled), self, NULL);
  self->open = 2;
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT, NULL, on_line, g_object_ref (self));
  g_output_stream_splice_async (self->output, g_subprocess_get_stdout_pipe (self->process),
                                G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, G_PRIORITY_DEFAULT, NULL, on_output,
                                g_object_ref (self));
  return g_steal_pointer (&self);
}

static void
capra_check_process_finalize (GObject *object)
{
  CapraCheckProcess *self = CAPRA_CHECK_PROCESS (object);

  if (self->handler)
    g_cancellable_disconnect (self->cancellable, self->handler);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->lines);
  g_clear_object (&self->output);
  g_clear_object (&self->process);
  g_free (self->message);
  g_free (self->family);
  G_OBJECT_CLASS (capra_check_process_parent_class)->finalize (object);
}

static void
capra_check_process_class_init (CapraCheckProcessClass *class)
{
  G_OBJECT_CLASS (class)->finalize = capra_check_process_finalize;
  signals[PROGRESS] = g_signal_new ("progress", CAPRA_TYPE_CHECK_PROCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_UINT, G_TYPE_STRING);
  signals[ENDED] = g_signal_new ("ended", CAPRA_TYPE_CHECK_PROCESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 2, G_TYPE_POINTER, G_TYPE_STRING);
}

static void
capra_check_process_init (CapraCheckProcess *self)
{
}
