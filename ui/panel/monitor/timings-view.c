/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timings view: a table of timing rows of one program or of all, and a timeline. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/monitor/command-trace.h"
#include "ui/panel/monitor/timeline-strip.h"
#include "ui/panel/monitor/timing-row.h"
#include "ui/panel/monitor/timing-table.h"
#include "ui/panel/monitor/timings-view.h"
#include "ui/panel/widgets/ellipsis.h"
#include "ui/panel/widgets/toast.h"
#include "ui/panel/widgets/units.h"
#include "ui/pipeline/write/save.h"

/* How long the rows of a program that has ended are shown. */
#define ENDED_TIME (10 * G_TIME_SPAN_SECOND)

struct _CapraTimingsView {
  GtkWidget parent_instance;
  GtkWidget *box, *chooser, *keep, *copy, *export, *reset, *message, *summary, *expander;
  CapraTimingTable *table;
  CapraTimelineStrip *strip;
  CapraProcesses *processes;
  GListStore *rows; /* of CapraTimingRow, all */
  GtkFilter *filter;
  GtkStringList *names;
  GArray *pids; /* of the entries of the chooser, except the first one */
  gint64 pid;   /* the process that is shown; 0 for all */
  guint timer;  /* removes the rows of ended programs */
};

G_DEFINE_FINAL_TYPE (CapraTimingsView, capra_timings_view, GTK_TYPE_WIDGET)

static gboolean
is_shown (gpointer item, gpointer data)
{
  CapraTimingsView *view = data;

  return view->pid == 0 || capra_timing_row_get_pid (item) == view->pid;
}

static void
show_summary (CapraTimingsView *view)
{
  GListModel *shown = capra_timing_table_get_shown (view->table);
  guint n = g_list_model_get_n_items (shown);
  guint64 count = 0;
  double total = 0;
  g_autofree char *time = NULL, *text = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (shown, i);

      count += capra_timing_row_get_count (row);
      total += capra_timing_row_get_total (row);
    }
  time = capra_units_time (total);
  /* Translators: the number of transfers and kernels, and their total time */
  text = g_strdup_printf (
    g_dngettext (GETTEXT_PACKAGE, "%lu command, total %s", "%lu commands, total %s", (gulong) count), (gulong) count,
    time);
  gtk_label_set_text (GTK_LABEL (view->summary), text);
  capra_timing_table_update (view->table);
}

static void
show_trace (CapraTimingsView *view, const CapraMonitorProcess *process)
{
  g_autoptr (CapraCommandTrace) trace = NULL;

  if ((view->pid == 0 || view->pid == process->pid) && (trace = capra_command_trace_new_latest (process)))
    capra_timeline_strip_set_trace (view->strip, trace);
}

/* Removes rows without statistics: the process has reset its timeline. */
static void
remove_obsolete (CapraTimingsView *view, const CapraMonitorProcess *process)
{
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (view->rows)); i-- > 0;)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (G_LIST_MODEL (view->rows), i);
      gboolean found = capra_timing_row_get_pid (row) != process->pid || capra_timing_row_get_end (row) != 0;

      for (guint t = 0; t < process->timings->len && !found; t++)
        found = capra_timing_row_matches (row, process, &g_array_index (process->timings, CapraMonitorTiming, t));
      if (!found)
        g_list_store_remove (view->rows, i);
    }
}

static void
update_rows (CapraTimingsView *view, const CapraMonitorProcess *process)
{
  remove_obsolete (view, process);
  for (guint t = 0; t < process->timings->len; t++)
    {
      const CapraMonitorTiming *timing = &g_array_index (process->timings, CapraMonitorTiming, t);
      gboolean found = FALSE;

      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (view->rows)) && !found; i++)
        {
          g_autoptr (CapraTimingRow) row = g_list_model_get_item (G_LIST_MODEL (view->rows), i);

          found = capra_timing_row_matches (row, process, timing);
          if (found)
            capra_timing_row_update (row, timing);
        }
      if (!found)
        {
          g_autoptr (CapraTimingRow) row = capra_timing_row_new (process, timing);

          g_list_store_append (view->rows, row);
        }
    }
}

