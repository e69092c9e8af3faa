/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Application: the panel as an application. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * CapraPanelApplication:
 *
 * Signal "image-read" (GFile, CapraImage, gint64), for g_signal_emit_by_name(): opens a window with an image; see
 * capra_document_show().
 */
#define CAPRA_TYPE_PANEL_APPLICATION (capra_panel_application_get_type ())
G_DECLARE_FINAL_TYPE (CapraPanelApplication, capra_panel_application, CAPRA, PANEL_APPLICATION, AdwApplication)

CapraPanelApplication *capra_panel_application_new (void);

/* SIGTERM, SIGINT and SIGHUP close all windows when their files are saved. A second signal cancels saving. */
void capra_panel_application_handle_signals (CapraPanelApplication *application);

/* Loads the panel's style and icons. Hosts that create windows themselves call it, too. */
void capra_panel_init (void);

G_END_DECLS
