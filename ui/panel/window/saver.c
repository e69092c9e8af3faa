/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saver: saves a window's results, with progress, and delays closing until they are saved. */
#include "ui/panel/window/saver.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/steps/remedy-row.h"
#include "ui/pipeline/write/save.h"

#define PROGRESS_STEP 300 /* ms between two updates of the progress */

struct _CapraSaver {
  GObject parent_instance;
  GtkWindow *window; /* unowned: it owns the saver, and is not destroyed while files are being saved */
  CapraTaskButton *tasks;
  CapraStepModel *pipeline;
  GPtrArray *files; /* of Task: those that are being saved */
  char *name;       /* of the last one */
  GtkApplication *application;
  guint inhibitor;     /* delays the end of the session meanwhile */
  GtkWindow *question; /* whether to wait, while it is open */
  gboolean closing;    /* the window is to be closed when all is saved */
};

G_DEFINE_FINAL_TYPE (CapraSaver, capra_saver, G_TYPE_OBJECT)

enum { SAVED, FAILED, DONE, N_SIGNALS };

static guint signals[N_SIGNALS];

/* One file that is being saved. */
typedef struct {
  CapraSaver *saver;
  GCancellable *cancellable;
  CapraTask *shown;
  GPtrArray *steps;
  CapraSaveProgress progress;
  char *name;
  guint timer;
} Task;

static void
task_free (Task *task)
{
  g_clear_handle_id (&task->timer, g_source_remove);
  g_signal_handlers_disconnect_by_data (task->shown, task);
  capra_task_end (task->shown);
  g_object_unref (task->shown);
  g_object_unref (task->cancellable);
  g_object_unref (task->saver);
  g_ptr_array_unref (task->steps);
  g_free (task->name);
  g_free (task);
}

static gboolean
on_progress (gpointer data)
{
  Task *task = data;

  capra_task_set_fraction (task->shown, g_atomic_int_get (&task->progress.per_mille) / 1000.0);
  capra_task_button_add (task->saver->tasks, task->shown);
  return G_SOURCE_CONTINUE;
}

static void
close_question (CapraSaver *self)
{
  GtkWindow *question = g_steal_pointer (&self->question);

  if (!question)
    return;
  g_signal_handlers_disconnect_by_data (question, self);
  gtk_window_destroy (question);
}

/* Files whose saving was canceled are not counted: an operation of GEGL cannot be interrupted, and its result is not
 * wanted. */
static guint
count_saving (CapraSaver *self)
{
  guint count = 0;

  for (guint i = 0; i < self->files->len; i++)
    count += !capra_task_get_canceled (((Task *) self->files->pdata[i])->shown);
  return count;
}

static void
begin (CapraSaver *self, Task *task)
{
  GtkApplication *application = gtk_window_get_application (self->window);
  g_autofree char *reason = g_strdup_printf (_ ("Saving %s"), task->name);

  g_ptr_array_add (self->files, task);
  g_free (self->name);
  self->name = g_strdup (task->name);
  if (!application || self->inhibitor)
    return;
  g_set_object (&self->application, application);
  self->inhibitor = gtk_application_inhibit (application, self->window, GTK_APPLICATION_INHIBIT_LOGOUT, reason);
}

/* Not while a dialog of the window calls its handlers. */
static gboolean
on_done (gpointer data)
{
  g_signal_emit (data, signals[DONE], 0);
  return G_SOURCE_REMOVE;
}

/* What waits for files goes on when none is being saved any more. */
static void
update_waiting (CapraSaver *self)
{
  gboolean done;

  if (count_saving (self) > 0)
    return;
  done = self->closing || self->question;
  self->closing = FALSE;
  close_question (self);
  if (self->inhibitor)
    gtk_application_uninhibit (self->application, self->inhibitor);
  self->inhibitor = 0;
  g_clear_object (&self->application);
  if (done)
    g_idle_add_full (G_PRIORITY_DEFAULT, on_done, g_object_ref (self), g_object_unref);
}

/* The window may be closed before the operation ends. */
static void
on_canceled (Task *task)
{
  g_clear_handle_id (&task->timer, g_source_remove);
  update_waiting (task->saver);
}

