/* SPDX-License-Identifier: GPL-3.0-or-later */
/* View-actions: actions of a window that change how the image is shown. */
#include "ui/panel/window/view-actions.h"

static void
on_zoom_in (GSimpleAction *action, GVariant *parameter, gpointer view)
{
  capra_canvas_zoom_step (capra_image_view_get_canvas (view), 1);
}

static void
on_zoom_out (GSimpleAction *action, GVariant *parameter, gpointer view)
{
  capra_canvas_zoom_step (capra_image_view_get_canvas (view), -1);
}

static void
on_zoom_fit (GSimpleAction *action, GVariant *parameter, gpointer view)
{
  capra_canvas_zoom_fit (capra_image_view_get_canvas (view));
}

static void
on_zoom_to (GSimpleAction *action, GVariant *parameter, gpointer view)
{
  capra_canvas_zoom_to (capra_image_view_get_canvas (view), g_variant_get_double (parameter));
}

static void
on_stretch_menu (GSimpleAction *action, GVariant *parameter, gpointer view)
{
  capra_image_view_show_stretch_menu (view);
}

void
capra_view_actions_add (GActionMap *map, CapraImageView *view)
{
  static const GActionEntry entries[] = {
    { "zoom-in", on_zoom_in },      { "zoom-out", on_zoom_out },         { "zoom-fit", on_zoom_fit },
    { "zoom-to", on_zoom_to, "d" }, { "stretch-menu", on_stretch_menu },
  };
  g_autoptr (GPropertyAction) compare = g_property_action_new ("compare", capra_image_view_get_canvas (view),
                                                               "compare");
  g_autoptr (GPropertyAction) timings = g_property_action_new ("timing-overlay", view, "show-timings");
  g_autoptr (GPropertyAction) line = g_property_action_new ("line-profile", capra_image_view_get_line_tool (view),
                                                            "active");
  g_autoptr (GPropertyAction) stretch = g_property_action_new ("stretch", view, "stretch");
  g_autoptr (GPropertyAction) limits = g_property_action_new ("limits", view, "limits");

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), view);
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_object_bind_property (view, "has-image", g_action_map_lookup_action (map, entries[i].name), "enabled",
                            G_BINDING_SYNC_CREATE);
  g_action_map_add_action (map, G_ACTION (compare));
  g_action_map_add_action (map, G_ACTION (timings));
  g_action_map_add_action (map, G_ACTION (line));
  g_action_map_add_action (map, G_ACTION (stretch));
  g_action_map_add_action (map, G_ACTION (limits));
}
