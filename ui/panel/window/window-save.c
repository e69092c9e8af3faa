/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-save: the dialog for saving the result, and how it goes on. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/write/save.h"
#include "ui/panel/window/window-private.h"

/* One saving under way, with its toast that shows how far it is. */
typedef struct {
  CapraPanelWindow *window;
  GCancellable *cancellable;
  CapraProgressToast *toast;
  GPtrArray *steps;
  CapraSaveProgress progress;
  char *name;
  guint timer;
} Saving;

static gboolean
on_tick (gpointer data)
{
  Saving *saving = data;
  g_autofree char *text = g_strdup_printf (_ ("Saving %s… %d %%"), saving->name,
                                           g_atomic_int_get (&saving->progress.per_mille) / 10);

  const char *preparation = capra_panel_window_get_preparation ();

  capra_progress_toast_show (saving->toast, preparation ? preparation : text);
  return G_SOURCE_CONTINUE;
}

static void
saving_free (Saving *saving)
{
  g_source_remove (saving->timer);
  capra_progress_toast_free (saving->toast);
  g_object_unref (saving->cancellable);
  g_object_unref (saving->window);
  g_ptr_array_unref (saving->steps);
  g_free (saving->name);
  g_free (saving);
}

/* Formats other than PNG hold the result alone. */
static gboolean
carries_steps (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".png");
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  g_autoptr (CapraPanelWindow) window = g_object_ref (saving->window);
  g_autofree char *name = g_strdup (saving->name);
  g_autofree char *message = NULL;
  g_autoptr (GError) error = NULL;
  gboolean good = capra_save_finish (result, &error);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  if (good && carries_steps (saving->name))
    capra_panel_window_mark_saved (window, saving->steps);
  capra_panel_window_end_saving (window, saving->cancellable, !good && !cancelled);
  saving_free (saving);
  if (!window->pipeline || cancelled)
    return;
  message = good ? g_strdup_printf (_ ("Saved as %s"), name)
                 : g_strdup_printf (_ ("“%s” could not be saved. %s"), name, error->message);
  if (good)
    capra_panel_window_toast (window, message);
  else
    capra_panel_window_show_error (window, message);
}

void
capra_panel_window_save (CapraPanelWindow *self, GFile *file, int bits)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  Saving *saving = g_new0 (Saving, 1);

  capra_panel_window_hide_banner (self);
  saving->window = g_object_ref (self);
  saving->cancellable = g_cancellable_new ();
  saving->toast = capra_progress_toast_new (self->toasts, saving->cancellable);
  saving->steps = g_ptr_array_ref (steps);
  saving->name = g_file_get_basename (file);
  capra_panel_window_begin_saving (self, saving->cancellable, saving->name);
  saving->timer = g_timeout_add (300, on_tick, saving);
  capra_save_async (file, self->image, steps, bits, &saving->progress, saving->cancellable, on_saved, saving);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;
  const char *bits;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  bits = gtk_file_chooser_get_choice (GTK_FILE_CHOOSER (dialog), "bits");
  capra_panel_window_save (data, file, g_strcmp0 (bits, "any") == 0 ? 0 : g_strcmp0 (bits, "16") == 0 ? 16 : 8);
}

/* "cells.jpg" becomes "cells-capra.png", or "cells-capra.tif" for numbers. */
static char *
suggest_name (CapraPanelWindow *self)
{
  g_autofree char *name = self->file ? g_file_get_basename (self->file) : g_strdup ("image");
  char *dot = strrchr (name, '.');

  if (dot && dot > name)
    *dot = '\0';
  return g_strdup_printf (capra_raw_values_get (self->image) ? "%s-capra.tif" : "%s-capra.png", name);
}

void
capra_panel_window_save_dialog (CapraPanelWindow *self)
{
  const char *bits[] = { "any", "8", "16", NULL };
  const char *labels[] = { _ ("No rounding"), _ ("8 bits"), _ ("16 bits"), NULL };
  gboolean data = capra_raw_values_get (self->image) != NULL;
  const Babl *type = babl_format_get_type (gegl_buffer_get_format (self->image), 0);
  g_autofree char *name = suggest_name (self);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save the Result"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_current_name (chooser, name);
  if (self->file)
    {
      g_autoptr (GFile) folder = g_file_get_parent (self->file);

      if (folder)
        gtk_file_chooser_set_current_folder (chooser, folder, NULL);
    }
  gtk_file_chooser_add_choice (chooser, "bits", data ? _ ("Round to") : _ ("Bits of a PNG"), data ? bits : bits + 1,
                               data ? labels : labels + 1);
  gtk_file_chooser_set_choice (chooser, "bits", data ? "any" : type == babl_type ("u8") ? "8" : "16");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
