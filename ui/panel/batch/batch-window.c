/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-window: applies the steps of a window to many files. */
#include "ui/panel/batch/batch-window.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/batch/batch-files.h"
#include "ui/panel/batch/batch-open.h"
#include "ui/panel/batch/batch-outputs.h"
#include "ui/panel/batch/batch-process.h"
#include "ui/panel/batch/batch-remove.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/panel/window/file-dialogs.h"
#include "ui/pipeline/graph/graph-numbers.h"
#include "ui/pipeline/text/raw-mark.h"

struct _CapraBatchWindow {
  AdwWindow parent_instance;
  AdwWindowTitle *title;
  GtkWidget *add_button, *folder_button, *apply_button, *output_group, *tables_note, *clear_button, *show_button;
  CapraTaskButton *tasks;
  GtkStack *stack;
  GtkListView *list;
  AdwActionRow *output_row;
  GtkEditable *names_row, *dataset_row;
  GtkLabel *status;

  CapraTaskButton *other_tasks; /* of the window with the steps; a weak pointer */
  CapraStepModel *pipeline;
  GListStore *items;
  GFile *output;              /* the folder; NULL until there is a file */
  GCancellable *searching;    /* for files; canceled when the window is destroyed */
  GCancellable *cancellable;  /* while the program runs */
  CapraBatchProcess *process; /* likewise */
  CapraTask *task;            /* likewise */
  gboolean closing;           /* the window is to be closed when the program has ended */
};

G_DEFINE_FINAL_TYPE (CapraBatchWindow, capra_batch_window, ADW_TYPE_WINDOW)

static guint
count (CapraBatchWindow *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->items));
}

static void
show_status (CapraBatchWindow *self, const char *text, gboolean failed)
{
  gtk_label_set_text (self->status, text);
  if (failed)
    gtk_widget_add_css_class (GTK_WIDGET (self->status), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->status), "error");
}

static gboolean
have_tables (CapraBatchWindow *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);

  return capra_steps_have_table (steps);
}

static void
update (CapraBatchWindow *self)
{
  guint n = count (self), n_steps = capra_step_model_get_length (self->pipeline);
  gboolean idle = !self->process;
  g_autofree char *steps = g_strdup_printf (ngettext ("%u step", "%u steps", n_steps), n_steps);
  g_autofree char *files = g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  g_autofree char *subtitle = g_strdup_printf ("%s, %s", steps, files);
  const char *folder = self->output ? g_file_peek_path (self->output) : NULL;
  g_autofree char *shown = folder ? g_filename_display_name (folder) : g_strdup ("");

  adw_window_title_set_subtitle (self->title, subtitle);
  adw_action_row_set_subtitle (self->output_row, shown);
  gtk_widget_set_visible (self->tables_note, have_tables (self));
  gtk_stack_set_visible_child_name (self->stack, n > 0 ? "files" : "empty");
  gtk_widget_set_sensitive (self->add_button, idle);
  gtk_widget_set_sensitive (self->folder_button, idle);
  gtk_widget_set_sensitive (self->output_group, idle);
  gtk_widget_set_sensitive (self->clear_button, idle && n > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "batch.remove", idle);
  gtk_widget_set_visible (self->apply_button, idle); /* meanwhile there is a button to cancel */
  gtk_widget_set_sensitive (self->apply_button, n > 0 && n_steps > 0 && self->output);
  gtk_widget_set_sensitive (self->show_button, self->output != NULL);
}

void
capra_batch_window_set_output (CapraBatchWindow *window, GFile *folder)
{
  g_return_if_fail (CAPRA_IS_BATCH_WINDOW (window));
  g_set_object (&window->output, folder);
  update (window);
}

void
capra_batch_window_set_names (CapraBatchWindow *window, const char *names)
{
  g_return_if_fail (CAPRA_IS_BATCH_WINDOW (window));
  gtk_editable_set_text (window->names_row, names);
}

void
capra_batch_window_set_dataset (CapraBatchWindow *window, const char *dataset)
{
  g_return_if_fail (CAPRA_IS_BATCH_WINDOW (window));
  gtk_editable_set_text (window->dataset_row, dataset ? dataset : "");
  gtk_widget_set_visible (GTK_WIDGET (window->dataset_row), dataset != NULL);
}

GListModel *
capra_batch_window_get_items (CapraBatchWindow *window)
{
  g_return_val_if_fail (CAPRA_IS_BATCH_WINDOW (window), NULL);
  return G_LIST_MODEL (window->items);
}

