/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept-bar: offers the steps and the windows of an earlier session, above the window's content. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraKeptBar:
 *
 * The steps are kept until the user restores or discards them.
 */
#define CAPRA_TYPE_KEPT_BAR (capra_kept_bar_get_type ())
G_DECLARE_FINAL_TYPE (CapraKeptBar, capra_kept_bar, CAPRA, KEPT_BAR, GtkWidget)

/* Call it once. */
void capra_kept_bar_set_pipeline (CapraKeptBar *bar, CapraStepModel *pipeline);
/* @steps: (nullable): as GEGL's XML. Steps that cannot be read are kept, too: they may be of a module that is missing
 * at present. */
void capra_kept_bar_offer (CapraKeptBar *bar, const char *steps);
/* Offers to reopen @count windows, by the action "app.reopen-windows". */
void capra_kept_bar_offer_windows (CapraKeptBar *bar, guint count);
/* (nullable): the steps that were neither restored nor discarded. */
const char *capra_kept_bar_get_steps (CapraKeptBar *bar);

G_END_DECLS
