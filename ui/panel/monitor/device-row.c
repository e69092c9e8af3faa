/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device row: shows a CapraDeviceInfo, and measures the bandwidth and checks the results on request. */
#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/device-check.h"
#include "ui/panel/monitor/device-limits.h"
#include "ui/panel/monitor/device-row.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/panel/widgets/units.h"

struct _CapraDeviceRow {
  AdwExpanderRow parent_instance;
  GtkWidget *radio, *warning, *badge, *failure, *make_default, *bandwidth, *spinner, *measure, *check, *check_spinner,
    *check_start, *check_cancel, *set_aside, *quirks, *compute, *memory, *version, *identifier;
  CapraDevice *device;
  CapraDeviceCheck *device_check;
  char *failure_message; /* NULL if the device works */
};

enum { CHOSEN, MAKE_DEFAULT, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CapraDeviceRow, capra_device_row, ADW_TYPE_EXPANDER_ROW)

static void
on_toggled (CapraDeviceRow *row)
{
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (row->radio)))
    g_signal_emit (row, signals[CHOSEN], 0);
}

static void
on_make_default (CapraDeviceRow *row)
{
  g_signal_emit (row, signals[MAKE_DEFAULT], 0);
}

static void
measure (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  double rate = capra_device_measure_copy (data, &error);

  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&rate, sizeof rate), g_free);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer data)
{
  CapraDeviceRow *row = CAPRA_DEVICE_ROW (source);
  g_autoptr (GError) error = NULL;
  g_autofree double *rate = g_task_propagate_pointer (G_TASK (result), &error);

  gtk_spinner_stop (GTK_SPINNER (row->spinner));
  gtk_widget_set_sensitive (row->measure, TRUE);
  capra_device_row_set_failure (row, error ? error->message : NULL);
  if (rate)
    {
      g_autofree char *text = g_strdup_printf (_ ("%.1f GB/s, read and written"), *rate * 1e-9);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row->bandwidth), text);
    }
}

static void
on_measure (CapraDeviceRow *row)
{
  g_autoptr (GTask) task = g_task_new (row, NULL, on_measured, NULL);

  gtk_widget_set_sensitive (row->measure, FALSE);
  gtk_spinner_start (GTK_SPINNER (row->spinner));
  g_task_set_task_data (task, row->device, NULL);
  g_task_run_in_thread (task, measure);
}

/* Takes ownership of @text. The subtitles of rows are markup. */
static void
set_subtitle (GtkWidget *row, char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
  g_free (text);
}

/* The warning in the row, also while it is closed. */
static void
show_warning (CapraDeviceRow *row)
{
  gboolean bad = capra_device_check_is_bad (row->device_check);
  g_autofree char *text = bad ? capra_device_check_describe (row->device_check) : NULL;

  gtk_widget_set_visible (row->warning, row->failure_message || bad);
  gtk_widget_set_tooltip_text (row->warning, row->failure_message ? row->failure_message : text);
}

/* Takes ownership of @markup; hides the row without it. */
static void
show_markup (GtkWidget *row, char *markup)
{
  gtk_widget_set_visible (row, markup != NULL);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), markup ? markup : "");
  g_free (markup);
}

static void
on_use_again (CapraDeviceRow *row)
{
  g_autoptr (GError) error = NULL;

  if (!capra_quarantine_lift (row->device, &error))
    capra_device_row_set_failure (row, error->message);
  show_markup (row->set_aside, capra_device_limits_describe_set_aside (row->device));
}

static void
show_check (CapraDeviceRow *row)
{
  gboolean running = capra_device_check_is_running (row->device_check);
  GtkWidget *shown = running ? row->check_cancel : row->check_start;
  GtkWidget *hidden = running ? row->check_start : row->check_cancel;
  gboolean focused = gtk_widget_has_focus (hidden);

  set_subtitle (row->check, capra_device_check_describe (row->device_check));
  show_markup (row->set_aside, capra_device_limits_describe_set_aside (row->device));
  gtk_spinner_set_spinning (GTK_SPINNER (row->check_spinner), running);
  gtk_widget_set_visible (shown, TRUE);
  if (focused)
    gtk_widget_grab_focus (shown);
  gtk_widget_set_visible (hidden, FALSE);
  if (capra_device_check_is_bad (row->device_check))
    gtk_widget_add_css_class (row->check, "capra-warning");
  else
    gtk_widget_remove_css_class (row->check, "capra-warning");
  show_warning (row);
}

static void
on_check (CapraDeviceRow *row)
{
  capra_device_check_start (row->device_check);
}

static void
on_check_cancel (CapraDeviceRow *row)
{
  capra_device_check_cancel (row->device_check);
}

/* Another program may have checked the device. */
static void
capra_device_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (capra_device_row_parent_class)->map (widget);
  capra_device_check_load (CAPRA_DEVICE_ROW (widget)->device_check);
}

static void
capra_device_row_dispose (GObject *object)
{
  CapraDeviceRow *row = CAPRA_DEVICE_ROW (object);

  g_clear_object (&row->device_check); /* ends a check that runs, if this was the last row of the device */
  g_clear_pointer (&row->failure_message, g_free);
  G_OBJECT_CLASS (capra_device_row_parent_class)->dispose (object);
}

