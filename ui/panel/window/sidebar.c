/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidebar: pages with the steps, their results, the devices, the memory and the timings. */
#include "ui/panel/window/sidebar.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "ui/panel/monitor/devices-view.h"
#include "ui/panel/monitor/forecast-row.h"
#include "ui/panel/monitor/memory-view.h"
#include "ui/panel/monitor/timings-view.h"
#include "ui/panel/preview/histogram-pane.h"
#include "ui/panel/resources.h"
#include "ui/panel/results/results-page.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/window/settings-watch.h"
#include "ui/panel/window/sidebar-width.h"

struct _CapraSidebar {
  GtkBox parent_instance;
  AdwViewStack *pages;
  CapraStepModel *pipeline;
  CapraStepList *steps;
  CapraDevicesView *devices;
  CapraHistogramPane *histogram;
  CapraImageView *view;
  CapraResultsPage *results;
  CapraForecastRow *forecast;
  GtkWidget *exact; /* says what the numbers of a host's layer are */
  CapraSettingsWatch *settings;
  CapraThumbnails *thumbnails;
};

G_DEFINE_FINAL_TYPE (CapraSidebar, capra_sidebar, GTK_TYPE_BOX)

enum { PROP_BUSY = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];
enum { FAILED, SETTINGS_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
on_failed (CapraSidebar *self, const char *message)
{
  g_signal_emit (self, signals[FAILED], 0, message);
}

/* Devices in use have read the setting already. */
static void
update_budgets (void)
{
  const GPtrArray *devices = capra_device_peek_list ();

  for (guint i = 0; devices && i < devices->len; i++)
    capra_memory_set_budget (devices->pdata[i], 0);
}

/* All that shows results computes them again, so that they are of one state. */
static void
on_settings_changed (CapraSidebar *self)
{
  update_budgets ();
  capra_devices_view_update_default (self->devices);
  capra_histogram_pane_refresh (self->histogram);
  capra_thumbnails_refresh (self->thumbnails);
  capra_forecast_row_refresh (self->forecast);
  g_signal_emit (self, signals[SETTINGS_CHANGED], 0);
}

/* (nullable): the error of a step that failed because of this device. */
static const char *
find_failure (CapraSidebar *self, const CapraDeviceInfo *device)
{
  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);

      if (g_strcmp0 (capra_step_get_failed_device (step), device->id) == 0)
        return capra_step_get_error (step);
    }
  return NULL;
}

void
capra_sidebar_update_failures (CapraSidebar *self)
{
  const GPtrArray *devices = capra_device_peek_list ();

  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  for (guint i = 0; devices && i < devices->len; i++)
    capra_devices_view_set_failure (self->devices, devices->pdata[i],
                                    find_failure (self, capra_device_get_info (devices->pdata[i])));
}

/* The picture and its histogram are those of the layer after Apply; measurements are more exact. */
static GtkWidget *
add_note (GtkWidget *results)
{
  const char *text = _ ("Measured in the steps' own exact values, before they are written into the layer");
  GtkWidget *note = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "capra-results-bar");
  gtk_widget_set_visible (note, FALSE);
  gtk_box_append (GTK_BOX (results), note);
  return note;
}

/* What the pipeline will need, above what is in use. */
static GtkWidget *
make_memory_page (CapraSidebar *self, CapraProcesses *processes)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *view = capra_memory_view_new (processes);
  GtkWidget *forecast = capra_forecast_row_new (self->pipeline);

  self->forecast = CAPRA_FORECAST_ROW (forecast);
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (box), forecast);
  gtk_box_append (GTK_BOX (box), view);
  return box;
}

static AdwViewStackPage *
add_page (CapraSidebar *self, GtkWidget *widget, const char *name, const char *title, const char *icon)
{
  AdwViewStackPage *page = adw_view_stack_add_titled_with_icon (self->pages, widget, name, title, icon);

#if GTK_CHECK_VERSION(4, 10, 0)
  /* libadwaita 1.7 lists the following pages as parts of it, too: screen readers would read pages several times. */
  if (GTK_IS_ACCESSIBLE (page))
    gtk_accessible_set_accessible_parent (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE (page), NULL);
#endif
  return page;
}

