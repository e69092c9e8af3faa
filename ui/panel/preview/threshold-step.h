/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threshold-step: the number with which a threshold step compares values, set by the user or found by a method. */
#pragma once

#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/* Whether the step compares values with a threshold. */
gboolean capra_threshold_step_is (CapraStep *step);

/* Whether it compares perceptual values instead of linear light. */
gboolean capra_threshold_step_is_perceptual (CapraStep *step);

/**
 * capra_threshold_step_get:
 * @method: (out) (nullable): the name of the method that finds the threshold; %NULL if the user sets it
 *
 * Returns: the threshold; NaN if it has not been found yet, or each pixel has one of its own
 */
double capra_threshold_step_get (CapraStep *step, const char **method);

/* Sets the threshold by hand: a method that finds one is replaced by the manual one, in the same change. */
void capra_threshold_step_set (CapraStep *step, double value);

G_END_DECLS
