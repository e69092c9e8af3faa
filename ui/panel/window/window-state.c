/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-state: what a window has to come back with, and what closing it must wait for. */
#include <glib/gi18n-lib.h>

#include "ui/pipeline/text/pipeline-text.h"
#include "ui/panel/window/window-private.h"

static char *
dup_steps (CapraPanelWindow *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);

  return steps->len > 0 ? capra_steps_to_xml (steps) : NULL;
}

void
capra_panel_window_mark_saved (CapraPanelWindow *self, GPtrArray *steps)
{
  g_free (self->saved);
  self->saved = steps->len > 0 ? capra_steps_to_xml (steps) : NULL;
}

CapraWindowState *
capra_panel_window_get_state (CapraPanelWindow *self)
{
  GFile *file = self->opening ? self->opening : self->file;
  CapraWindowState *state = NULL;

  g_return_val_if_fail (CAPRA_IS_PANEL_WINDOW (self), NULL);
  if (self->apply || !self->pipeline)
    return NULL;
  state = g_new0 (CapraWindowState, 1);
  state->image = file ? g_file_get_uri (file) : NULL;
  state->steps = dup_steps (self);
  state->unsaved = state->steps && g_strcmp0 (state->steps, self->saved) != 0;
  return state;
}

void
capra_panel_window_restore (CapraPanelWindow *self, const CapraWindowState *state)
{
  g_autoptr (GFile) file = state->image ? g_file_new_for_uri (state->image) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = state->steps ? capra_steps_from_xml (state->steps, &error) : NULL;

  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  if (file)
    capra_panel_window_open (self, file);
  if (steps)
    capra_step_model_replace (self->pipeline, steps);
  if (error)
    {
      g_autofree char *message = g_strdup_printf (_ ("The steps of the last session cannot be restored. %s"),
                                                  error->message);

      capra_panel_window_show_error (self, message);
    }
}

void
capra_panel_window_cancel_saving (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  for (guint i = 0; i < self->savings->len; i++)
    g_cancellable_cancel (self->savings->pdata[i]);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, gpointer data)
{
  CapraPanelWindow *self = data;

  self->question = NULL;
  if (!g_str_equal (response, "wait") && !g_str_equal (response, "cancel"))
    return;
  self->closing = TRUE;
  if (g_str_equal (response, "cancel"))
    capra_panel_window_cancel_saving (self);
}

static void
ask (CapraPanelWindow *self)
{
  g_autofree char *title = g_strdup_printf (_ ("Saving %s"), self->saving);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), title,
                                              _ ("The window closes when the file is complete."));

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
capra_panel_window_wait_for_saving (CapraPanelWindow *self)
{
  if (self->savings->len == 0)
    return FALSE;
  if (!self->closing && !self->question)
    ask (self);
  return TRUE;
}

void
capra_panel_window_close_when_saved (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  self->closing = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
drop_question (CapraPanelWindow *self)
{
  GtkWindow *question = g_steal_pointer (&self->question);

  if (!question)
    return;
  g_signal_handlers_disconnect_by_data (question, self);
  gtk_window_destroy (question);
}

void
capra_panel_window_begin_saving (CapraPanelWindow *self, GCancellable *cancellable, const char *name)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  g_autofree char *reason = g_strdup_printf (_ ("Saving %s"), name);

  g_ptr_array_add (self->savings, cancellable);
  g_free (self->saving);
  self->saving = g_strdup (name);
  if (application && !self->inhibitor)
    self->inhibitor = gtk_application_inhibit (application, GTK_WINDOW (self), GTK_APPLICATION_INHIBIT_LOGOUT, reason);
}

void
capra_panel_window_end_saving (CapraPanelWindow *self, GCancellable *cancellable, gboolean failed)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  gboolean close = FALSE;

  g_ptr_array_remove (self->savings, cancellable);
  if (failed)
    self->closing = FALSE; /* its message is to be seen */
  if (self->savings->len > 0)
    return;
  close = self->pipeline && !failed && (self->closing || self->question);
  drop_question (self);
  if (application && self->inhibitor)
    gtk_application_uninhibit (application, self->inhibitor);
  self->inhibitor = 0;
  if (close)
    gtk_window_close (GTK_WINDOW (self));
}
