/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-list: the pipeline in the sidebar, and the choice of further steps. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraStepList:
 *
 * Signal "failed" (string): something could not be done, and why.
 */
#define CAPRA_TYPE_STEP_LIST (capra_step_list_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepList, capra_step_list, CAPRA, STEP_LIST, GtkBox)

GtkWidget *capra_step_list_new (CapraStepModel *pipeline);
/* @settings: (nullable): where favourites are kept. */
void capra_step_list_set_settings (CapraStepList *list, GSettings *settings);
/* Shows the operations to choose from. */
void capra_step_list_choose (CapraStepList *list);
/* The CapraStepRow at that position. */
GtkWidget *capra_step_list_get_row (CapraStepList *list, guint position);
/* What stands above the steps: a histogram (transfer floating). */
void capra_step_list_set_header (CapraStepList *list, GtkWidget *widget);

G_END_DECLS
