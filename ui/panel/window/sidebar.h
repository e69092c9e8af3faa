/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sidebar: pages with the steps, their results, the devices, the memory and the timings. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/image-view.h"

G_BEGIN_DECLS

/**
 * CapraSidebar:
 *
 * Properties: "busy" (boolean): whether the preview is rendering, which delays the thumbnails of the steps.
 * Signals: "failed" (string) with a message; "settings-changed": another device is to be used from now on, or another
 * setting that results depend on has changed, also in another program.
 */
#define CAPRA_TYPE_SIDEBAR (capra_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (CapraSidebar, capra_sidebar, CAPRA, SIDEBAR, GtkBox)

/* Adds the pages. Call it once, before all other functions. */
void capra_sidebar_set_pipeline (CapraSidebar *sidebar, CapraStepModel *pipeline);
/* @settings: (nullable): stores favorite operations and the device. */
void capra_sidebar_set_settings (CapraSidebar *sidebar, GSettings *settings);
/* What shows the image, for the results. Call it once. */
void capra_sidebar_set_view (CapraSidebar *sidebar, CapraImageView *view);
/* @image: (nullable): what the view shows. */
void capra_sidebar_set_image (CapraSidebar *sidebar, CapraPyramid *image);

/* Name of the visible page. Unknown names are ignored. */
const char *capra_sidebar_get_page (CapraSidebar *sidebar);
void capra_sidebar_set_page (CapraSidebar *sidebar, const char *name);
/* Moves the focus into the page that is shown, unless it is there. */
void capra_sidebar_focus_page (CapraSidebar *self);
/* See capra_step_list_add_window_key(). */
void capra_sidebar_add_window_key (CapraSidebar *sidebar, GtkWidget *window);
/* Shows the list of operations to add. */
void capra_sidebar_choose_operation (CapraSidebar *sidebar);
/* Marks the devices that failed according to the errors of the steps. */
void capra_sidebar_update_failures (CapraSidebar *sidebar);

G_END_DECLS
