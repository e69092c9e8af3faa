/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-editor: a curve to drag, and its points as text for exact values. */
#include "ui/panel/steps/editors/curve-editor.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/steps/editors/entry.h"
#include "ui/panel/widgets/curve-view.h"

struct _CapraCurveEditor {
  CapraEditor parent_instance;
  CapraCurveView *view;
};

G_DEFINE_FINAL_TYPE (CapraCurveEditor, capra_curve_editor, CAPRA_TYPE_EDITOR)

static void
on_curve (CapraEditor *editor, GeglCurve *curve)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, GEGL_TYPE_CURVE);
  g_value_set_object (&value, curve);
  capra_editor_take_value (editor, &value);
}

static void
capra_curve_editor_show (CapraEditor *editor, const GValue *value)
{
  capra_curve_view_set_curve (CAPRA_CURVE_EDITOR (editor)->view, g_value_get_object (value));
  capra_entry_show (editor, value);
}

static void
capra_curve_editor_constructed (GObject *object)
{
  CapraCurveEditor *self = CAPRA_CURVE_EDITOR (object);
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *view = capra_curve_view_new (), *entry = gtk_entry_new ();

  G_OBJECT_CLASS (capra_curve_editor_parent_class)->constructed (object);
  self->view = CAPRA_CURVE_VIEW (view);
  gtk_widget_add_css_class (view, "card");
  gtk_widget_set_tooltip_text (view, _ ("Drag points, click for a new one, right-click to remove one"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  g_param_spec_get_nick (capra_editor_get_property (editor)), -1);
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (GTK_BOX (box), entry);
  g_signal_connect_object (view, "changed", G_CALLBACK (on_curve), editor, G_CONNECT_SWAPPED);
  capra_editor_add_below (editor, box);
  capra_editor_set_control (editor, entry);
  capra_entry_connect (editor, entry, "activate");
}

static void
capra_curve_editor_class_init (CapraCurveEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_curve_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_curve_editor_show;
}

static void
capra_curve_editor_init (CapraCurveEditor *self)
{
}
