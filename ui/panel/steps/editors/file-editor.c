/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-editor: the path of a file, to enter, choose or drop. */
#include "ui/panel/steps/editors/file-editor.h"

#include "ui/panel/steps/editors/entry.h"
#include "ui/panel/widgets/file-entry.h"

struct _CapraFileEditor {
  CapraEditor parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraFileEditor, capra_file_editor, CAPRA_TYPE_EDITOR)

static void
capra_file_editor_constructed (GObject *object)
{
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *entry, *box = capra_file_entry_new (&entry);

  G_OBJECT_CLASS (capra_file_editor_parent_class)->constructed (object);
  capra_editor_add_below (editor, box);
  capra_editor_set_control (editor, entry);
  capra_entry_connect (editor, entry, "changed");
}

static void
capra_file_editor_class_init (CapraFileEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_file_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_entry_show;
}

static void
capra_file_editor_init (CapraFileEditor *self)
{
}
