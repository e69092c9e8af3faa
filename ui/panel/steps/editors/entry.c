/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entry: what editors share whose control is an entry with the value's text. */
#include "ui/panel/steps/editors/entry.h"

#include "ui/pipeline/text/value-text.h"

void
capra_entry_show (CapraEditor *editor, const GValue *value)
{
  GtkWidget *entry = capra_editor_get_control (editor);
  g_autofree char *text = capra_value_to_text (value);

  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), text ? text : "") != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text ? text : "");
  capra_editor_set_error (editor, NULL);
}

static void
on_text (CapraEditor *editor, GtkEditable *entry)
{
  capra_editor_take_text (editor, gtk_editable_get_text (entry));
}

void
capra_entry_connect (CapraEditor *editor, GtkWidget *entry, const char *signal)
{
  g_signal_connect_object (entry, signal, G_CALLBACK (on_text), editor, G_CONNECT_SWAPPED);
}
