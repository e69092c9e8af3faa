/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Switch-editor: a boolean. */
#include "ui/panel/steps/editors/switch-editor.h"

struct _CapraSwitchEditor {
  CapraEditor parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraSwitchEditor, capra_switch_editor, CAPRA_TYPE_EDITOR)

static void
on_active (GObject *object, GParamSpec *pspec, CapraEditor *editor)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_BOOLEAN);
  g_value_set_boolean (&value, gtk_switch_get_active (GTK_SWITCH (object)));
  capra_editor_take_value (editor, &value);
}

static void
capra_switch_editor_show (CapraEditor *editor, const GValue *value)
{
  gtk_switch_set_active (GTK_SWITCH (capra_editor_get_control (editor)), g_value_get_boolean (value));
}

static void
capra_switch_editor_constructed (GObject *object)
{
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *toggle = gtk_switch_new ();

  G_OBJECT_CLASS (capra_switch_editor_parent_class)->constructed (object);
  g_signal_connect_object (toggle, "notify::active", G_CALLBACK (on_active), editor, 0);
  capra_editor_add_beside (editor, toggle);
  capra_editor_set_control (editor, toggle);
}

static void
capra_switch_editor_class_init (CapraSwitchEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_switch_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_switch_editor_show;
}

static void
capra_switch_editor_init (CapraSwitchEditor *self)
{
}
