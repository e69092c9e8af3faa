/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source-row: what feeds the second input of a step: nothing, the image, an earlier result, a file. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_SOURCE_ROW (capra_source_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraSourceRow, capra_source_row, CAPRA, SOURCE_ROW, AdwPreferencesRow)

/* @step: of @pipeline; its operation has a second input */
GtkWidget *capra_source_row_new (CapraPipeline *pipeline, CapraStep *step);

G_END_DECLS
