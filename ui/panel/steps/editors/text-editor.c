/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text-editor: a line of text, and any other value that has a text form. */
#include "ui/panel/steps/editors/text-editor.h"

#include "ui/panel/steps/editors/entry.h"

struct _CapraTextEditor {
  CapraEditor parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraTextEditor, capra_text_editor, CAPRA_TYPE_EDITOR)

static void
capra_text_editor_constructed (GObject *object)
{
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *entry = gtk_entry_new ();

  G_OBJECT_CLASS (capra_text_editor_parent_class)->constructed (object);
  capra_editor_add_below (editor, entry);
  capra_editor_set_control (editor, entry);
  capra_entry_connect (editor, entry, "changed");
}

static void
capra_text_editor_class_init (CapraTextEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_text_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_entry_show;
}

static void
capra_text_editor_init (CapraTextEditor *self)
{
}
