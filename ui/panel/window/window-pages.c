/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-pages: the pages of the sidebar, and what lies over the image. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/monitor/devices-view.h"
#include "ui/panel/monitor/memory-view.h"
#include "ui/panel/steps/step-list.h"
#include "ui/panel/preview/timing-overlay.h"
#include "ui/panel/monitor/timings-view.h"
#include "ui/panel/window/window-private.h"

static AdwViewStackPage *
add_page (CapraPanelWindow *self, GtkWidget *widget, const char *name, const char *title, const char *icon)
{
  return adw_view_stack_add_titled_with_icon (self->pages, widget, name, title, icon);
}

static void
on_failed (CapraPanelWindow *self, const char *message)
{
  capra_panel_window_show_error (self, message);
}

/* Operations that leave the device to the settings follow at their next run: that is now. */
static void
on_device_changed (CapraPanelWindow *self)
{
  if (self->after)
    capra_preview_refresh (self->after);
}

/* A message of ours names the device that it is about; one that works again, or that no step complains
 * of, is shown as it was. */
void
capra_panel_window_show_failures (CapraPanelWindow *self)
{
  const GPtrArray *devices = capra_device_list (NULL);

  for (guint i = 0; devices && i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);
      const char *failure = NULL;

      for (guint j = 0; j < capra_step_model_get_length (self->pipeline) && !failure; j++)
        {
          CapraStep *step = capra_step_model_get_step (self->pipeline, j);
          const char *error = capra_step_get_error (step);

          if (error && g_str_has_prefix (capra_step_get_operation (step), "capra:") && strstr (error, info->name)
              && strstr (error, "CL_"))
            failure = error;
        }
      capra_devices_view_set_failure (self->devices, devices->pdata[i], failure);
    }
}

void
capra_panel_window_add_pages (CapraPanelWindow *self)
{
  GtkWidget *steps = capra_step_list_new (self->pipeline);
  GtkWidget *devices = capra_devices_view_new ();
  g_autoptr (CapraProcesses) processes = capra_processes_new ();

  self->steps = CAPRA_STEP_LIST (steps);
  self->devices = CAPRA_DEVICES_VIEW (devices);
  g_signal_connect_object (steps, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (devices, "default-changed", G_CALLBACK (on_device_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (devices, "notify::device", G_CALLBACK (on_device_changed), self, G_CONNECT_SWAPPED);
  add_page (self, steps, "steps", _ ("Steps"), "view-list-bullet-symbolic");
  g_object_bind_property (devices, "missing",
                          add_page (self, devices, "devices", _ ("Devices"), "preferences-system-devices-symbolic"),
                          "needs-attention", G_BINDING_SYNC_CREATE);
  add_page (self, capra_memory_view_new (processes), "memory", _ ("Memory"), "drive-harddisk-system-symbolic");
  add_page (self, capra_timings_view_new (processes), "timings", _ ("Timings"), "preferences-system-time-symbolic");
  capra_panel_window_add_histogram (self);
  self->timing_overlay = capra_timing_overlay_new ();
  gtk_widget_set_margin_start (self->timing_overlay, 12);
  gtk_widget_set_margin_bottom (self->timing_overlay, 12);
  gtk_overlay_add_overlay (self->overlay, self->timing_overlay);
}
