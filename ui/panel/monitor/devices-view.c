/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices view: lists the devices in a thread, since drivers may take long to load. */
#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/device-row.h"
#include "ui/panel/monitor/devices-view.h"

struct _CapraDevicesView {
  GtkWidget parent_instance;
  GtkWidget *stack, *none, *group, *automatic, *automatic_radio, *forget, *clear_default;
  GPtrArray *rows; /* of CapraDeviceRow */
  char *device;
  gboolean lost;     /* it is not among the devices, as after a restart without it: the best one is used instead */
  gboolean missing;  /* it, or the user's default, is not among the devices */
  gboolean updating; /* rows are set from the property and must not change it */
};

enum { PROP_DEVICE = 1, PROP_MISSING, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (CapraDevicesView, capra_devices_view, GTK_TYPE_WIDGET)

/* Makes @device the one that this process uses. */
static void
set_device (CapraDevicesView *view, const char *device)
{
  g_free (view->device);
  view->device = g_strdup (device);
  view->lost = FALSE;
  capra_settings_choose ("device", device);
  g_object_notify_by_pspec (G_OBJECT (view), properties[PROP_DEVICE]);
}

/* The user has chosen @device. */
static void
choose (CapraDevicesView *view, const char *device)
{
  if (!view->updating && !g_str_equal (view->device, device))
    set_device (view, device);
}

static void
on_automatic (CapraDevicesView *view)
{
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (view->automatic_radio)))
    choose (view, "");
}

static void
on_chosen (CapraDevicesView *view, CapraDeviceRow *row)
{
  choose (view, capra_device_get_info (capra_device_row_get_device (row))->id);
}

/* Returns a copy of @name, the default device, if no device matches it. */
static char *
find_missing (const char *name)
{
  const char *forced = g_getenv ("CAPRA_DEVICE");

  g_autoptr (GError) error = NULL;

  if (!name || (forced && *forced) || capra_device_select (name, &error)
      || !g_error_matches (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE))
    return NULL;
  return g_strdup (name);
}

/* Marks the default device, and shows which device "Automatic" refers to. */
static void
show_default (CapraDevicesView *view)
{
  g_autofree char *name = capra_settings_get_common ("device");
  g_autofree char *missing = NULL;
  gboolean warns = FALSE;
  const char *forced = g_getenv ("CAPRA_DEVICE");
  g_autoptr (GError) error = NULL;
  CapraDevice *automatic = NULL;
  g_autofree char *text = NULL;

  missing = find_missing (name);
  automatic = name && !missing ? capra_device_select (name, &error) : capra_device_get_best (&error);

  for (guint i = 0; i < view->rows->len; i++)
    capra_device_row_set_default (view->rows->pdata[i],
                                  name && !missing && capra_device_row_get_device (view->rows->pdata[i]) == automatic);
  gtk_widget_set_visible (view->clear_default, name && !(forced && *forced));
  gtk_widget_set_visible (view->forget, view->lost);
  warns = missing || view->lost;
  if (warns)
    gtk_widget_add_css_class (view->automatic, "capra-warning");
  else
    gtk_widget_remove_css_class (view->automatic, "capra-warning");
  if (!automatic)
    text = g_markup_escape_text (error->message, -1);
  else if (view->lost)
    /* Translators: both %s are names of devices. */
    text = g_markup_printf_escaped (_ ("The chosen device “%s” is missing; used instead: %s"), view->device,
                                    capra_device_get_info (automatic)->name);
  else if (forced && *forced)
    /* Translators: CAPRA_DEVICE is an environment variable; %s are its value and the name of a device. */
    text = g_markup_printf_escaped (_ ("CAPRA_DEVICE is “%s”, which overrides the default: %s"), forced,
                                    capra_device_get_info (automatic)->name);
  else if (missing)
    /* Translators: both %s are names of devices. */
    text = g_markup_printf_escaped (_ ("Your default “%s” is missing; the best device is used instead: %s"), missing,
                                    capra_device_get_info (automatic)->name);
  else if (name)
    text = g_markup_printf_escaped (_ ("Your default: %s"), capra_device_get_info (automatic)->name);
  else
    text = g_markup_printf_escaped (_ ("Best device: %s"), capra_device_get_info (automatic)->name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (view->automatic), text);
  if (view->missing != warns)
    {
      view->missing = warns;
      g_object_notify_by_pspec (G_OBJECT (view), properties[PROP_MISSING]);
    }
}

/* @device: NULL for none. */
static void
store_default (CapraDevicesView *view, CapraDevice *device)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (capra_settings_set ("device", device ? capra_device_get_info (device)->id : NULL, &error))
    {
      show_default (view);
      return;
    }
  /* Translators: %s is the reason. */
  text = g_markup_printf_escaped (_ ("Cannot save the default: %s"), error->message);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (view->automatic), text);
}

static void
on_make_default (CapraDevicesView *view, CapraDeviceRow *row)
{
  store_default (view, capra_device_row_get_device (row));
}

static void
on_clear_default (CapraDevicesView *view)
{
  store_default (view, NULL);
}

static void
on_forget (CapraDevicesView *view)
{
  set_device (view, "");
  show_default (view);
}

/* Selects the row of the device in use, once the devices are known. */
static void
update_rows (CapraDevicesView *view)
{
  g_autoptr (GError) error = NULL;
  CapraDevice *device = NULL;

  if (view->rows->len == 0)
    return;
  device = *view->device ? capra_device_select (view->device, &error) : NULL;
  if (error && !view->lost)
    {
      view->lost = TRUE;
      capra_settings_choose ("device", "");
      g_object_notify_by_pspec (G_OBJECT (view), properties[PROP_DEVICE]); /* another device is in use */
    }
  view->updating = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (view->automatic_radio), device == NULL);
  for (guint i = 0; i < view->rows->len; i++)
    if (capra_device_row_get_device (view->rows->pdata[i]) == device)
      capra_device_row_set_chosen (view->rows->pdata[i], TRUE);
  view->updating = FALSE;
}

