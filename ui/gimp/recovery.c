/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recovery: the steps of an open panel in the user's state folder, for the next panel if GIMP ends before this one. */
#include "ui/gimp/recovery.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/window/state-file.h"

#define NOT_KEPT N_ ("If GIMP ends before the panel, the steps are lost: ")

struct _CapraRecovery {
  CapraPanelWindow *window; /* NULL once it is closed */
  CapraStateFile *file;     /* NULL if the folder cannot be written */
  GPtrArray *others;        /* of CapraWindowState: steps of earlier panels that are not offered in this one */
  GPtrArray *offered;       /* those that are offered and not restored, at the last update */
  CapraWindowState *own;    /* the window's; NULL if it has none, or only the initial ones */
  char *initial, *written;
  gboolean unwritten; /* the file could not be written, and the user was told so */
};

static void
state_free (gpointer state)
{
  capra_window_state_free (state);
}

static GPtrArray *
make_states (void)
{
  return g_ptr_array_new_with_free_func (state_free);
}

/* Said again only after the file could be written in between. */
static void
report_unwritten (CapraRecovery *self, const GError *error)
{
  g_autofree char *message = g_strconcat (_ (NOT_KEPT), error->message, NULL);

  if (!self->unwritten && self->window)
    capra_panel_window_show_error (self->window, message);
  self->unwritten = TRUE;
}

/* Writes the states in the order in which they will be offered: the last one first. */
static void
write_states (CapraRecovery *self)
{
  g_autoptr (GPtrArray) states = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_ptr_array_extend (states, self->others, NULL, NULL);
  g_ptr_array_extend (states, self->offered, NULL, NULL);
  if (self->own)
    g_ptr_array_add (states, self->own);
  for (guint i = 0; i < states->len; i++)
    g_string_append (text, ((CapraWindowState *) states->pdata[i])->steps);
  if (!self->file || g_strcmp0 (text->str, self->written) == 0)
    return;
  if (capra_state_file_write (self->file, states, &error))
    self->unwritten = FALSE;
  else
    report_unwritten (self, error);
  g_free (self->written);
  self->written = g_strdup (text->str);
}

/* Reads the states of the window: its steps, if there are any, then those that it offers. */
static void
read_window (CapraRecovery *self)
{
  g_autoptr (GPtrArray) pipeline = capra_step_model_snapshot (capra_panel_window_get_pipeline (self->window));
  g_autoptr (GPtrArray) states = make_states ();
  gboolean first = pipeline->len > 0;

  g_clear_pointer (&self->own, capra_window_state_free);
  g_ptr_array_set_size (self->offered, 0);
  capra_panel_window_add_states (self->window, states);
  for (guint i = 0; i < states->len; i++, first = FALSE)
    {
      const CapraWindowState *state = states->pdata[i];

      if (!state->steps)
        continue;
      if (!first)
        g_ptr_array_add (self->offered, capra_window_state_copy (state));
      else if (g_strcmp0 (state->steps, self->initial) != 0)
        self->own = capra_window_state_copy (state);
    }
}

void
capra_recovery_update (CapraRecovery *recovery)
{
  read_window (recovery);
  write_states (recovery);
}

static gboolean
on_close_request (GtkWindow *window, gpointer data)
{
  capra_recovery_update (data);
  return FALSE;
}

CapraRecovery *
capra_recovery_new (CapraPanelWindow *window, const char *initial)
{
  CapraRecovery *recovery = g_new0 (CapraRecovery, 1);
  g_autoptr (GError) error = NULL;

  recovery->window = window;
  recovery->initial = g_strdup (initial);
  recovery->file = capra_state_file_open ("gimp", &error);
  if (!recovery->file)
    report_unwritten (recovery, error);
  g_clear_error (&error);
  recovery->others = recovery->file ? capra_state_file_read (recovery->file, &error) : make_states ();
  recovery->offered = make_states ();
  if (error)
    capra_panel_window_show_error (window, error->message);
  if (recovery->others->len > 0)
    {
      CapraWindowState *last = recovery->others->pdata[recovery->others->len - 1];

      capra_panel_window_offer_steps (window, last->steps);
      g_ptr_array_set_size (recovery->others, (int) recovery->others->len - 1);
    }
  else
    recovery->written = g_strdup (""); /* otherwise the first update tells the file that its states could be shown */
  g_signal_connect (window, "close-request", G_CALLBACK (on_close_request), recovery);
  return recovery;
}

void
capra_recovery_free (CapraRecovery *recovery, gboolean keep)
{
  if (!keep)
    g_clear_pointer (&recovery->own, capra_window_state_free);
  write_states (recovery);
  g_clear_pointer (&recovery->own, capra_window_state_free);
  g_clear_pointer (&recovery->file, capra_state_file_close);
  g_ptr_array_unref (recovery->others);
  g_ptr_array_unref (recovery->offered);
  g_free (recovery->initial);
  g_free (recovery->written);
  g_free (recovery);
}
