/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-settings: how a window looks, from one session to the next. */
#pragma once

#include <adwaita.h>

#include "ui/panel/preview/image-view.h"
#include "ui/panel/window/sidebar.h"

G_BEGIN_DECLS

/* What the settings are about. */
typedef struct {
  GtkWindow *window;
  AdwFlap *flap;
  CapraImageView *view;
  CapraSidebar *sidebar;
} CapraWindowParts;

/* (transfer full) (nullable): the settings; %NULL if their schema is not installed. */
GSettings *capra_window_settings_restore (const CapraWindowParts *parts);
/* Settings are shared by all windows, so they are stored only when one is closed. @settings: (nullable) */
void capra_window_settings_store (GSettings *settings, const CapraWindowParts *parts);

G_END_DECLS
