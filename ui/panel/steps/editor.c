/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor: the widgets that show and change one property; which kind, and the small ones. */
#include "ui/panel/steps/editor.h"

#include <gegl-paramspecs.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/text/value-text.h"

const char *
capra_property_get_unit (GParamSpec *property)
{
  static const struct {
    const char *unit, *text;
  } units[] = {
    { "pixel-distance", N_ ("px") }, { "pixel-coordinate", N_ ("px") }, { "degree", N_ ("°") },
    { "kelvin", N_ ("K") },          { "percent", N_ ("%") },
  };
  const char *unit = gegl_param_spec_get_property_key (property, "unit");

  for (guint i = 0; unit && i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].unit) == 0)
      return _ (units[i].text);
  return "";
}

void
capra_editor_ignore_wheel (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

void
capra_editor_take (CapraEditor *editor, const GValue *value)
{
  if (!editor->showing && editor->changed)
    editor->changed (editor, value, editor->data);
}

/* Text that is no value stays, marked, until it is one. */
void
capra_editor_take_text (CapraEditor *editor, const char *text)
{
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean good = capra_value_from_text (editor->property, text, &value, NULL);

  if (good)
    {
      gtk_widget_remove_css_class (editor->widget, "error");
      capra_editor_take (editor, &value);
    }
  else
    gtk_widget_add_css_class (editor->widget, "error");
}

void
capra_editor_show (CapraEditor *editor, const GValue *value)
{
  editor->showing = TRUE;
  if (editor->show)
    editor->show (editor, value);
  editor->showing = FALSE;
}

static void
show_switch (CapraEditor *editor, const GValue *value)
{
  gtk_switch_set_active (GTK_SWITCH (editor->widget), g_value_get_boolean (value));
}

static void
on_switched (GObject *object, GParamSpec *pspec, gpointer data)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_BOOLEAN);
  g_value_set_boolean (&value, gtk_switch_get_active (GTK_SWITCH (object)));
  capra_editor_take (data, &value);
}

static void
init_switch (CapraEditor *editor)
{
  editor->beside = editor->widget = gtk_switch_new ();
  gtk_widget_set_valign (editor->beside, GTK_ALIGN_CENTER);
  g_signal_connect (editor->beside, "notify::active", G_CALLBACK (on_switched), editor);
  editor->show = show_switch;
}

static void
show_color (CapraEditor *editor, const GValue *value)
{
  float rgba[4] = { 0, 0, 0, 1 };

  if (g_value_get_object (value))
    gegl_color_get_pixel (g_value_get_object (value), babl_format ("R'G'B'A float"), rgba);
  gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (editor->widget), &(GdkRGBA){ rgba[0], rgba[1], rgba[2], rgba[3] });
}

static void
on_color_set (GtkColorButton *button, gpointer data)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GeglColor *color = gegl_color_new ("black");
  GdkRGBA rgba;

  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (button), &rgba);
  gegl_color_set_pixel (color, babl_format ("R'G'B'A float"), (float[]){ rgba.red, rgba.green, rgba.blue, rgba.alpha });
  g_value_init (&value, GEGL_TYPE_COLOR);
  g_value_take_object (&value, color);
  capra_editor_take (data, &value);
}

static void
init_color (CapraEditor *editor)
{
  editor->beside = editor->widget = gtk_color_button_new ();
  gtk_color_chooser_set_use_alpha (GTK_COLOR_CHOOSER (editor->widget), TRUE);
  gtk_color_button_set_title (GTK_COLOR_BUTTON (editor->widget), g_param_spec_get_nick (editor->property));
  gtk_widget_set_valign (editor->beside, GTK_ALIGN_CENTER);
  g_signal_connect (editor->beside, "color-set", G_CALLBACK (on_color_set), editor);
  editor->show = show_color;
}

/* Buffers and sounds come from other nodes, not from people. */
static void
init_none (CapraEditor *editor)
{
  editor->beside = gtk_label_new (_ ("Cannot be set here"));
  gtk_widget_add_css_class (editor->beside, "dim-label");
}

static void
init_object (CapraEditor *editor)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (editor->property);

  if (g_type_is_a (type, GEGL_TYPE_COLOR))
    init_color (editor);
  else if (g_type_is_a (type, GEGL_TYPE_CURVE))
    capra_editor_init_curve (editor);
  else if (g_type_is_a (type, GEGL_TYPE_PATH))
    capra_editor_init_text (editor);
  else
    init_none (editor);
}

CapraEditor *
capra_editor_new (GParamSpec *property)
{
  CapraEditor *editor = g_new0 (CapraEditor, 1);

  editor->property = property;
  if (GEGL_IS_PARAM_SPEC_SEED (property))
    capra_editor_init_seed (editor);
  else if (G_IS_PARAM_SPEC_DOUBLE (property) || G_IS_PARAM_SPEC_INT (property) || G_IS_PARAM_SPEC_UINT (property))
    capra_editor_init_number (editor);
  else if (G_IS_PARAM_SPEC_BOOLEAN (property))
    init_switch (editor);
  else if (G_IS_PARAM_SPEC_ENUM (property))
    capra_editor_init_choice (editor);
  else if (GEGL_IS_PARAM_SPEC_FILE_PATH (property))
    capra_editor_init_file (editor);
  else if (G_IS_PARAM_SPEC_STRING (property) && strcmp (property->name, "device") == 0)
    capra_editor_init_device (editor);
  else if (G_IS_PARAM_SPEC_STRING (property) || G_IS_PARAM_SPEC_POINTER (property))
    capra_editor_init_text (editor);
  else if (g_type_is_a (G_PARAM_SPEC_VALUE_TYPE (property), G_TYPE_OBJECT))
    init_object (editor);
  else
    init_none (editor);
  return editor;
}

void
capra_editor_free (CapraEditor *editor)
{
  g_strfreev (editor->names);
  g_free (editor);
}
