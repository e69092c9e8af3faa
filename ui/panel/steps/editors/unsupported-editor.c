/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unsupported-editor: for values that only a program can set, such as buffers. */
#include "ui/panel/steps/editors/unsupported-editor.h"

#include <glib/gi18n-lib.h>

struct _CapraUnsupportedEditor {
  CapraEditor parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraUnsupportedEditor, capra_unsupported_editor, CAPRA_TYPE_EDITOR)

static void
capra_unsupported_editor_constructed (GObject *object)
{
  GtkWidget *label = gtk_label_new (_ ("Set by programs only"));

  G_OBJECT_CLASS (capra_unsupported_editor_parent_class)->constructed (object);
  gtk_widget_add_css_class (label, "dim-label");
  capra_editor_add_beside (CAPRA_EDITOR (object), label);
}

static void
capra_unsupported_editor_class_init (CapraUnsupportedEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_unsupported_editor_constructed;
}

static void
capra_unsupported_editor_init (CapraUnsupportedEditor *self)
{
}
