/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel-settings: the panel's GSettings. */
#pragma once

#include "ui/panel/preview/image-view.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): %NULL if the schema is not installed; then nothing is stored. */
GSettings *capra_panel_settings_new (void);

/* Size of the window, and whether it is maximized. */
void capra_panel_settings_restore_size (GSettings *settings, GtkWindow *window);
void capra_panel_settings_store_size (GSettings *settings, GtkWindow *window);

/* The stretch of each kind of images. */
void capra_panel_settings_restore_stretch (GSettings *settings, CapraImageView *view);
void capra_panel_settings_store_stretch (GSettings *settings, CapraImageView *view);

G_END_DECLS