void
capra_sidebar_set_pipeline (CapraSidebar *self, CapraStepModel *pipeline)
{
  GtkWidget *steps = capra_step_list_new (pipeline);
  GtkWidget *devices = capra_devices_view_new ();
  GtkWidget *histogram = capra_histogram_pane_new (pipeline);
  GtkWidget *results = capra_results_page_new (pipeline);
  g_autoptr (CapraProcesses) processes = capra_processes_new ();
  AdwViewStackPage *page = NULL;

  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  g_return_if_fail (!self->pipeline);
  self->pipeline = g_object_ref (pipeline);
  self->settings = capra_settings_watch_new ();
  self->steps = CAPRA_STEP_LIST (steps);
  self->devices = CAPRA_DEVICES_VIEW (devices);
  self->histogram = CAPRA_HISTOGRAM_PANE (histogram);
  self->results = CAPRA_RESULTS_PAGE (results);
  self->exact = add_note (results);
  g_signal_connect_object (steps, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (devices, "notify::device", G_CALLBACK (on_settings_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (on_settings_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (results, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  add_page (self, steps, "steps", _ ("Steps"), "view-list-bullet-symbolic");
  add_page (self, results, "results", _ ("Results"), "x-office-spreadsheet-symbolic");
  page = add_page (self, devices, "devices", _ ("Devices"), "preferences-system-devices-symbolic");
  g_object_bind_property (devices, "missing", page, "needs-attention", G_BINDING_SYNC_CREATE);
  add_page (self, make_memory_page (self, processes), "memory", _ ("Memory"), "drive-harddisk-system-symbolic");
  add_page (self, capra_timings_view_new (processes), "timings", _ ("Timings"), "preferences-system-time-symbolic");
  capra_step_list_set_header (self->steps, histogram);
  self->thumbnails = capra_thumbnails_new (pipeline);
  capra_step_list_set_thumbnails (self->steps, self->thumbnails);
}

void
capra_sidebar_set_settings (CapraSidebar *self, GSettings *settings)
{
  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  capra_step_list_set_settings (self->steps, settings);
  if (settings)
    g_settings_bind (settings, "device", self->devices, "device", G_SETTINGS_BIND_DEFAULT);
}

void
capra_sidebar_set_view (CapraSidebar *self, CapraImageView *view)
{
  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  self->view = view; /* both are parts of one window */
  capra_results_page_set_view (self->results, view);
  g_object_bind_property (view, "busy", self->histogram, "busy", G_BINDING_SYNC_CREATE);
}

void
capra_sidebar_set_image (CapraSidebar *self, CapraPyramid *image)
{
  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  capra_histogram_pane_set_image (self->histogram, image, capra_image_view_get_preview (self->view));
  capra_thumbnails_set_image (self->thumbnails, image);
  capra_forecast_row_set_image (self->forecast, image);
  gtk_widget_set_visible (self->exact, image && capra_layer_target_get (capra_pyramid_get_buffer (image, 0)));
}

const char *
capra_sidebar_get_page (CapraSidebar *self)
{
  g_return_val_if_fail (CAPRA_IS_SIDEBAR (self), NULL);
  return adw_view_stack_get_visible_child_name (self->pages);
}

void
capra_sidebar_set_page (CapraSidebar *self, const char *name)
{
  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  if (adw_view_stack_get_child_by_name (self->pages, name))
    adw_view_stack_set_visible_child_name (self->pages, name);
}

void
capra_sidebar_focus_page (CapraSidebar *self)
{
  GtkWidget *page = NULL, *focus = NULL;

  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  page = adw_view_stack_get_visible_child (self->pages);
  focus = gtk_root_get_focus (gtk_widget_get_root (page));
  if (!focus || !gtk_widget_is_ancestor (focus, page))
    gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

void
capra_sidebar_add_window_key (CapraSidebar *self, GtkWidget *window)
{
  g_return_if_fail (CAPRA_IS_SIDEBAR (self));
  capra_step_list_add_window_key (self->steps, window);
}

void
capra_sidebar_choose_operation (CapraSidebar *self)
{
  capra_sidebar_set_page (self, "steps");
  capra_step_list_choose (self->steps);
}

static void
capra_sidebar_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_object_get_property (G_OBJECT (CAPRA_SIDEBAR (object)->thumbnails), "busy", value);
}

static void
capra_sidebar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraSidebar *self = CAPRA_SIDEBAR (object);

  if (self->thumbnails)
    g_object_set_property (G_OBJECT (self->thumbnails), "busy", value);
}

static void
capra_sidebar_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (capra_sidebar_parent_class)->realize (widget);
  capra_sidebar_width_follow (widget);
}

static void
capra_sidebar_dispose (GObject *object)
{
  g_clear_object (&CAPRA_SIDEBAR (object)->thumbnails);
  g_clear_object (&CAPRA_SIDEBAR (object)->pipeline);
  g_clear_object (&CAPRA_SIDEBAR (object)->settings);
  G_OBJECT_CLASS (capra_sidebar_parent_class)->dispose (object);
}

static void
capra_sidebar_class_init (CapraSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_sidebar_dispose;
  G_OBJECT_CLASS (klass)->get_property = capra_sidebar_get_property;
  G_OBJECT_CLASS (klass)->set_property = capra_sidebar_set_property;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  widget_class->realize = capra_sidebar_realize;
  signals[FAILED] = g_signal_new ("failed", CAPRA_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
  signals[SETTINGS_CHANGED] = g_signal_new ("settings-changed", CAPRA_TYPE_SIDEBAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraSidebar, pages);
}

static void
capra_sidebar_init (CapraSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
