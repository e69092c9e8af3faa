/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preset-popover: loads, removes and saves presets. */
#include "ui/panel/steps/preset-popover.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/steps/presets.h"

struct _CapraPresetPopover {
  GtkPopover parent_instance;
  CapraStepModel *model;
  GtkWidget *list, *scroller, *empty, *entry, *save_button;
};

G_DEFINE_FINAL_TYPE (CapraPresetPopover, capra_preset_popover, GTK_TYPE_POPOVER)

enum { PROP_0, PROP_MODEL, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
static guint failed_signal;

static void update (CapraPresetPopover *self);

static void
report (CapraPresetPopover *self, const GError *error)
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
on_load (GtkButton *button, CapraPresetPopover *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_presets_load (get_name (GTK_WIDGET (button)), &error);

  if (!steps)
    {
      report (self, error);
      return;
    }
  capra_step_model_replace (self->model, steps);
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
on_remove (GtkButton *button, CapraPresetPopover *self)
{
  g_autoptr (GError) error = NULL;

  if (capra_presets_remove (get_name (GTK_WIDGET (button)), &error))
    update (self);
  else
    report (self, error);
}

static GtkWidget *
make_row (CapraPresetPopover *self, const char *name)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *load = gtk_button_new_with_label (name);
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (load));
  g_autofree char *tooltip = g_strdup_printf (_ ("Remove the preset “%s”"), name);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (load, TRUE);
  gtk_widget_add_css_class (load, "flat");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  g_object_set_data_full (G_OBJECT (load), "preset", g_strdup (name), g_free);
  g_object_set_data_full (G_OBJECT (remove), "preset", g_strdup (name), g_free);
  g_signal_connect (load, "clicked", G_CALLBACK (on_load), self);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (row), load);
  gtk_box_append (GTK_BOX (row), remove);
  return row;
}

static void
update_save_button (CapraPresetPopover *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  gtk_widget_set_sensitive (self->save_button, *name && capra_step_model_get_length (self->model) > 0);
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
  update_save_button (self);
}

static void
on_map (CapraPresetPopover *self)
{
  gtk_widget_grab_focus (self->entry);
}

static void
on_save (CapraPresetPopover *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->model);
  g_autoptr (GError) error = NULL;

  if (!*name || steps->len == 0)
    return;
  if (!capra_presets_save (name, steps, &error))
    {
      report (self, error);
      return;
    }
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  update (self);
}

static void
capra_preset_popover_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_object (value, CAPRA_PRESET_POPOVER (object)->model);
}

static void
capra_preset_popover_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  g_set_object (&CAPRA_PRESET_POPOVER (object)->model, g_value_get_object (value));
}

static void
capra_preset_popover_dispose (GObject *object)
{
  g_clear_object (&CAPRA_PRESET_POPOVER (object)->model);
  G_OBJECT_CLASS (capra_preset_popover_parent_class)->dispose (object);
}

static void
capra_preset_popover_class_init (CapraPresetPopoverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = capra_preset_popover_get_property;
  object_class->set_property = capra_preset_popover_set_property;
  object_class->dispose = capra_preset_popover_dispose;
  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, CAPRA_TYPE_STEP_MODEL,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_PRESET_POPOVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "preset-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraPresetPopover, list);
  gtk_widget_class_bind_template_child (widget_class, CapraPresetPopover, scroller);
  gtk_widget_class_bind_template_child (widget_class, CapraPresetPopover, empty);
  gtk_widget_class_bind_template_child (widget_class, CapraPresetPopover, entry);
  gtk_widget_class_bind_template_child (widget_class, CapraPresetPopover, save_button);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, update_save_button);
  gtk_widget_class_bind_template_callback (widget_class, on_map);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
}

static void
capra_preset_popover_init (CapraPresetPopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
