/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-row: one property of a step: its name, its editor, and a way back to the default. */
#include "ui/panel/steps/property-row.h"

#include <glib/gi18n-lib.h>

#include "ui/pipeline/steps/property-condition.h"
#include "ui/panel/steps/editor.h"

struct _CapraPropertyRow {
  AdwPreferencesRow parent_instance;
  CapraStep *step;
  CapraEditor *editor;
  GtkWidget *reset;
};

G_DEFINE_FINAL_TYPE (CapraPropertyRow, capra_property_row, ADW_TYPE_PREFERENCES_ROW)

static void
update (CapraPropertyRow *self)
{
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean changed = !capra_step_is_default (self->step, self->editor->property);

  capra_step_get (self->step, self->editor->property, &value);
  capra_editor_show (self->editor, &value);
  gtk_widget_set_opacity (self->reset, changed ? 1.0 : 0.0); /* its place is kept */
  gtk_widget_set_sensitive (self->reset, changed);
}

/* What an operation does not look at with its other values as they are is not shown, or not offered. */
static void
update_use (CapraPropertyRow *self)
{
  GParamSpec *property = self->editor->property;
  const char *visible = gegl_param_spec_get_property_key (property, "visible");
  const char *sensitive = gegl_param_spec_get_property_key (property, "sensitive");

  gtk_widget_set_visible (GTK_WIDGET (self), capra_property_condition_holds (self->step, visible));
  gtk_widget_set_sensitive (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)),
                            capra_property_condition_holds (self->step, sensitive));
}

static void
on_edited (CapraEditor *editor, const GValue *value, gpointer data)
{
  CapraPropertyRow *self = data;

  capra_step_set (self->step, editor->property, value);
}

static void
on_reset (CapraPropertyRow *self)
{
  capra_step_reset (self->step, self->editor->property);
}

static void
name_for_tools (GtkWidget *widget, GParamSpec *property)
{
  if (!GTK_IS_ACCESSIBLE (widget))
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  g_param_spec_get_nick (property), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  g_param_spec_get_blurb (property) ? g_param_spec_get_blurb (property) : "", -1);
}

static GtkWidget *
make_title (GParamSpec *property)
{
  const char *unit = capra_property_get_unit (property);
  g_autofree char *nick = g_markup_escape_text (g_param_spec_get_nick (property), -1);
  g_autofree char *markup = *unit ? g_strdup_printf ("%s <span alpha='60%%'>%s</span>", nick, unit) : g_strdup (nick);
  GtkWidget *title = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (title), markup);
  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  return title;
}

static void
build (CapraPropertyRow *self)
{
  GParamSpec *property = self->editor->property;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->reset = gtk_button_new_from_icon_name ("view-refresh-symbolic");
  gtk_widget_add_css_class (self->reset, "flat");
  gtk_widget_add_css_class (self->reset, "circular");
  gtk_widget_add_css_class (self->reset, "capra-reset");
  gtk_widget_set_valign (self->reset, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->reset, _ ("Back to the default"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->reset), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Back to the default"), -1);
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (on_reset), self);

  gtk_widget_add_css_class (box, "capra-property");
  gtk_box_append (GTK_BOX (line), make_title (property));
  gtk_box_append (GTK_BOX (line), self->reset);
  if (self->editor->beside)
    gtk_box_append (GTK_BOX (line), self->editor->beside);
  gtk_box_append (GTK_BOX (box), line);
  if (self->editor->below)
    {
      gtk_box_append (GTK_BOX (box), self->editor->below);
      name_for_tools (self->editor->below, property);
    }
  if (self->editor->widget)
    name_for_tools (self->editor->widget, property);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  if (g_param_spec_get_blurb (property) && *g_param_spec_get_blurb (property))
    gtk_widget_set_tooltip_text (line, g_param_spec_get_blurb (property));
}

static void
capra_property_row_dispose (GObject *object)
{
  CapraPropertyRow *self = CAPRA_PROPERTY_ROW (object);

  if (self->editor)
    self->editor->changed = NULL;
  g_clear_object (&self->step);
  G_OBJECT_CLASS (capra_property_row_parent_class)->dispose (object);
}

static void
capra_property_row_finalize (GObject *object)
{
  capra_editor_free (CAPRA_PROPERTY_ROW (object)->editor);
  G_OBJECT_CLASS (capra_property_row_parent_class)->finalize (object);
}

static void
capra_property_row_class_init (CapraPropertyRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_property_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = capra_property_row_finalize;
}

static void
capra_property_row_init (CapraPropertyRow *self)
{
}

GParamSpec *
capra_property_row_get_property (CapraPropertyRow *row)
{
  return row->editor->property;
}

GtkWidget *
capra_property_row_get_widget (CapraPropertyRow *row)
{
  return row->editor->widget;
}

GtkWidget *
capra_property_row_get_slider (CapraPropertyRow *row)
{
  return row->editor->slider ? row->editor->below : NULL;
}

GtkWidget *
capra_property_row_new (CapraStep *step, GParamSpec *property)
{
  CapraPropertyRow *self = g_object_new (CAPRA_TYPE_PROPERTY_ROW, NULL);
  g_autofree char *detail = g_strdup_printf ("changed::%s", property->name);

  self->step = g_object_ref (step);
  self->editor = capra_editor_new (property);
  self->editor->changed = on_edited;
  self->editor->data = self;
  build (self);
  update (self);
  update_use (self);
  g_signal_connect_object (step, detail, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (gegl_param_spec_get_property_key (property, "visible")
      || gegl_param_spec_get_property_key (property, "sensitive"))
    g_signal_connect_object (step, "changed", G_CALLBACK (update_use), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
