/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-editor: a color with its alpha. */
#include "ui/panel/steps/editors/color-editor.h"

struct _CapraColorEditor {
  CapraEditor parent_instance;
};

G_DEFINE_FINAL_TYPE (CapraColorEditor, capra_color_editor, CAPRA_TYPE_EDITOR)

static void
on_color_set (CapraEditor *editor, GtkColorChooser *button)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GeglColor *color = gegl_color_new ("black");
  GdkRGBA rgba;

  gtk_color_chooser_get_rgba (button, &rgba);
  gegl_color_set_pixel (color, babl_format ("R'G'B'A float"), (float[]){ rgba.red, rgba.green, rgba.blue, rgba.alpha });
  g_value_init (&value, GEGL_TYPE_COLOR);
  g_value_take_object (&value, color);
  capra_editor_take_value (editor, &value);
}

static void
capra_color_editor_show (CapraEditor *editor, const GValue *value)
{
  GtkColorChooser *button = GTK_COLOR_CHOOSER (capra_editor_get_control (editor));
  float rgba[4] = { 0, 0, 0, 1 };

  if (g_value_get_object (value))
    gegl_color_get_pixel (g_value_get_object (value), babl_format ("R'G'B'A float"), rgba);
  gtk_color_chooser_set_rgba (button, &(GdkRGBA){ rgba[0], rgba[1], rgba[2], rgba[3] });
}

static void
capra_color_editor_constructed (GObject *object)
{
  CapraEditor *editor = CAPRA_EDITOR (object);
  GtkWidget *button = gtk_color_button_new ();

  G_OBJECT_CLASS (capra_color_editor_parent_class)->constructed (object);
  gtk_color_chooser_set_use_alpha (GTK_COLOR_CHOOSER (button), TRUE);
  gtk_color_button_set_title (GTK_COLOR_BUTTON (button), g_param_spec_get_nick (capra_editor_get_property (editor)));
  g_signal_connect_object (button, "color-set", G_CALLBACK (on_color_set), editor, G_CONNECT_SWAPPED);
  capra_editor_add_beside (editor, button);
  capra_editor_set_control (editor, button);
}

static void
capra_color_editor_class_init (CapraColorEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_color_editor_constructed;
  CAPRA_EDITOR_CLASS (klass)->show = capra_color_editor_show;
}

static void
capra_color_editor_init (CapraColorEditor *self)
{
}
