/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window: the panel, as an application's window or in a host such as GIMP. */
#pragma once

#include <adwaita.h>

#include "ui/panel/preview/canvas.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/steps/step-model.h"
#include "ui/panel/window/document.h"
#include "ui/panel/window/host-layer.h"
#include "ui/panel/window/state-file.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_PANEL_WINDOW (capra_panel_window_get_type ())
G_DECLARE_FINAL_TYPE (CapraPanelWindow, capra_panel_window, CAPRA, PANEL_WINDOW, AdwApplicationWindow)

/* How a host applies the steps to its image. */
typedef enum {
  CAPRA_PANEL_APPLY_PIXELS,  /* changes the pixels */
  CAPRA_PANEL_APPLY_EFFECTS, /* adds each step as an effect that can be changed later */
} CapraPanelApplyMode;

/**
 * CapraPanelApplyFunc:
 * @steps: (element-type CapraStep): the pipeline
 * @cancellable: canceled when the user cancels applying
 *
 * Starts to apply the pipeline to the host's image. The host calls capra_panel_window_set_progress() meanwhile, and
 * capra_panel_window_finish_apply() once at the end.
 */
typedef void (*CapraPanelApplyFunc) (CapraPanelWindow *window, GPtrArray *steps, CapraPanelApplyMode mode,
                                     GCancellable *cancellable, gpointer data);

/**
 * capra_panel_window_new:
 * @buffer: (nullable): the image; %NULL to let the user open one
 * @title: (nullable): its name
 * @apply: (nullable): applies the steps in a host; %NULL to let the user save a file
 */
CapraPanelWindow *capra_panel_window_new (GtkApplication *application, GeglBuffer *buffer, const char *title,
                                          CapraPanelApplyFunc apply, gpointer data);

/* For hosts: shows a button for %CAPRA_PANEL_APPLY_EFFECTS. */
void capra_panel_window_offer_effects (CapraPanelWindow *window);
/* @fraction: 0 to 1. */
void capra_panel_window_set_progress (CapraPanelWindow *window, double fraction);
/* Closes the window if @error is %NULL. Otherwise shows the error, unless it is a cancellation. */
void capra_panel_window_finish_apply (CapraPanelWindow *window, const GError *error);
/* @message: (nullable): why the host's image no longer exists, so that nothing can be applied; %NULL when it exists
 * again. */
void capra_panel_window_set_lost (CapraPanelWindow *window, const char *message);

/* (transfer none) */
CapraDocument *capra_panel_window_get_document (CapraPanelWindow *window);
/* Starts to save the result. @bits: as capra_save() takes them. */
void capra_panel_window_save (CapraPanelWindow *window, GFile *file, int bits);

/* Appends what to restore at the next start to @states (element-type CapraWindowState): the window's steps, and then
 * those that it offers, as capra_document_add_states(). */
void capra_panel_window_add_states (CapraPanelWindow *window, GPtrArray *states);
/* Offers the steps of an earlier session. @steps: (nullable): as GEGL's XML */
void capra_panel_window_offer_steps (CapraPanelWindow *window, const char *steps);
/* Offers to reopen @count windows of an earlier session. */
void capra_panel_window_offer_windows (CapraPanelWindow *window, guint count);
/* Closes the window, without a question, as soon as all files are saved or canceled. */
void capra_panel_window_close_when_saved (CapraPanelWindow *window);
void capra_panel_window_cancel_saving (CapraPanelWindow *window);

/* (transfer none): the layer of the host; for hosts. */
CapraHostLayer *capra_panel_window_get_host_layer (CapraPanelWindow *window);
CapraStepModel *capra_panel_window_get_pipeline (CapraPanelWindow *window);
CapraCanvas *capra_panel_window_get_canvas (CapraPanelWindow *window);
/* (nullable): %NULL without an image. */
CapraPreview *capra_panel_window_get_preview (CapraPanelWindow *window);

/* Shows an error above the content until it is closed. */
void capra_panel_window_show_error (CapraPanelWindow *window, const char *message);

G_END_DECLS
