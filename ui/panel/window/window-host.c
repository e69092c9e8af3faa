/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-host: applying the steps to the image of a host such as GIMP. */
#include <glib/gi18n-lib.h>

#include "ui/panel/window/window-private.h"

void
capra_panel_window_apply (CapraPanelWindow *self, CapraPanelHow how)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);

  self->applying = g_cancellable_new ();
  self->toast = capra_progress_toast_new (self->toasts, self->applying);
  capra_panel_window_hide_banner (self);
  capra_panel_window_enable_actions (self);
  self->apply (self, steps, how, self->applying, self->apply_data);
}

gboolean
capra_panel_window_stop_applying (CapraPanelWindow *self)
{
  if (!self->applying)
    return FALSE;
  self->closing = TRUE;
  g_cancellable_cancel (self->applying);
  return TRUE;
}

void
capra_panel_window_offer_effects (CapraPanelWindow *self)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  gtk_widget_set_visible (self->effects_button, TRUE);
}

void
capra_panel_window_set_progress (CapraPanelWindow *self, double fraction)
{
  g_autofree char *text = g_strdup_printf (_ ("Applying… %d %%"), (int) (fraction * 100.0));
  const char *preparation = capra_panel_window_get_preparation ();

  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  g_return_if_fail (self->toast);
  capra_progress_toast_show (self->toast, preparation ? preparation : text);
}

void
capra_panel_window_finish_apply (CapraPanelWindow *self, const GError *error)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  g_return_if_fail (self->applying);
  g_clear_pointer (&self->toast, capra_progress_toast_free);
  g_clear_object (&self->applying);
  if (!error || self->closing)
    {
      gtk_window_close (GTK_WINDOW (self));
      return;
    }
  capra_panel_window_enable_actions (self);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    capra_panel_window_show_error (self, error->message);
}

void
capra_panel_window_set_lost (CapraPanelWindow *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_PANEL_WINDOW (self));
  self->lost = message != NULL;
  capra_panel_window_enable_actions (self);
  if (message)
    capra_panel_window_show_error (self, message);
  else
    capra_panel_window_hide_banner (self);
}
