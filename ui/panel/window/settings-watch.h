/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings-watch: reports changes of Capra's settings, which other programs make, too. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CapraSettingsWatch:
 *
 * Signal "changed": the contents of the settings file have changed, such as the default device or the memory budget.
 */
#define CAPRA_TYPE_SETTINGS_WATCH (capra_settings_watch_get_type ())
G_DECLARE_FINAL_TYPE (CapraSettingsWatch, capra_settings_watch, CAPRA, SETTINGS_WATCH, GObject)

CapraSettingsWatch *capra_settings_watch_new (void);

G_END_DECLS
