/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-editor: a slider over the usual range of a number, and an entry for all valid values. */
#include "ui/panel/steps/editors/number-editor.h"

#include "ui/panel/steps/editors/number-entry.h"

#define ENTRY_WIDTH 7 /* characters */

struct _CapraNumberEditor {
  CapraEditor parent_instance;
  CapraNumberRange range;
  GtkAdjustment *number, *position; /* @position: of the slider, 0 to 1; NULL without */
  GtkWidget *entry, *slider;
};

G_DEFINE_FINAL_TYPE (CapraNumberEditor, capra_number_editor, CAPRA_TYPE_EDITOR)

static void
on_position (CapraNumberEditor *self)
{
  double position = gtk_adjustment_get_value (self->position);

  capra_number_entry_take (CAPRA_EDITOR (self), capra_number_range_from_position (&self->range, position));
}

/* Screen readers read the number, as the entry shows it, not the position of the slider. GTK 4.8 does not give them the
 * text of the value, so that it is in the description, too. */
static void
describe_slider (CapraNumberEditor *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *blurb = g_param_spec_get_blurb (capra_editor_get_property (CAPRA_EDITOR (self)));
  g_autofree char *description = blurb && *blurb ? g_strdup_printf ("%s · %s", text, blurb) : g_strdup (text);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static void
capra_number_editor_show (CapraEditor *editor, const GValue *value)
{
  CapraNumberEditor *self = CAPRA_NUMBER_EDITOR (editor);
  double number = capra_number_get (value);

  gtk_adjustment_set_value (self->number, number);
  if (!self->position)
    return;
  gtk_adjustment_set_value (self->position, capra_number_range_to_position (&self->range, number));
  describe_slider (self);
}

static void
add_slider (CapraNumberEditor *self)
{
  self->position = gtk_adjustment_new (0.0, 0.0, 1.0, 0.01, 0.1, 0.0);
  self->slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->position);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (self->slider), -1);
  gtk_widget_set_hexpand (self->slider, TRUE);
  capra_editor_ignore_wheel (self->slider);
  g_signal_connect_object (self->position, "value-changed", G_CALLBACK (on_position), self, G_CONNECT_SWAPPED);
  capra_editor_add_below (CAPRA_EDITOR (self), self->slider);
}

static void
capra_number_editor_constructed (GObject *object)
{
  CapraNumberEditor *self = CAPRA_NUMBER_EDITOR (object);
  CapraEditor *editor = CAPRA_EDITOR (object);

  G_OBJECT_CLASS (capra_number_editor_parent_class)->constructed (object);
  capra_number_range_init (&self->range, capra_editor_get_property (editor));
  self->entry = capra_number_entry_new (editor, &self->range, ENTRY_WIDTH);
  self->number = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->entry));
  capra_editor_add_beside (editor, self->entry);
  if (capra_number_range_has_slider (&self->range))
    add_slider (self);
}

static void
capra_number_editor_class_init (CapraNumberEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_number_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_number_editor_show;
}

static void
capra_number_editor_init (CapraNumberEditor *self)
{
}

GtkWidget *
capra_number_editor_get_slider (CapraNumberEditor *editor)
{
  return editor->slider;
}
