/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Application: the panel on its own. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define CAPRA_TYPE_PANEL_APPLICATION (capra_panel_application_get_type ())
G_DECLARE_FINAL_TYPE (CapraPanelApplication, capra_panel_application, CAPRA, PANEL_APPLICATION, AdwApplication)

CapraPanelApplication *capra_panel_application_new (void);

/* SIGTERM, SIGINT and SIGHUP close all windows once what they save is complete; the second one cancels that. */
void capra_panel_application_handle_signals (CapraPanelApplication *application);

/* Style, icons and translations of the panel; also for hosts that make windows themselves. */
void capra_panel_init (void);

G_END_DECLS