/* Only PNG files contain the steps. */
static gboolean
contains_steps (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".png");
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Task *task = data;
  g_autoptr (CapraSaver) self = g_object_ref (task->saver);
  g_autoptr (GError) error = NULL;
  gboolean good = capra_save_finish (result, &error);
  gboolean failed = !good && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *message = NULL, *reason = failed ? capra_remedy_row_describe_failure (self->pipeline, error) : NULL;

  if (good)
    {
      message = g_strdup_printf (task->progress.numbers ? _ ("Saved as %s: numbers of regions, dark in image viewers")
                                                        : _ ("Saved as %s"),
                                 task->name);
      g_signal_emit (self, signals[SAVED], 0, contains_steps (task->name) ? task->steps : NULL, message);
    }
  else if (failed)
    {
      message = g_strdup_printf (_ ("“%s” could not be saved. %s"), task->name, reason);
      g_signal_emit (self, signals[FAILED], 0, message);
      self->closing = FALSE; /* there is a message to be seen */
      close_question (self);
    }
  g_ptr_array_remove (self->files, task);
  task_free (task);
  update_waiting (self);
}

void
capra_saver_save (CapraSaver *saver, GFile *file, GeglBuffer *image, GPtrArray *steps, int bits)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *title = g_strdup_printf (_ ("Saving %s"), name);
  Task *task = NULL;

  g_return_if_fail (CAPRA_IS_SAVER (saver));
  task = g_new0 (Task, 1);
  task->saver = g_object_ref (saver);
  task->cancellable = g_cancellable_new ();
  task->shown = capra_task_new (title, task->cancellable);
  task->steps = g_ptr_array_ref (steps);
  task->name = g_steal_pointer (&name);
  g_signal_connect_swapped (task->shown, "notify::canceled", G_CALLBACK (on_canceled), task);
  begin (saver, task);
  task->timer = g_timeout_add (PROGRESS_STEP, on_progress, task);
  capra_save_async (file, image, steps, bits, &task->progress, task->cancellable, on_saved, task);
}

void
capra_saver_cancel (CapraSaver *saver)
{
  g_return_if_fail (CAPRA_IS_SAVER (saver));
  for (guint i = 0; i < saver->files->len; i++)
    capra_task_cancel (((Task *) saver->files->pdata[i])->shown);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, gpointer data)
{
  CapraSaver *self = data;

  self->question = NULL;
  if (!g_str_equal (response, "wait") && !g_str_equal (response, "cancel"))
    return;
  self->closing = TRUE;
  if (g_str_equal (response, "cancel"))
    capra_saver_cancel (self);
}

static void
ask (CapraSaver *self)
{
  g_autofree char *title = g_strdup_printf (_ ("Saving %s"), self->name);
  GtkWidget *dialog = adw_message_dialog_new (self->window, title, _ ("The window closes when the file is saved."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel Saving"), "wait", _ ("_Wait"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "cancel", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "wait", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "wait");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  self->question = GTK_WINDOW (dialog);
  gtk_window_present (self->question);
}

gboolean
capra_saver_delay_close (CapraSaver *saver)
{
  g_return_val_if_fail (CAPRA_IS_SAVER (saver), FALSE);
  if (count_saving (saver) == 0)
    return FALSE;
  if (!saver->closing && !saver->question)
    ask (saver);
  return TRUE;
}

void
capra_saver_close_when_done (CapraSaver *saver)
{
  g_return_if_fail (CAPRA_IS_SAVER (saver));
  saver->closing = TRUE;
}

static void
capra_saver_finalize (GObject *object)
{
  CapraSaver *self = CAPRA_SAVER (object);

  g_clear_object (&self->application);
  g_clear_object (&self->tasks);
  g_clear_object (&self->pipeline);
  g_ptr_array_unref (self->files);
  g_free (self->name);
  G_OBJECT_CLASS (capra_saver_parent_class)->finalize (object);
}

static void
capra_saver_class_init (CapraSaverClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = capra_saver_finalize;
  signals[SAVED] = g_signal_new ("saved", CAPRA_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                 G_TYPE_PTR_ARRAY, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", CAPRA_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
  signals[DONE] = g_signal_new ("done", CAPRA_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
capra_saver_init (CapraSaver *self)
{
  self->files = g_ptr_array_new ();
}

CapraSaver *
capra_saver_new (GtkWindow *window, CapraTaskButton *tasks, CapraStepModel *pipeline)
{
  CapraSaver *self = g_object_new (CAPRA_TYPE_SAVER, NULL);

  self->window = window;
  self->tasks = g_object_ref (tasks);
  self->pipeline = g_object_ref (pipeline);
  return self;
}
