/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window: the panel itself, as an application's window or within a host such as GIMP. */
#pragma once

#include <adwaita.h>

#include "ui/panel/preview/canvas.h"
#include "ui/panel/steps/step-model.h"
#include "ui/panel/preview/preview.h"
#include "ui/panel/resources.h"
#include "ui/panel/window/state-file.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_PANEL_WINDOW (capra_panel_window_get_type ())
G_DECLARE_FINAL_TYPE (CapraPanelWindow, capra_panel_window, CAPRA, PANEL_WINDOW, AdwApplicationWindow)

/* What becomes of the host's image. */
typedef enum {
  CAPRA_PANEL_PIXELS,  /* its pixels change */
  CAPRA_PANEL_EFFECTS, /* each step becomes an effect that can still be changed in the host */
} CapraPanelHow;

/**
 * CapraPanelApply:
 * @steps: (element-type CapraStep): the pipeline
 * @cancellable: cancelled when the person no longer wants it
 *
 * Begins to carry the pipeline out on the host's image, and returns. Meanwhile the host calls
 * capra_panel_window_set_progress(), at the end, once, capra_panel_window_finish_apply().
 */
typedef void (*CapraPanelApply) (CapraPanelWindow *window, GPtrArray *steps, CapraPanelHow how,
                                 GCancellable *cancellable, gpointer data);

/**
 * capra_panel_window_new:
 * @buffer: (nullable): the image; %NULL: a person opens one
 * @title: (nullable): its name
 * @apply: (nullable): what the button does that otherwise saves a file
 */
CapraPanelWindow *capra_panel_window_new (GtkApplication *application, GeglBuffer *buffer, const char *title,
                                          CapraPanelApply apply, gpointer data);

/* For hosts: adds a button for %CAPRA_PANEL_EFFECTS. */
void capra_panel_window_offer_effects (CapraPanelWindow *window);
/* @fraction: 0 to 1. */
void capra_panel_window_set_progress (CapraPanelWindow *window, double fraction);
/* Without @error the window closes; else it stays and shows it, unless that is a cancellation. */
void capra_panel_window_finish_apply (CapraPanelWindow *window, const GError *error);
/* The host's image has gone: nothing can be applied, and @message says why; %NULL: it has come back. */
void capra_panel_window_set_lost (CapraPanelWindow *window, const char *message);

void capra_panel_window_open (CapraPanelWindow *window, GFile *file);
/* Begins to write the result; @bits: of a PNG. */
void capra_panel_window_save (CapraPanelWindow *window, GFile *file, int bits);

/* (transfer full) (nullable): what the window has to come back with; %NULL within a host. */
CapraWindowState *capra_panel_window_get_state (CapraPanelWindow *window);
void capra_panel_window_restore (CapraPanelWindow *window, const CapraWindowState *state);
/* Closes the window, without a question, as soon as what is being saved is complete or cancelled. */
void capra_panel_window_close_when_saved (CapraPanelWindow *window);
void capra_panel_window_cancel_saving (CapraPanelWindow *window);

CapraStepModel *capra_panel_window_get_pipeline (CapraPanelWindow *window);
CapraCanvas *capra_panel_window_get_canvas (CapraPanelWindow *window);
/* %NULL without an image. */
CapraPreview *capra_panel_window_get_preview (CapraPanelWindow *window);

/* In place, over the image, until it is closed. */
void capra_panel_window_show_error (CapraPanelWindow *window, const char *message);

G_END_DECLS