/* Marks the rows of a process that ended. */
static void
end_rows (CapraTimingsView *view, gint64 pid)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (view->rows)); i++)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (G_LIST_MODEL (view->rows), i);

      if (capra_timing_row_get_pid (row) == pid)
        capra_timing_row_end (row);
    }
}

/* Removes the rows of programs that ended at least @delay ago, unless they are to be kept. Returns whether rows of
 * ended programs remain. */
static gboolean
remove_ended (CapraTimingsView *view, gint64 delay)
{
  gboolean remain = FALSE;

  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (view->keep)))
    return FALSE;
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (view->rows)); i-- > 0;)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (G_LIST_MODEL (view->rows), i);
      gint64 end = capra_timing_row_get_end (row);

      if (end && g_get_monotonic_time () - end >= delay)
        g_list_store_remove (view->rows, i);
      else if (end)
        remain = TRUE;
    }
  show_summary (view);
  return remain;
}

static gboolean
on_timer (gpointer data)
{
  CapraTimingsView *view = data;

  if (remove_ended (view, ENDED_TIME))
    return G_SOURCE_CONTINUE;
  view->timer = 0;
  return G_SOURCE_REMOVE;
}

/* Adds a process to the chooser, whose first entry is for all programs. */
static void
add_name (CapraTimingsView *view, const CapraMonitorProcess *process)
{
  g_autofree char *title = capra_process_title (process);

  g_array_append_val (view->pids, process->pid);
  gtk_string_list_append (view->names, title);
}

static void
remove_name (CapraTimingsView *view, gint64 pid)
{
  for (guint i = 0; i < view->pids->len; i++)
    if (g_array_index (view->pids, gint64, i) == pid)
      {
        if (view->pid == pid)
          gtk_drop_down_set_selected (GTK_DROP_DOWN (view->chooser), 0);
        g_array_remove_index (view->pids, i);
        gtk_string_list_remove (view->names, i + 1);
        return;
      }
}

static void
on_event (CapraProcesses *processes, const CapraMonitorProcess *process, CapraMonitorEvent event, gpointer data)
{
  CapraTimingsView *view = data;

  if (event == CAPRA_MONITOR_APPEARED)
    add_name (view, process);
  update_rows (view, process);
  if (event == CAPRA_MONITOR_LEFT)
    {
      remove_name (view, process->pid);
      end_rows (view, process->pid);
      if (view->timer == 0)
        view->timer = g_timeout_add_seconds (1, on_timer, view);
    }
  show_trace (view, process);
  show_summary (view);
}

static void
on_statistics_reset (CapraProcesses *processes, gpointer data)
{
  CapraTimingsView *view = data;

  g_list_store_remove_all (view->rows);
  capra_timeline_strip_set_trace (view->strip, NULL);
  show_summary (view);
}

static void
on_chosen (GObject *chooser, GParamSpec *spec, gpointer data)
{
  CapraTimingsView *view = data;
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (chooser));
  const GPtrArray *list = capra_processes_list (view->processes);

  view->pid = selected > 0 && selected <= view->pids->len ? g_array_index (view->pids, gint64, selected - 1) : 0;
  gtk_filter_changed (view->filter, GTK_FILTER_CHANGE_DIFFERENT);
  for (guint i = 0; i < list->len; i++)
    show_trace (view, list->pdata[i]);
  show_summary (view);
}

static void
on_keep (CapraTimingsView *view)
{
  remove_ended (view, 0);
}

static void
on_reset (CapraTimingsView *view)
{
  capra_processes_reset (view->processes);
}

static void
on_copy (CapraTimingsView *view)
{
  g_autofree char *csv = capra_timings_view_to_csv (view);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view)), csv);
  capra_toast_show (GTK_WIDGET (view), _ ("Copied as CSV"));
}

static void
show_message (CapraTimingsView *view, const char *text)
{
  gtk_label_set_text (GTK_LABEL (view->message), text ? text : "");
  gtk_widget_set_visible (view->message, text != NULL);
}

