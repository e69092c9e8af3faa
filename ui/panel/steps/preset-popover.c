/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preset-popover: the presets, to be taken, removed, and one to be kept. */
#include "ui/panel/steps/preset-popover.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/steps/presets.h"

struct _CapraPresetPopover {
  GtkPopover parent_instance;
  CapraStepModel *pipeline;
  GtkWidget *list, *scroller, *empty, *entry, *save;
};

G_DEFINE_FINAL_TYPE (CapraPresetPopover, capra_preset_popover, GTK_TYPE_POPOVER)

static guint failed_signal;

static void update (CapraPresetPopover *self);

static void
tell (CapraPresetPopover *self, const GError *error)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, failed_signal, 0, error->message);
}

static const char *
get_name (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "preset");
}

static void
on_take (GtkButton *button, CapraPresetPopover *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_presets_load (get_name (GTK_WIDGET (button)), &error);

  if (!steps)
    {
      tell (self, error);
      return;
    }
  capra_step_model_replace (self->pipeline, steps);
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
on_remove (GtkButton *button, CapraPresetPopover *self)
{
  g_autoptr (GError) error = NULL;

  if (capra_presets_remove (get_name (GTK_WIDGET (button)), &error))
    update (self);
  else
    tell (self, error);
}

static GtkWidget *
make_row (CapraPresetPopover *self, const char *name)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *take = gtk_button_new_with_label (name);
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (take));
  g_autofree char *what = g_strdup_printf (_ ("Remove the preset “%s”"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (take, TRUE);
  gtk_widget_add_css_class (take, "flat");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, what);
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, what, -1);
  g_object_set_data_full (G_OBJECT (take), "preset", g_strdup (name), g_free);
  g_object_set_data_full (G_OBJECT (remove), "preset", g_strdup (name), g_free);
  g_signal_connect (take, "clicked", G_CALLBACK (on_take), self);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (row), take);
  gtk_box_append (GTK_BOX (row), remove);
  return row;
}

static void
update_save (CapraPresetPopover *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  gtk_widget_set_sensitive (self->save, *name && capra_step_model_get_length (self->pipeline) > 0);
}

static void
update (CapraPresetPopover *self)
{
  g_auto (GStrv) names = capra_presets_list ();
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->list)))
    gtk_box_remove (GTK_BOX (self->list), child);
  for (guint i = 0; names[i]; i++)
    gtk_box_append (GTK_BOX (self->list), make_row (self, names[i]));
  gtk_widget_set_visible (self->empty, names[0] == NULL);
  gtk_widget_set_visible (self->scroller, names[0] != NULL);
  update_save (self);
}

static void
on_save (CapraPresetPopover *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  g_autoptr (GError) error = NULL;

  if (!*name || steps->len == 0)
    return;
  if (!capra_presets_save (name, steps, &error))
    {
      tell (self, error);
      return;
    }
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  update (self);
}

static GtkWidget *
make_saver (CapraPresetPopover *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("Name of a new preset"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of a new preset"), -1);
  gtk_widget_set_hexpand (self->entry, TRUE);
  self->save = gtk_button_new_with_mnemonic (_ ("_Keep"));
  gtk_widget_set_tooltip_text (self->save, _ ("Keep the steps as a preset"));
  gtk_widget_add_css_class (line, "linked");
  gtk_box_append (GTK_BOX (line), self->entry);
  gtk_box_append (GTK_BOX (line), self->save);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (update_save), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_save), self);
  g_signal_connect_swapped (self->save, "clicked", G_CALLBACK (on_save), self);
  return line;
}

static void
capra_preset_popover_dispose (GObject *object)
{
  g_clear_object (&CAPRA_PRESET_POPOVER (object)->pipeline);
  G_OBJECT_CLASS (capra_preset_popover_parent_class)->dispose (object);
}

static void
capra_preset_popover_class_init (CapraPresetPopoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_preset_popover_dispose;
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_PRESET_POPOVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
capra_preset_popover_init (CapraPresetPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->scroller = scroller;
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->empty = gtk_label_new (_ ("No presets yet"));
  gtk_widget_add_css_class (self->empty, "dim-label");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_size_request (box, 280, -1);
  gtk_widget_set_margin_top (self->empty, 6);
  gtk_widget_set_margin_bottom (self->empty, 6);
  gtk_box_append (GTK_BOX (box), self->empty);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), make_saver (self));
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "show", G_CALLBACK (update), NULL);
  g_signal_connect_swapped (self, "map", G_CALLBACK (gtk_widget_grab_focus), self->entry);
}

GtkWidget *
capra_preset_popover_new (CapraStepModel *pipeline)
{
  CapraPresetPopover *self = g_object_new (CAPRA_TYPE_PRESET_POPOVER, NULL);

  self->pipeline = g_object_ref (pipeline);
  return GTK_WIDGET (self);
}
