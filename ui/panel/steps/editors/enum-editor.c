/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enum-editor: one value of an enumeration. */
#include "ui/panel/steps/editors/enum-editor.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/steps/editors/drop-down.h"

struct _CapraEnumEditor {
  CapraEditor parent_instance;
  GtkDropDown *drop_down;
  GEnumClass *enum_class; /* of the property */
};

G_DEFINE_FINAL_TYPE (CapraEnumEditor, capra_enum_editor, CAPRA_TYPE_EDITOR)

static void
on_selected (CapraEnumEditor *self)
{
  CapraEditor *editor = CAPRA_EDITOR (self);
  guint selected = gtk_drop_down_get_selected (self->drop_down);
  g_auto (GValue) value = G_VALUE_INIT;

  if (selected >= self->enum_class->n_values)
    return;
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (capra_editor_get_property (editor)));
  g_value_set_enum (&value, self->enum_class->values[selected].value);
  capra_editor_take_value (editor, &value);
}

static void
capra_enum_editor_show (CapraEditor *editor, const GValue *value)
{
  CapraEnumEditor *self = CAPRA_ENUM_EDITOR (editor);

  for (guint i = 0; i < self->enum_class->n_values; i++)
    if (self->enum_class->values[i].value == g_value_get_enum (value))
      gtk_drop_down_set_selected (self->drop_down, i);
}

/* GEGL translates the names of its values, Capra those of its own. */
static const char *
translate (GEnumClass *klass, const GEnumValue *value)
{
  gboolean capra = g_str_has_prefix (g_type_name (G_TYPE_FROM_CLASS (klass)), "Capra");

  return capra ? _ (value->value_name) : g_dgettext ("gegl-0.4", value->value_name);
}

static void
capra_enum_editor_constructed (GObject *object)
{
  CapraEnumEditor *self = CAPRA_ENUM_EDITOR (object);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  G_OBJECT_CLASS (capra_enum_editor_parent_class)->constructed (object);
  self->enum_class = G_PARAM_SPEC_ENUM (capra_editor_get_property (CAPRA_EDITOR (self)))->enum_class;
  for (guint i = 0; i < self->enum_class->n_values; i++)
    g_ptr_array_add (labels, (gpointer) translate (self->enum_class, &self->enum_class->values[i]));
  g_ptr_array_add (labels, NULL);
  self->drop_down = capra_drop_down_add (CAPRA_EDITOR (self), (const char *const *) labels->pdata);
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

static void
capra_enum_editor_class_init (CapraEnumEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_enum_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_enum_editor_show;
}

static void
capra_enum_editor_init (CapraEnumEditor *self)
{
}
