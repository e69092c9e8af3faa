/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-list: the steps in the sidebar, and the chooser that adds one. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/thumbnails.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraStepList:
 *
 * Properties: "model" (CapraStepModel, construct-only); "settings" (GSettings, nullable): stores the favorites;
 * "header" (GtkWidget, nullable): stays above the steps when they are scrolled, such as a histogram; "thumbnails"
 * (CapraThumbnails, nullable): pictures of the steps' results.
 * Signal "failed" (string): an error message.
 */
#define CAPRA_TYPE_STEP_LIST (capra_step_list_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepList, capra_step_list, CAPRA, STEP_LIST, GtkBox)

GtkWidget *capra_step_list_new (CapraStepModel *model);
void capra_step_list_set_settings (CapraStepList *list, GSettings *settings);
void capra_step_list_set_header (CapraStepList *list, GtkWidget *widget);
void capra_step_list_set_thumbnails (CapraStepList *list, CapraThumbnails *thumbnails);
/* Shows the operations to choose from. */
void capra_step_list_choose (CapraStepList *list);
/* Duplicates the marked step on its key anywhere in @window, which contains @list: elsewhere than in the row of a step,
 * GTK's windows would open the inspector. */
void capra_step_list_add_window_key (CapraStepList *list, GtkWidget *window);
/* The CapraStepRow at @position. */
GtkWidget *capra_step_list_get_row (CapraStepList *list, guint position);

G_END_DECLS
