/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel-settings: the panel's GSettings. */
#include "ui/panel/window/panel-settings.h"

#include "ui/panel/resources.h"

static const char *const stretch_keys[CAPRA_DISPLAY_N_KINDS] = { [CAPRA_DISPLAY_COLORS] = "stretch-colors",
                                                                 [CAPRA_DISPLAY_RAW] = "stretch-raw",
                                                                 [CAPRA_DISPLAY_FITS] = "stretch-fits" };

GSettings *
capra_panel_settings_new (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchemaSource) installed = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source)
    schema = g_settings_schema_source_lookup (source, CAPRA_PANEL_ID, TRUE);
  if (!schema) /* the installation prefix may be missing in the system's search path */
    installed = g_settings_schema_source_new_from_directory (CAPRA_SCHEMA_DIR, source, TRUE, NULL);
  if (installed)
    schema = g_settings_schema_source_lookup (installed, CAPRA_PANEL_ID, FALSE);
  return schema ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

void
capra_panel_settings_restore_size (GSettings *settings, GtkWindow *window)
{
  gtk_window_set_default_size (window, g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (window);
}

void
capra_panel_settings_store_size (GSettings *settings, GtkWindow *window)
{
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_int (settings, "window-width", width);
  g_settings_set_int (settings, "window-height", height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (window));
}

void
capra_panel_settings_restore_stretch (GSettings *settings, CapraImageView *view)
{
  for (guint kind = 0; kind < CAPRA_DISPLAY_N_KINDS; kind++)
    {
      CapraDisplayStretch stretch = *capra_image_view_get_stretch (view, (CapraDisplayKind) kind);
      g_autofree char *curve = NULL;

      g_settings_get (settings, stretch_keys[kind], "(sd)", &curve, &stretch.percent);
      stretch.enabled = capra_stretch_curve_from_name (curve, &stretch.curve);
      if (!(stretch.percent >= 1.0 && stretch.percent <= 100.0))
        stretch.percent = CAPRA_DISPLAY_AUTOMATIC;
      capra_image_view_set_stretch (view, (CapraDisplayKind) kind, &stretch);
    }
}

void
capra_panel_settings_store_stretch (GSettings *settings, CapraImageView *view)
{
  for (guint kind = 0; kind < CAPRA_DISPLAY_N_KINDS; kind++)
    {
      const CapraDisplayStretch *stretch = capra_image_view_get_stretch (view, (CapraDisplayKind) kind);

      g_settings_set (settings, stretch_keys[kind], "(sd)",
                      stretch->enabled ? capra_stretch_curve_get_name (stretch->curve) : "none", stretch->percent);
    }
}
