/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seed-editor: the seed of a random number generator, and a button for another one. */
#include "ui/panel/steps/editors/seed-editor.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/steps/editors/number-entry.h"

#define ENTRY_WIDTH 10 /* characters */

struct _CapraSeedEditor {
  CapraEditor parent_instance;
  GtkAdjustment *number;
};

G_DEFINE_FINAL_TYPE (CapraSeedEditor, capra_seed_editor, CAPRA_TYPE_EDITOR)

static void
on_shuffle (CapraSeedEditor *self)
{
  capra_number_entry_take (CAPRA_EDITOR (self), g_random_int_range (0, G_MAXINT32));
}

static void
capra_seed_editor_show (CapraEditor *editor, const GValue *value)
{
  gtk_adjustment_set_value (CAPRA_SEED_EDITOR (editor)->number, capra_number_get (value));
}

static void
capra_seed_editor_constructed (GObject *object)
{
  CapraSeedEditor *self = CAPRA_SEED_EDITOR (object);
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *shuffle = gtk_button_new_from_icon_name ("media-playlist-shuffle-symbolic");
  CapraNumberRange range;
  GtkWidget *entry;

  G_OBJECT_CLASS (capra_seed_editor_parent_class)->constructed (object);
  capra_number_range_init (&range, capra_editor_get_property (editor));
  entry = capra_number_entry_new (editor, &range, ENTRY_WIDTH);
  self->number = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (entry));
  gtk_widget_set_tooltip_text (shuffle, _ ("Another random seed"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (shuffle), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Another random seed"),
                                  -1);
  gtk_widget_set_valign (shuffle, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (shuffle, "flat");
  g_signal_connect_object (shuffle, "clicked", G_CALLBACK (on_shuffle), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), shuffle);
  capra_editor_add_beside (editor, box);
}

static void
capra_seed_editor_class_init (CapraSeedEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_seed_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_seed_editor_show;
}

static void
capra_seed_editor_init (CapraSeedEditor *self)
{
}
