/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source-row: what feeds the second input of a step: nothing, the image, an earlier result, a file. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_AUX_ROW (capra_aux_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraAuxRow, capra_aux_row, CAPRA, AUX_ROW, AdwPreferencesRow)

/* @step: of @pipeline; its operation has a second input */
GtkWidget *capra_aux_row_new (CapraStepModel *pipeline, CapraStep *step);

G_END_DECLS