/* Files that are in the list already are not added again. */
static void
add_paths (CapraBatchWindow *self, GPtrArray *paths)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < count (self); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      g_hash_table_add (known, g_strdup (capra_batch_item_get_path (item)));
    }
  for (guint i = 0; i < paths->len; i++)
    if (g_hash_table_add (known, g_strdup (paths->pdata[i])))
      g_ptr_array_add (added, capra_batch_item_new (paths->pdata[i]));
  if (!self->output && paths->len > 0)
    {
      g_autofree char *folder = g_path_get_dirname (paths->pdata[0]);

      self->output = g_file_new_for_path (folder);
    }
  g_list_store_splice (self->items, count (self), 0, added->pdata, added->len);
  update (self);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraBatchWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) paths = capra_batch_files_find_finish (result, &error);

  if (!self->items || self->process)
    return;
  if (paths)
    add_paths (self, paths);
  show_status (self,
               error             ? error->message
               : paths->len == 0 ? _ ("The folder contains no images.")
                                 : "",
               error != NULL);
}

void
capra_batch_window_add (CapraBatchWindow *window, GListModel *files)
{
  g_autoptr (GtkFileFilter) filter = capra_file_dialogs_image_filter_new ();

  g_return_if_fail (CAPRA_IS_BATCH_WINDOW (window));
  capra_batch_files_find_async (files, filter, window->searching, on_found, g_object_ref (window));
}

static void
on_files_chosen (gpointer self, GListModel *files)
{
  capra_batch_window_add (self, files);
}

static void
on_add_files (CapraBatchWindow *self)
{
  capra_file_dialogs_add_images (GTK_WINDOW (self), FALSE, on_files_chosen, self);
}

static void
on_add_folder (CapraBatchWindow *self)
{
  capra_file_dialogs_add_images (GTK_WINDOW (self), TRUE, on_files_chosen, self);
}

static void
on_output_chosen (gpointer self, GFile *folder)
{
  capra_batch_window_set_output (self, folder);
}

static void
on_choose_output (CapraBatchWindow *self)
{
  capra_file_dialogs_choose_folder (GTK_WINDOW (self), self->output, on_output_chosen, self);
}

static void
on_clear (CapraBatchWindow *self)
{
  g_list_store_remove_all (self->items);
  show_status (self, "", FALSE);
  update (self);
}

static void
on_remove (GtkWidget *window, const char *action, GVariant *uri)
{
  CapraBatchWindow *self = CAPRA_BATCH_WINDOW (window);

  capra_batch_remove_uri (self->items, g_variant_get_string (uri, NULL));
  show_status (self, "", FALSE);
  update (self);
  if (count (self) == 0)
    gtk_widget_grab_focus (self->add_button);
}

static void
on_show_folder (CapraBatchWindow *self)
{
  g_autofree char *uri = g_file_get_uri (self->output);

  gtk_show_uri (GTK_WINDOW (self), uri, GDK_CURRENT_TIME);
}

static void
on_activate (CapraBatchWindow *self, guint position)
{
  g_autoptr (CapraBatchItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), position);

  if (item)
    capra_batch_open_item (GTK_WIDGET (self), item);
}

static void
on_progress (CapraBatchWindow *self)
{
  guint done = capra_batch_process_count (self->process);
  g_autofree char *text = g_strdup_printf (_ ("%u of %u"), done, count (self));

  show_status (self, text, FALSE);
  capra_task_set_fraction (self->task, (double) done / MAX (count (self), 1));
}

static void
end (CapraBatchWindow *self)
{
  if (self->task)
    capra_task_end (self->task);
  g_clear_object (&self->task);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->process);
}

static void
on_ended (CapraBatchWindow *self, const char *message)
{
  gboolean failed;
  g_autofree char *result = capra_batch_items_summarize (G_LIST_MODEL (self->items), &failed);

  end (self);
  show_status (self, message ? message : result, message || failed);
  update (self);
  if (self->closing)
    gtk_window_close (GTK_WINDOW (self));
}

static void
start (CapraBatchWindow *self, const char *pattern)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  const char *dataset = gtk_editable_get_text (self->dataset_row);
  g_autofree char *title = g_strdup_printf (ngettext ("Applying to %u file", "Applying to %u files", count (self)),
                                            count (self));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  self->process = capra_batch_process_start (G_LIST_MODEL (self->items), steps, *dataset ? dataset : NULL, pattern,
                                             cancellable, &error);
  if (!self->process)
    {
      show_status (self, error->message, TRUE);
      return;
    }
  self->cancellable = g_steal_pointer (&cancellable);
  self->task = capra_task_new (title, self->cancellable);
  g_signal_connect_object (self->process, "progress", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->process, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  capra_task_button_add (self->tasks, self->task);
  if (self->other_tasks)
    capra_task_button_add (self->other_tasks, self->task);
  on_progress (self);
  gtk_widget_grab_focus (gtk_widget_get_first_child (GTK_WIDGET (self->list))); /* the button that has it is hidden */
  update (self);
}

/* NULL, with the status shown, if the names cannot be used. */
static char *
set_outputs (CapraBatchWindow *self)
{
  gboolean raw = capra_step_model_get_raw_values (self->pipeline);
  g_autoptr (GError) error = NULL;
  char *pattern = capra_batch_outputs_set (G_LIST_MODEL (self->items), g_file_peek_path (self->output),
                                           gtk_editable_get_text (self->names_row), raw, have_tables (self), &error);

  show_status (self, error ? error->message : "", error != NULL);
  return pattern;
}

