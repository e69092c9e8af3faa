/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-entry: an entry for a path, with a button for a dialog; files can be dropped on it. */
#include "ui/panel/widgets/file-entry.h"

#include <glib/gi18n-lib.h>

static void
take_file (GtkWidget *entry, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (!path)
    return;
  gtk_editable_set_text (GTK_EDITABLE (entry), path);
  g_signal_emit_by_name (entry, "activate");
}

static void
on_file_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  take_file (data, file);
}

static void
on_browse (GtkButton *button, gpointer entry)
{
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button)));
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Choose a File"), parent, GTK_FILE_CHOOSER_ACTION_OPEN,
                                                              _ ("_Choose"), _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_file_response), entry, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer entry)
{
  GSList *files = g_value_get_boxed (value);

  if (files)
    take_file (entry, files->data);
  return files != NULL;
}

GtkWidget *
capra_file_entry_new (GtkWidget **entry)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *browse = gtk_button_new_from_icon_name ("document-open-symbolic");
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  *entry = gtk_entry_new ();
  gtk_widget_set_hexpand (*entry, TRUE);
  gtk_entry_set_placeholder_text (GTK_ENTRY (*entry), _ ("No file"));
  gtk_widget_set_tooltip_text (browse, _ ("Choose a file"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (browse), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Choose a file"), -1);
  gtk_widget_add_css_class (box, "linked");
  gtk_box_append (GTK_BOX (box), *entry);
  gtk_box_append (GTK_BOX (box), browse);
  g_signal_connect (browse, "clicked", G_CALLBACK (on_browse), *entry);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), *entry);
  gtk_widget_add_controller (box, GTK_EVENT_CONTROLLER (drop));
  return box;
}
