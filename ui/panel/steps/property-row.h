/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-row: one property of a step: its name, its editor, and a button that resets it. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/editors/editor.h"
#include "ui/panel/steps/size-link.h"
#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraPropertyRow:
 *
 * Properties: "step" (CapraStep) and "property" (GParamSpec), and "link" (CapraSizeLink, nullable) of a size, all
 * construct-only.
 */
#define CAPRA_TYPE_PROPERTY_ROW (capra_property_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraPropertyRow, capra_property_row, CAPRA, PROPERTY_ROW, AdwPreferencesRow)

GtkWidget *capra_property_row_new (CapraStep *step, GParamSpec *property, CapraSizeLink *link);

CapraEditor *capra_property_row_get_editor (CapraPropertyRow *row);

G_END_DECLS