/* GtkFileDialog needs GTK 4.10. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static void
on_export_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  CapraTimingsView *view = data;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = capra_timings_view_to_csv (view);

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file)
    capra_save_text (file, csv, &error);
  show_message (view, error ? error->message : NULL);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

static void
on_export (CapraTimingsView *view)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (view));
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Export Timings"), GTK_WINDOW (root),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "capra-timings.csv");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_export_response), view, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

G_GNUC_END_IGNORE_DEPRECATIONS

static void
capra_timings_view_dispose (GObject *object)
{
  CapraTimingsView *view = CAPRA_TIMINGS_VIEW (object);

  g_clear_handle_id (&view->timer, g_source_remove);
  g_clear_pointer (&view->box, gtk_widget_unparent);
  g_clear_object (&view->filter);
  g_clear_object (&view->rows);
  g_clear_object (&view->names);
  g_clear_object (&view->processes);
  G_OBJECT_CLASS (capra_timings_view_parent_class)->dispose (object);
}

static void
capra_timings_view_finalize (GObject *object)
{
  g_array_unref (CAPRA_TIMINGS_VIEW (object)->pids);
  G_OBJECT_CLASS (capra_timings_view_parent_class)->finalize (object);
}

static void
capra_timings_view_class_init (CapraTimingsViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = capra_timings_view_dispose;
  G_OBJECT_CLASS (class)->finalize = capra_timings_view_finalize;
  g_type_ensure (CAPRA_TYPE_TIMING_TABLE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/capra/Panel/views/timings-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, box);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, chooser);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, keep);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, copy);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, export);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, reset);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, message);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, table);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, summary);
  gtk_widget_class_bind_template_child (widget_class, CapraTimingsView, expander);
  gtk_widget_class_bind_template_callback (widget_class, on_keep);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback (widget_class, on_export);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
}

static void
capra_timings_view_init (CapraTimingsView *view)
{
  const char *first[] = { _ ("All programs"), NULL };
  g_autoptr (GtkFilterListModel) filtered = NULL;

  gtk_widget_init_template (GTK_WIDGET (view));
  view->pids = g_array_new (FALSE, FALSE, sizeof (gint64));
  view->rows = g_list_store_new (CAPRA_TYPE_TIMING_ROW);
  view->filter = GTK_FILTER (gtk_custom_filter_new (is_shown, view, NULL));
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (view->rows)), g_object_ref (view->filter));
  capra_timing_table_set_rows (view->table, G_LIST_MODEL (filtered));

  view->names = gtk_string_list_new (first);
  gtk_drop_down_set_model (GTK_DROP_DOWN (view->chooser), G_LIST_MODEL (view->names));
  capra_drop_down_ellipsize (GTK_DROP_DOWN (view->chooser));
  g_signal_connect (view->chooser, "notify::selected", G_CALLBACK (on_chosen), view);
  view->strip = CAPRA_TIMELINE_STRIP (capra_timeline_strip_new ());
  gtk_expander_set_child (GTK_EXPANDER (view->expander), GTK_WIDGET (view->strip));
}

GtkWidget *
capra_timings_view_new (CapraProcesses *processes)
{
  CapraTimingsView *view = g_object_new (CAPRA_TYPE_TIMINGS_VIEW, NULL);
  const GPtrArray *list = capra_processes_list (processes);

  view->processes = g_object_ref (processes);
  g_signal_connect_object (processes, "event", G_CALLBACK (on_event), view, 0);
  g_signal_connect_object (processes, "reset", G_CALLBACK (on_statistics_reset), view, 0);
  for (guint i = 0; i < list->len; i++)
    on_event (processes, list->pdata[i], CAPRA_MONITOR_APPEARED, view);
  show_message (view, capra_processes_get_error (processes));
  show_summary (view);
  return GTK_WIDGET (view);
}

char *
capra_timings_view_to_csv (CapraTimingsView *view)
{
  g_return_val_if_fail (CAPRA_IS_TIMINGS_VIEW (view), NULL);
  return capra_timing_rows_to_csv (capra_timing_table_get_shown (view->table));
}
