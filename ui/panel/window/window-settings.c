/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-settings: how a window looks, from one session to the next. */
#include "ui/panel/window/window-settings.h"

#include "ui/panel/window/panel-settings.h"

GSettings *
capra_window_settings_restore (const CapraWindowParts *parts)
{
  CapraCanvas *canvas = capra_image_view_get_canvas (parts->view);
  GSettings *settings = capra_panel_settings_new ();
  g_autofree char *page = NULL;

  capra_sidebar_set_settings (parts->sidebar, settings);
  if (!settings)
    return NULL;
  capra_panel_settings_restore_size (settings, parts->window);
  capra_panel_settings_restore_stretch (settings, parts->view);
  adw_flap_set_reveal_flap (parts->flap, g_settings_get_boolean (settings, "sidebar"));
  page = g_settings_get_string (settings, "page");
  capra_sidebar_set_page (parts->sidebar, page);
  g_object_set (parts->view, "show-timings", g_settings_get_boolean (settings, "timing-overlay"), NULL);
  capra_canvas_set_compare (canvas, g_settings_get_enum (settings, "compare"));
  return settings;
}

void
capra_window_settings_store (GSettings *settings, const CapraWindowParts *parts)
{
  CapraCanvas *canvas = capra_image_view_get_canvas (parts->view);
  gboolean timings;

  if (!settings)
    return;
  g_object_get (parts->view, "show-timings", &timings, NULL);
  capra_panel_settings_store_size (settings, parts->window);
  capra_panel_settings_store_stretch (settings, parts->view);
  g_settings_set_boolean (settings, "sidebar", adw_flap_get_reveal_flap (parts->flap));
  g_settings_set_string (settings, "page", capra_sidebar_get_page (parts->sidebar));
  g_settings_set_boolean (settings, "timing-overlay", timings);
  g_settings_set_enum (settings, "compare", (int) capra_canvas_get_compare (canvas));
}
