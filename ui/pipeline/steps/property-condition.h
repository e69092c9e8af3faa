/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Condition: whether a property is of use, as operations say with the keys "visible" and "sensitive". */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * capra_property_condition_holds:
 * @condition: (nullable): such as "method {manual, otsu} & ! perceptual", as GIMP reads it: names of
 *   properties, which are true or have one of the values in braces, with !, &, | and brackets, 0 and 1
 *
 * Returns: whether it holds for the values of @step; %TRUE if there is none, or it is not understood
 */
gboolean capra_property_condition_holds (CapraStep *step, const char *condition);

G_END_DECLS
