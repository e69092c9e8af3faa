/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aux-row: the image on the second input (aux) of a step: none, the image itself, an earlier result, or a file. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraAuxRow:
 *
 * Properties: "model" (CapraStepModel) and "step" (CapraStep), both construct-only; the step's operation has an aux
 * pad.
 */
#define CAPRA_TYPE_AUX_ROW (capra_aux_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraAuxRow, capra_aux_row, CAPRA, AUX_ROW, AdwPreferencesRow)

GtkWidget *capra_aux_row_new (CapraStepModel *model, CapraStep *step);

G_END_DECLS
