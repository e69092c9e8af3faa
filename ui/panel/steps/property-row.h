/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-row: one property of a step: its name, its editor, and a way back to the default. */
#pragma once

#include <adwaita.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_PROPERTY_ROW (capra_property_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraPropertyRow, capra_property_row, CAPRA, PROPERTY_ROW, AdwPreferencesRow)

GtkWidget *capra_property_row_new (CapraStep *step, GParamSpec *property);

GParamSpec *capra_property_row_get_property (CapraPropertyRow *row);
/* The widget that is focused and read: a GtkSpinButton, GtkSwitch, GtkDropDown, … */
GtkWidget *capra_property_row_get_widget (CapraPropertyRow *row);
/* The slider of a number, NULL for others. */
GtkWidget *capra_property_row_get_slider (CapraPropertyRow *row);

G_END_DECLS
