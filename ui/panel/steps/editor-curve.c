/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-curve: a curve to drag, and its points as text for exact values. */
#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/curve-view.h"
#include "ui/panel/steps/editor.h"
#include "ui/pipeline/text/value-text.h"

static void
show_curve (CapraEditor *editor, const GValue *value)
{
  GtkWidget *view = gtk_widget_get_prev_sibling (editor->widget);
  g_autofree char *text = capra_value_to_text (value);

  capra_curve_view_set_curve (CAPRA_CURVE_VIEW (view), g_value_get_object (value));
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (editor->widget)), text ? text : "") != 0)
    gtk_editable_set_text (GTK_EDITABLE (editor->widget), text ? text : "");
  gtk_widget_remove_css_class (editor->widget, "error");
}

static void
on_curve (CapraCurveView *view, GeglCurve *curve, gpointer data)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, GEGL_TYPE_CURVE);
  g_value_set_object (&value, curve);
  capra_editor_take (data, &value);
}

static void
on_entry (GtkEntry *entry, gpointer data)
{
  CapraEditor *editor = data;

  if (!editor->showing)
    capra_editor_take_text (editor, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

void
capra_editor_init_curve (CapraEditor *editor)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *view = capra_curve_view_new ();

  editor->widget = gtk_entry_new ();
  gtk_widget_add_css_class (view, "card");
  gtk_widget_set_tooltip_text (view, _ ("Drag points, click for a new one, right-click to remove one"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  g_param_spec_get_nick (editor->property), -1);
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (GTK_BOX (box), editor->widget);
  g_signal_connect (view, "changed", G_CALLBACK (on_curve), editor);
  g_signal_connect (editor->widget, "activate", G_CALLBACK (on_entry), editor);
  editor->below = box;
  editor->show = show_curve;
}
