/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window: the panel itself, as an application's window or within a host such as GIMP. */
#pragma once

#include <adwaita.h>

#include "canvas.h"
#include "pipeline.h"
#include "preview.h"

G_BEGIN_DECLS

#define CAPRA_PANEL_ID "io.github.capra.Panel"
#define CAPRA_PANEL_RESOURCE "/io/github/capra/Panel/"

#define CAPRA_TYPE_PANEL_WINDOW (capra_panel_window_get_type ())
G_DECLARE_FINAL_TYPE (CapraPanelWindow, capra_panel_window, CAPRA, PANEL_WINDOW,
                      AdwApplicationWindow)

/**
 * CapraPanelApply:
 * @steps: (element-type CapraStep): the pipeline
 *
 * Carries the pipeline out on the host's image. Returns: FALSE with @error set: the window stays open
 * and shows it.
 */
typedef gboolean (*CapraPanelApply) (CapraPanelWindow *window, GPtrArray *steps, gpointer data,
                                     GError **error);

/**
 * capra_panel_window_new:
 * @buffer: (nullable): the image; %NULL: a person opens one
 * @title: (nullable): its name
 * @apply: (nullable): what the button does that otherwise saves a file
 */
CapraPanelWindow *capra_panel_window_new (GtkApplication *application, GeglBuffer *buffer,
                                          const char *title, CapraPanelApply apply, gpointer data);

void capra_panel_window_open (CapraPanelWindow *window, GFile *file);

CapraPipeline *capra_panel_window_get_pipeline (CapraPanelWindow *window);
CapraCanvas *capra_panel_window_get_canvas (CapraPanelWindow *window);
/* %NULL without an image. */
CapraPreview *capra_panel_window_get_preview (CapraPanelWindow *window);

/* In place, over the image, until it is closed. */
void capra_panel_window_show_error (CapraPanelWindow *window, const char *message);

G_END_DECLS