static void
on_replace_response (CapraBatchWindow *self, const char *response)
{
  g_autofree char *pattern = g_str_equal (response, "replace") && !self->process ? set_outputs (self) : NULL;

  if (pattern)
    start (self, pattern);
}

static void
ask_to_replace (CapraBatchWindow *self, guint existing)
{
  g_autofree char *title = g_strdup_printf (ngettext ("Replace %u File?", "Replace %u Files?", existing), existing);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), title,
                                              _ ("Files of these names exist already in the folder."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "replace", _ ("_Replace"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "replace", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_replace_response), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_apply (CapraBatchWindow *self)
{
  g_autofree char *pattern = set_outputs (self);
  guint existing = pattern ? capra_batch_outputs_count_existing (G_LIST_MODEL (self->items)) : 0;

  if (existing > 0)
    ask_to_replace (self, existing);
  else if (pattern)
    start (self, pattern);
}

static void
on_close_response (CapraBatchWindow *self, const char *response)
{
  if (!g_str_equal (response, "cancel"))
    return;
  self->closing = TRUE;
  if (self->task)
    capra_task_cancel (self->task);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static gboolean
capra_batch_window_close_request (GtkWindow *window)
{
  CapraBatchWindow *self = CAPRA_BATCH_WINDOW (window);
  GtkWidget *dialog = NULL;

  if (!self->process)
    return GTK_WINDOW_CLASS (capra_batch_window_parent_class)->close_request (window);
  dialog = adw_message_dialog_new (window, _ ("Files Are Being Processed"),
                                   _ ("Results that were written already are kept."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel Processing"), "continue",
                                    _ ("C_ontinue"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "cancel", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "continue");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "continue");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_close_response), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  CapraBatchWindow *self = data;
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  for (GSList *list = g_value_get_boxed (value); list; list = list->next)
    g_list_store_append (files, list->data);
  if (!self->process)
    capra_batch_window_add (self, G_LIST_MODEL (files));
  return !self->process;
}

static void
capra_batch_window_dispose (GObject *object)
{
  CapraBatchWindow *self = CAPRA_BATCH_WINDOW (object);

  g_cancellable_cancel (self->searching);
  if (self->process)
    g_signal_handlers_disconnect_by_data (self->process, self);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  end (self);
  g_clear_weak_pointer (&self->other_tasks);
  g_clear_object (&self->pipeline);
  g_clear_object (&self->items);
  g_clear_object (&self->output);
  G_OBJECT_CLASS (capra_batch_window_parent_class)->dispose (object);
}

static void
capra_batch_window_finalize (GObject *object)
{
  g_object_unref (CAPRA_BATCH_WINDOW (object)->searching);
  G_OBJECT_CLASS (capra_batch_window_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *klass)
{
  g_type_ensure (CAPRA_TYPE_BATCH_ITEM);
  g_type_ensure (CAPRA_TYPE_TASK_BUTTON);
  gtk_widget_class_set_template_from_resource (klass, CAPRA_PANEL_RESOURCE "batch-window.ui");
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, title);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, add_button);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, folder_button);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, apply_button);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, tasks);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, stack);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, list);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, output_group);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, output_row);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, tables_note);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, names_row);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, dataset_row);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, status);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, clear_button);
  gtk_widget_class_bind_template_child (klass, CapraBatchWindow, show_button);
  gtk_widget_class_bind_template_callback (klass, on_add_files);
  gtk_widget_class_bind_template_callback (klass, on_add_folder);
  gtk_widget_class_bind_template_callback (klass, on_apply);
  gtk_widget_class_bind_template_callback (klass, on_activate);
  gtk_widget_class_bind_template_callback (klass, on_choose_output);
  gtk_widget_class_bind_template_callback (klass, on_clear);
  gtk_widget_class_bind_template_callback (klass, on_show_folder);
}

static void
capra_batch_window_class_init (CapraBatchWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_batch_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_batch_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = capra_batch_window_close_request;
  capra_batch_open_install (GTK_WIDGET_CLASS (klass));
  capra_batch_remove_install (GTK_WIDGET_CLASS (klass), on_remove);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
capra_batch_window_init (CapraBatchWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (self));
  self->searching = g_cancellable_new ();
  self->items = g_list_store_new (CAPRA_TYPE_BATCH_ITEM);
  gtk_list_view_set_model (self->list,
                           GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->items)))));
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "capra-drop");
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self->stack), GTK_EVENT_CONTROLLER (drop));
  capra_accessible_complete (GTK_WIDGET (self));
}

CapraBatchWindow *
capra_batch_window_new (GtkApplication *application, CapraStepModel *pipeline, CapraTaskButton *tasks)
{
  CapraBatchWindow *self = g_object_new (CAPRA_TYPE_BATCH_WINDOW, "application", application, NULL);

  self->pipeline = g_object_ref (pipeline);
  g_set_weak_pointer (&self->other_tasks, tasks);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}
