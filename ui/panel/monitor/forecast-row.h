/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecast row: the memory that a pipeline needs, and the largest image that fits. */
#pragma once

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/steps/step-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CAPRA_TYPE_FORECAST_ROW (capra_forecast_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraForecastRow, capra_forecast_row, CAPRA, FORECAST_ROW, GtkWidget)

GtkWidget *capra_forecast_row_new (CapraStepModel *pipeline);

/* @image: (nullable): the input of the pipeline */
void capra_forecast_row_set_image (CapraForecastRow *row, CapraPyramid *image);

/* To be called when the default device or a budget has changed. */
void capra_forecast_row_refresh (CapraForecastRow *row);

G_END_DECLS
