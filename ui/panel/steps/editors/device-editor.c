/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-editor: the device that an operation runs on. */
#include "ui/panel/steps/editors/device-editor.h"

#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>

#include "capra.h"
#include "ui/panel/steps/editors/drop-down.h"

struct _CapraDeviceEditor {
  CapraEditor parent_instance;
  GtkDropDown *drop_down; /* NULL until the devices are found */
  char *shown;            /* nullable: the value */
  GPtrArray *names;       /* of the property's values, in the order of the list */
};

G_DEFINE_FINAL_TYPE (CapraDeviceEditor, capra_device_editor, CAPRA_TYPE_EDITOR)

static void
add (GPtrArray *labels, GPtrArray *names, char *label, const char *name)
{
  g_ptr_array_add (labels, label);
  g_ptr_array_add (names, g_strdup (name));
}

/* The labels of all devices that have been found; fills in @names. */
static GPtrArray *
list_devices (GPtrArray *names)
{
  const GPtrArray *devices = capra_device_peek_list ();
  GPtrArray *labels = g_ptr_array_new_with_free_func (g_free);

  add (labels, names, g_strdup (_ ("Default device")), "");
  add (labels, names, g_strdup (_ ("Automatic (first to finish)")), "auto");
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      add (labels, names, g_strdup_printf ("%u: %s", info->index, info->name), info->id);
    }
  if (devices && devices->len > 1)
    add (labels, names, g_strdup (_ ("All devices together")), "all");
  g_ptr_array_add (labels, NULL);
  return labels;
}

/* The names of the devices that @name, a list, selects; @name itself if it is none, or if one of them is absent. */
static char *
describe (const char *name)
{
  g_autoptr (GPtrArray) devices = capra_device_is_several (name) ? capra_device_select_several (name, NULL) : NULL;
  GString *text = NULL;

  if (!devices)
    return g_strdup (name);
  text = g_string_new (NULL);
  for (guint i = 0; i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      g_string_append_printf (text, "%s%u: %s", i > 0 ? " + " : "", info->index, info->name);
    }
  return g_string_free (text, FALSE);
}

/* Adds a device to the list that it does not contain, such as one named by a part of its name, an absent one, or
 * several. */
static guint
find_device (CapraDeviceEditor *self, const char *name)
{
  g_autofree char *label = NULL;
  guint position;

  if (g_ptr_array_find_with_equal_func (self->names, name, g_str_equal, &position))
    return position;
  g_ptr_array_add (self->names, g_strdup (name));
  label = describe (name);
  gtk_string_list_append (GTK_STRING_LIST (gtk_drop_down_get_model (self->drop_down)), label);
  return self->names->len - 1;
}

static void
capra_device_editor_show (CapraEditor *editor, const GValue *value)
{
  CapraDeviceEditor *self = CAPRA_DEVICE_EDITOR (editor);

  g_free (self->shown);
  self->shown = g_value_dup_string (value);
  if (self->drop_down)
    gtk_drop_down_set_selected (self->drop_down, find_device (self, self->shown ? self->shown : ""));
}

static void
on_selected (CapraDeviceEditor *self)
{
  guint selected = gtk_drop_down_get_selected (self->drop_down);
  g_auto (GValue) value = G_VALUE_INIT;

  if (selected >= self->names->len)
    return;
  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, self->names->pdata[selected]);
  capra_editor_take_value (CAPRA_EDITOR (self), &value);
}

/* Why the device was chosen, with "auto". */
static gboolean
on_query_tooltip (CapraDeviceEditor *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  const GValue *value = capra_editor_get_value (CAPRA_EDITOR (self));
  GType owner = capra_editor_get_property (CAPRA_EDITOR (self))->owner_type;
  gpointer klass = g_type_class_peek (owner);
  const char *operation = klass && g_type_is_a (owner, GEGL_TYPE_OPERATION) ? GEGL_OPERATION_CLASS (klass)->name : NULL;
  g_autofree char *reason = NULL, *text = NULL;

  if (!operation || !G_VALUE_HOLDS_STRING (value) || !capra_device_is_auto (g_value_get_string (value)))
    return FALSE;
  reason = capra_device_choice_describe (operation);
  if (!reason)
    return FALSE;
  /* Translators: %s is a list of devices with times. */
  text = g_strdup_printf (_ ("Why here: %s"), reason);
  gtk_tooltip_set_text (tooltip, g_strchomp (text));
  return TRUE;
}

static void
add_drop_down (CapraDeviceEditor *self)
{
  g_autoptr (GPtrArray) labels = list_devices (self->names);

  self->drop_down = capra_drop_down_add (CAPRA_EDITOR (self), (const char *const *) labels->pdata);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->drop_down), TRUE);
  g_signal_connect_object (self->drop_down, "query-tooltip", G_CALLBACK (on_query_tooltip), self, G_CONNECT_SWAPPED);
  gtk_drop_down_set_selected (self->drop_down, find_device (self, self->shown ? self->shown : ""));
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
}

static void
find_devices (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  capra_device_list (NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_devices_found (GObject *source, GAsyncResult *result, gpointer data)
{
  if (gtk_widget_get_parent (GTK_WIDGET (source))) /* the window may have been closed */
    add_drop_down (CAPRA_DEVICE_EDITOR (source));
}

static void
capra_device_editor_constructed (GObject *object)
{
  G_OBJECT_CLASS (capra_device_editor_parent_class)->constructed (object);
  if (capra_device_peek_list ())
    add_drop_down (CAPRA_DEVICE_EDITOR (object));
  else
    {
      g_autoptr (GTask) task = g_task_new (object, NULL, on_devices_found, NULL);

      g_task_run_in_thread (task, find_devices);
    }
}

static void
capra_device_editor_finalize (GObject *object)
{
  CapraDeviceEditor *self = CAPRA_DEVICE_EDITOR (object);

  g_ptr_array_unref (self->names);
  g_free (self->shown);
  G_OBJECT_CLASS (capra_device_editor_parent_class)->finalize (object);
}

static void
capra_device_editor_class_init (CapraDeviceEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = capra_device_editor_constructed;
  G_OBJECT_CLASS (klass)->finalize = capra_device_editor_finalize;
  CAPRA_EDITOR_CLASS (klass)->show = capra_device_editor_show;
}

static void
capra_device_editor_init (CapraDeviceEditor *self)
{
  self->names = g_ptr_array_new_with_free_func (g_free);
}