static void
find_devices (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  const GPtrArray *devices = capra_device_list (&error);

  if (devices)
    {
      g_task_return_pointer (task, (gpointer) devices, NULL);
      return;
    }
  why = capra_device_explain_text ();
  g_task_return_new_error (task, error->domain, error->code, "%s\n\n%s", error->message, why);
}

static void
on_devices_found (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraDevicesView *view = CAPRA_DEVICES_VIEW (source);
  g_autoptr (GError) error = NULL;
  const GPtrArray *devices = g_task_propagate_pointer (G_TASK (result), &error);

  if (!view->stack)
    return; /* the view was closed */
  if (!devices)
    {
      g_autofree char *text = g_markup_escape_text (error->message, -1);

      adw_status_page_set_description (ADW_STATUS_PAGE (view->none), text);
      gtk_stack_set_visible_child_name (GTK_STACK (view->stack), "none");
      return;
    }
  for (guint i = 0; i < devices->len; i++)
    {
      GtkWidget *row = capra_device_row_new (devices->pdata[i], GTK_CHECK_BUTTON (view->automatic_radio));

      g_signal_connect_object (row, "chosen", G_CALLBACK (on_chosen), view, G_CONNECT_SWAPPED);
      g_signal_connect_object (row, "make-default", G_CALLBACK (on_make_default), view, G_CONNECT_SWAPPED);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (view->group), row);
      g_ptr_array_add (view->rows, row);
    }
  update_rows (view);
  show_default (view);
  gtk_stack_set_visible_child_name (GTK_STACK (view->stack), "devices");
}

void
capra_devices_view_update_default (CapraDevicesView *view)
{
  g_return_if_fail (CAPRA_IS_DEVICES_VIEW (view));
  if (view->rows->len > 0)
    show_default (view);
}

static void
capra_devices_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (capra_devices_view_parent_class)->map (widget);
  capra_devices_view_update_default (CAPRA_DEVICES_VIEW (widget));
}

static void
capra_devices_view_dispose (GObject *object)
{
  CapraDevicesView *view = CAPRA_DEVICES_VIEW (object);

  g_ptr_array_set_size (view->rows, 0);
  g_clear_pointer (&view->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_devices_view_parent_class)->dispose (object);
}

static void
capra_devices_view_finalize (GObject *object)
{
  CapraDevicesView *view = CAPRA_DEVICES_VIEW (object);

  g_ptr_array_unref (view->rows);
  g_free (view->device);
  G_OBJECT_CLASS (capra_devices_view_parent_class)->finalize (object);
}

static void
capra_devices_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_DEVICE)
    g_value_set_string (value, CAPRA_DEVICES_VIEW (object)->device);
  else if (id == PROP_MISSING)
    g_value_set_boolean (value, CAPRA_DEVICES_VIEW (object)->missing);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_devices_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_DEVICE)
    capra_devices_view_set_device (CAPRA_DEVICES_VIEW (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_devices_view_class_init (CapraDevicesViewClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = capra_devices_view_dispose;
  object_class->finalize = capra_devices_view_finalize;
  object_class->get_property = capra_devices_view_get_property;
  object_class->set_property = capra_devices_view_set_property;
  widget_class->map = capra_devices_view_map;

  properties[PROP_DEVICE] = g_param_spec_string ("device", NULL, NULL, "",
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_MISSING] = g_param_spec_boolean ("missing", NULL, NULL, FALSE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/capra/Panel/views/devices-view.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, stack);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, none);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, group);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, automatic);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, automatic_radio);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, forget);
  gtk_widget_class_bind_template_child (widget_class, CapraDevicesView, clear_default);
  gtk_widget_class_bind_template_callback (widget_class, on_automatic);
  gtk_widget_class_bind_template_callback (widget_class, on_forget);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_default);
}

static void
capra_devices_view_init (CapraDevicesView *view)
{
  g_autoptr (GTask) task = NULL;

  view->device = g_strdup ("");
  view->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (view));
  capra_device_row_add_arrow_keys (view->automatic_radio);
  task = g_task_new (view, NULL, on_devices_found, NULL);
  g_task_run_in_thread (task, find_devices);
}

GtkWidget *
capra_devices_view_new (void)
{
  return g_object_new (CAPRA_TYPE_DEVICES_VIEW, NULL);
}

const char *
capra_devices_view_get_device (CapraDevicesView *view)
{
  g_return_val_if_fail (CAPRA_IS_DEVICES_VIEW (view), NULL);

  return view->device;
}

void
capra_devices_view_set_device (CapraDevicesView *view, const char *name)
{
  g_return_if_fail (CAPRA_IS_DEVICES_VIEW (view));

  if (g_strcmp0 (view->device, name ? name : "") == 0)
    return;
  set_device (view, name ? name : "");
  update_rows (view);
  if (view->rows->len > 0)
    show_default (view);
}

void
capra_devices_view_set_failure (CapraDevicesView *view, CapraDevice *device, const char *message)
{
  g_return_if_fail (CAPRA_IS_DEVICES_VIEW (view));

  for (guint i = 0; i < view->rows->len; i++)
    if (capra_device_row_get_device (view->rows->pdata[i]) == device)
      capra_device_row_set_failure (view->rows->pdata[i], message);
}
