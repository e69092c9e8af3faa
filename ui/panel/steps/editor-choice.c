/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editor-choice: one of several: values of an enumeration, or devices. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "capra.h"
#include "ui/panel/steps/editor.h"

#define LONG_NAME 22 /* characters that no longer fit beside the property's name */

static void
ellipsize_item (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind_item (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkStringObject *string = gtk_list_item_get_item (item);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (string));
}

/* The button's text is cut off where there is no room; the list shows all of it. */
static void
make_drop_down (CapraEditor *editor, const char *const *labels)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkListItemFactory *list = NULL;
  gboolean wide = FALSE;

  editor->widget = gtk_drop_down_new_from_strings (labels);
  g_object_get (editor->widget, "factory", &list, NULL);
  g_signal_connect (factory, "setup", G_CALLBACK (ellipsize_item), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_item), NULL);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (editor->widget), list);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (editor->widget), factory);
  g_object_unref (factory);
  g_clear_object (&list);
  for (guint i = 0; labels[i]; i++)
    wide |= g_utf8_strlen (labels[i], -1) > LONG_NAME;
  gtk_widget_set_valign (editor->widget, GTK_ALIGN_CENTER);
  if (wide)
    editor->below = editor->widget;
  else
    editor->beside = editor->widget;
}

static void
show_choice (CapraEditor *editor, const GValue *value)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (editor->property)->enum_class;

  for (guint i = 0; i < klass->n_values; i++)
    if (klass->values[i].value == g_value_get_enum (value))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (editor->widget), i);
}

static void
on_chosen (GObject *object, GParamSpec *pspec, gpointer data)
{
  CapraEditor *editor = data;
  GEnumClass *klass = G_PARAM_SPEC_ENUM (editor->property)->enum_class;
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (object));
  g_auto (GValue) value = G_VALUE_INIT;

  if (chosen >= klass->n_values)
    return;
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (editor->property));
  g_value_set_enum (&value, klass->values[chosen].value);
  capra_editor_take (editor, &value);
}

/* Names of GEGL's values are for people, and translated by GEGL; ours by us. */
static const char *
translate (GEnumClass *klass, const GEnumValue *value)
{
  gboolean ours = g_str_has_prefix (g_type_name (G_TYPE_FROM_CLASS (klass)), "Capra");

  return ours ? _ (value->value_name) : g_dgettext ("gegl-0.4", value->value_name);
}

void
capra_editor_init_choice (CapraEditor *editor)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (editor->property)->enum_class;
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  for (guint i = 0; i < klass->n_values; i++)
    g_ptr_array_add (labels, (gpointer) translate (klass, &klass->values[i]));
  g_ptr_array_add (labels, NULL);
  make_drop_down (editor, (const char *const *) labels->pdata);
  g_signal_connect (editor->widget, "notify::selected", G_CALLBACK (on_chosen), editor);
  editor->show = show_choice;
}

/* A device that is named otherwise than in the list (a part of its name, or gone) is added to it. */
static guint
find_device (CapraEditor *editor, const char *name)
{
  GtkStringList *list = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (editor->widget)));
  guint count = g_strv_length (editor->names);

  for (guint i = 0; i < count; i++)
    if (strcmp (editor->names[i], name) == 0)
      return i;
  editor->names = g_renew (char *, editor->names, count + 2);
  editor->names[count] = g_strdup (name);
  editor->names[count + 1] = NULL;
  gtk_string_list_append (list, name);
  return count;
}

static void
show_device (CapraEditor *editor, const GValue *value)
{
  const char *name = g_value_get_string (value);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (editor->widget), find_device (editor, name ? name : ""));
}

static void
on_device (GObject *object, GParamSpec *pspec, gpointer data)
{
  CapraEditor *editor = data;
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (object));
  g_auto (GValue) value = G_VALUE_INIT;

  if (chosen >= g_strv_length (editor->names))
    return;
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, editor->names[chosen]);
  capra_editor_take (editor, &value);
}

void
capra_editor_init_device (CapraEditor *editor)
{
  const GPtrArray *devices = capra_device_list (NULL);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  g_ptr_array_add (labels, g_strdup (_ ("Default device")));
  g_ptr_array_add (names, g_strdup (""));
  g_ptr_array_add (labels, g_strdup (_ ("Best for each step")));
  g_ptr_array_add (names, g_strdup ("auto"));
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      g_ptr_array_add (labels, g_strdup_printf ("%u: %s", info->index, info->name));
      g_ptr_array_add (names, g_strdup (info->id));
    }
  if (devices && devices->len > 1)
    {
      g_ptr_array_add (labels, g_strdup (_ ("All devices together")));
      g_ptr_array_add (names, g_strdup ("all"));
    }
  g_ptr_array_add (labels, NULL);
  g_ptr_array_add (names, NULL);
  editor->names = (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  make_drop_down (editor, (const char *const *) labels->pdata);
  g_signal_connect (editor->widget, "notify::selected", G_CALLBACK (on_device), editor);
  editor->show = show_device;
}