static void
capra_device_row_class_init (CapraDeviceRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = capra_device_row_dispose;
  widget_class->map = capra_device_row_map;
  signals[CHOSEN] = g_signal_new ("chosen", CAPRA_TYPE_DEVICE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  0);
  signals[MAKE_DEFAULT] = g_signal_new ("make-default", CAPRA_TYPE_DEVICE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/capra/Panel/views/device-row.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, radio);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, warning);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, badge);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, failure);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, make_default);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, bandwidth);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, measure);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, check);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, check_spinner);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, check_start);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, check_cancel);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, set_aside);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, quirks);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, compute);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, memory);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, version);
  gtk_widget_class_bind_template_child (widget_class, CapraDeviceRow, identifier);
  gtk_widget_class_bind_template_callback (widget_class, on_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_make_default);
  gtk_widget_class_bind_template_callback (widget_class, on_measure);
  gtk_widget_class_bind_template_callback (widget_class, on_check);
  gtk_widget_class_bind_template_callback (widget_class, on_check_cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_use_again);
}

static gboolean
on_radio_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  GtkWidget *radio = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  if (key != GDK_KEY_Up && key != GDK_KEY_Down)
    return FALSE;
  return gtk_widget_child_focus (radio, key == GDK_KEY_Up ? GTK_DIR_UP : GTK_DIR_DOWN);
}

void
capra_device_row_add_arrow_keys (GtkWidget *radio)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_radio_key), NULL);
  gtk_widget_add_controller (radio, keys);
}

static void
capra_device_row_init (CapraDeviceRow *row)
{
  gtk_widget_init_template (GTK_WIDGET (row));
  capra_device_row_add_arrow_keys (row->radio);
}

static const char *
type_name (CapraDeviceType type)
{
  return type == CAPRA_DEVICE_CPU   ? _ ("Processor")
         : type == CAPRA_DEVICE_GPU ? _ ("Graphics card")
                                    : _ ("Accelerator");
}

static void
fill (CapraDeviceRow *row, const CapraDeviceInfo *info)
{
  g_autofree char *memory = capra_units_bytes (info->memory);
  g_autofree char *largest = capra_units_bytes (info->max_allocation);
  g_autofree char *local = capra_units_bytes (info->local_memory);
  g_autofree char *title = g_markup_escape_text (info->name, -1);
  g_autofree char *name = NULL;
  g_autofree char *subtitle = g_markup_printf_escaped ("%u · %s · %s · %s", info->index, type_name (info->type), memory,
                                                       info->platform_name);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), subtitle);
  if (info->clock)
    /* Translators: the number of compute units, their clock rate, and the size of the largest work-group */
    set_subtitle (row->compute, g_strdup_printf (_ ("%u at %u MHz, work-groups up to %u"), info->compute_units,
                                                 info->clock, (guint) info->max_group));
  else
    set_subtitle (row->compute,
                  g_strdup_printf (_ ("%u, work-groups up to %u"), info->compute_units, (guint) info->max_group));
  set_subtitle (
    row->memory,
    info->unified
      ? g_strdup_printf (_ ("%s, largest allocation %s, local memory %s; shared with the host"), memory, largest, local)
      : g_strdup_printf (_ ("%s, largest allocation %s, local memory %s"), memory, largest, local));
  /* Translators: the OpenCL version, the version of the driver, and the vendor */
  set_subtitle (row->version, g_strdup_printf (_ ("%s, driver %s, by %s"), info->version, info->driver, info->vendor));
  set_subtitle (row->identifier, g_strdup (info->id));
  show_markup (row->quirks, capra_device_limits_describe_quirks (row->device));
  name = g_strdup_printf ("%u: %s", info->index, info->name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->radio), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  capra_accessible_complete (GTK_WIDGET (row));
}

GtkWidget *
capra_device_row_new (CapraDevice *device, GtkCheckButton *group)
{
  CapraDeviceRow *row = g_object_new (CAPRA_TYPE_DEVICE_ROW, NULL);

  row->device = device;
  row->device_check = capra_device_check_get (device);
  g_signal_connect_object (row->device_check, "changed", G_CALLBACK (show_check), row, G_CONNECT_SWAPPED);
  gtk_check_button_set_group (GTK_CHECK_BUTTON (row->radio), group);
  fill (row, capra_device_get_info (device));
  show_check (row);
  return GTK_WIDGET (row);
}

CapraDevice *
capra_device_row_get_device (CapraDeviceRow *row)
{
  g_return_val_if_fail (CAPRA_IS_DEVICE_ROW (row), NULL);

  return row->device;
}

void
capra_device_row_set_chosen (CapraDeviceRow *row, gboolean chosen)
{
  g_return_if_fail (CAPRA_IS_DEVICE_ROW (row));

  gtk_check_button_set_active (GTK_CHECK_BUTTON (row->radio), chosen);
}

void
capra_device_row_set_default (CapraDeviceRow *row, gboolean is_default)
{
  g_return_if_fail (CAPRA_IS_DEVICE_ROW (row));

  gtk_widget_set_visible (row->badge, is_default);
  gtk_widget_set_sensitive (row->make_default, !is_default);
}

void
capra_device_row_set_failure (CapraDeviceRow *row, const char *message)
{
  g_return_if_fail (CAPRA_IS_DEVICE_ROW (row));

  gtk_widget_set_visible (row->failure, message != NULL);
  g_free (row->failure_message);
  row->failure_message = g_strdup (message);
  if (message)
    set_subtitle (row->failure, g_strdup (message));
  show_warning (row);
}
