/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remedy-row: what helps a step that has failed or that lacks a step before it, and a button that does it. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraRemedyRow:
 *
 * A row of a step. It is visible while the step lacks the numbers of regions because another step behind the one that
 * labels has changed them; its button moves the step between these. It is also visible while the step computes with the
 * colors of regions instead of their numbers; then its button lets the step that labels render numbers. It is also
 * visible while the step labels an image as one region without a threshold before; then its button adds one.
 */
#define CAPRA_TYPE_REMEDY_ROW (capra_remedy_row_get_type ())
G_DECLARE_FINAL_TYPE (CapraRemedyRow, capra_remedy_row, CAPRA, REMEDY_ROW, AdwPreferencesRow)

GtkWidget *capra_remedy_row_new (CapraStepModel *model, CapraStep *step);

/* (nullable): the error of @step with the names of steps as people see them (g_free). */
char *capra_remedy_row_get_message (CapraStepModel *model, CapraStep *step);
/* What to say of @error, with which saving or applying the steps of @model has ended: if a step has failed, its title
 * and what its row says (g_free). */
char *capra_remedy_row_describe_failure (CapraStepModel *model, const GError *error);

G_END_DECLS
