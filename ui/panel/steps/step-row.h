/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-row: one step in the list: its name, its switch, its menu, and its properties when expanded. */
#pragma once

#include "ui/panel/steps/property-row.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraStepRow:
 *
 * Properties: "model" (CapraStepModel) and "step" (CapraStep), both construct-only.
 * Signal "focus-step" (uint): the row of the step with this id gets the focus after a change of the list; 0: no step is
 * left.
 */
#define CAPRA_TYPE_STEP_ROW (capra_step_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepRow, capra_step_row, CAPRA, STEP_ROW, AdwExpanderRow)

GtkWidget *capra_step_row_new (CapraStepModel *model, CapraStep *step);

CapraStep *capra_step_row_get_step (CapraStepRow *row);
/* @picture: (nullable): of the step's result */
void capra_step_row_set_picture (CapraStepRow *row, GdkPaintable *picture);
/* (nullable): the row of the property @name; rows exist once @row has been expanded. */
CapraPropertyRow *capra_step_row_find_property (CapraStepRow *row, const char *name);

G_END_DECLS
